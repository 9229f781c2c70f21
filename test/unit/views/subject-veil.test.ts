// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TooltipContent, VegaDrawing, VegaPlot } from '../../../src/plot/plot';
import { memoryByKey } from '../../../src/plots/memory/memory-by-key';
import { progress } from '../../../src/plots/tasks/progress';
import { workersMap } from '../../../src/plots/workers/cluster-map';
import { nprocessing } from '../../../src/plots/workers/nprocessing';
import type { Run } from '../../../src/run/run';
import { readSelection, writeSelection } from '../../../src/run/selection/saved-selection';
import { NOTHING_SELECTED, selectionOf } from '../../../src/run/selection/selection';
import { tooltip } from '../../../src/views/tooltip';
import type { ViewHost } from '../../../src/views/view';
import { Pointing } from '../../../src/views/vega/pointing';
import { rowWindow, type RowWindow, WHOLE } from '../../../src/views/vega/row-window';
import { SubjectVeil } from '../../../src/views/vega/subject-veil';
import { cluster, context, step } from '../plots/cluster';
import { tasksBody } from '../run/synthetic';

const SIZE = { width: 400, height: 300 };
const NAMES = ['load', 'two\nlines', '\u202e<b>'];

function made(): Run {
  const run = cluster({
    workers: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
    prefixes: NAMES.map(name => ({ name, memory: 4, nbytes: 5 })),
    held: NAMES.map((_, prefix) => ({ prefix, results: 1, nbytes: 5 }))
  });
  const tasks = tasksBody([{ start: 1000, duration: 1 }]);
  run.apply({ feed: 'made-up', epoch: 0, seq: 1, time: 1001, cursor: {}, names: {}, topics: { tasks } }, 1_001_000);
  return run;
}

interface Drawn {
  readonly drawing: VegaDrawing;
  readonly rows: RowWindow;
}

/** A picture as its view draws it. */
function draw(plot: VegaPlot, run: Run): Drawn {
  const picture = plot.picture(run, context(), SIZE);
  const rows =
    picture.rows === undefined ? WHOLE : rowWindow(picture.rows.count, 300, picture.rows.pitch, picture.rows.margins, 0);
  return { drawing: picture.draw({ ...SIZE, firstRow: rows.first, endRow: rows.end }), rows };
}

describe('the veil over what is not selected', () => {
  let run: Run;
  let saved: Record<string, unknown>;
  let veil: SubjectVeil;

  const stand = (before: ViewHost['saved'] = {}): SubjectVeil => {
    veil = new SubjectVeil({ run, saved: before, save: state => Object.assign(saved, state) });
    return veil;
  };
  const show = ({ drawing, rows }: Drawn, scale = 1): void => veil.update(drawing, rows, SIZE.width, scale);
  /** Upper and lower edges of what is dimmed. */
  const dimmed = (): number[][] =>
    [...(veil.node.querySelector('path')?.getAttribute('d') ?? '').matchAll(/M\S+ (\S+)H\S+V(\S+)H/g)].map(([, top, bottom]) => [
      Number(top),
      Number(bottom)
    ]);
  const content = (drawn: Drawn, i: number): TooltipContent => drawn.drawing.data.hits[i].tooltip as unknown as TooltipContent;

  beforeEach(() => {
    run = made();
    saved = {};
  });
  afterEach(() => veil.dispose());

  it.each([
    ['progress', progress],
    ['memory-by-key', memoryByKey],
    ['nprocessing', nprocessing]
  ] as const)('covers the other rows of %s, to the pixel, and nothing without a selection', (_, plot) => {
    stand();
    const drawn = draw(plot, run);
    const { pitch, margins } = drawn.rows;
    show(drawn);
    expect(dimmed()).toEqual([]);
    expect(veil.pick(content(drawn, 1).subject, false)).toBe(true);
    const row = (i: number): number[] =>
      [margins.top + i * pitch, margins.top + (i + 1) * pitch].map(edge => Number(edge.toFixed(1)));
    expect(dimmed()).toEqual([row(0), row(2)]);
    show(drawn, 2);
    expect(dimmed()).toEqual([row(0), row(2)].map(edges => edges.map(edge => Number((2 * edge).toFixed(1)))));
    expect(veil.pick(content(drawn, 1).subject, false)).toBe(false);
    expect(dimmed()).toEqual([]);
  });

  it('covers the columns of others in the strip above many rows', () => {
    run = cluster({ workers: Array.from({ length: 120 }, (_, i) => ({ name: `w${i}`, processing: 1 })) });
    stand();
    const drawn = draw(nprocessing, run);
    show(drawn);
    const columns = drawn.drawing.data.bandHits;
    expect(columns).toHaveLength(120);
    const { y, y2 } = columns[0];
    const covered = (): number => dimmed().filter(([top, bottom]) => top === y && bottom === y2).length;
    expect(covered()).toBe(0);
    veil.pick(content(drawn, 3).subject, false);
    expect(covered()).toBe(119);
    veil.pick((columns[110].tooltip as unknown as TooltipContent).subject, true);
    expect(covered()).toBe(118);
    expect(dimmed()).toHaveLength(118 + drawn.rows.end - 1);
  });

  it('selects the name of a function as it is, not as it is written', () => {
    stand();
    for (const plot of [progress, memoryByKey]) {
      const drawn = draw(plot, run);
      show(drawn);
      const at = drawn.drawing.data.hits.findIndex((_, i) => content(drawn, i).title === 'two lines');
      veil.pick(content(drawn, at).subject, false);
      expect(selectionOf(run).current.functions).toEqual(['two\nlines']);
      selectionOf(run).clear();
    }
  });

  it('covers the boxes of other workers in a map', () => {
    stand();
    const drawn = draw(workersMap, run);
    show(drawn);
    selectionOf(run).select({ workers: [run.workerNames[1].address] });
    expect(dimmed()).toHaveLength(2);
    selectionOf(run).select({ functions: ['load'] });
    expect(dimmed()).toEqual([]);
  });

  it('follows rows that come and go', () => {
    stand();
    show(draw(nprocessing, run));
    selectionOf(run).select({ workers: [run.workerNames[0].address] });
    expect(dimmed()).toHaveLength(2);
    step(run, { time: 1002, workers: ['a', 'b', 'c', 'd'].map(name => ({ name })) });
    show(draw(nprocessing, run));
    expect(dimmed()).toHaveLength(3);
  });

  it('clears with Escape, whatever was selected', () => {
    stand();
    show(draw(progress, run));
    selectionOf(run).select({ functions: ['load'], period: { from: 1, to: 2 } });
    veil.onKey(new KeyboardEvent('keydown', { key: 'Escape' }));
    expect(selectionOf(run).current.functions).toBeNull();
    expect(selectionOf(run).current.period).toBeNull();
  });

  it('is saved with the view, and restored once', () => {
    stand();
    show(draw(progress, run));
    selectionOf(run).select({ functions: ['load'] });
    expect(readSelection(saved.selection).functions).toEqual(['load']);
    veil.dispose();
    run = made();
    stand(saved as ViewHost['saved']);
    show(draw(progress, run));
    expect(selectionOf(run).current.functions).toEqual(['load']);
    selectionOf(run).clear();
    show(draw(progress, run));
    expect(selectionOf(run).current.functions).toBeNull();
  });

  it('stays cleared when a tab is shown that had saved it', () => {
    const hidden = { selection: writeSelection({ ...NOTHING_SELECTED, functions: ['load'] }) };
    stand(hidden);
    show(draw(progress, run));
    expect(selectionOf(run).current.functions).toEqual(['load']);
    veil.onKey(new KeyboardEvent('keydown', { key: 'Escape' }));
    stand(hidden);
    show(draw(progress, run));
    expect(selectionOf(run).current.functions).toBeNull();
  });

  it('forgets with the run, and goes on with the next one', () => {
    stand();
    show(draw(progress, run));
    selectionOf(run).select({ functions: ['load'] });
    run.apply({ feed: 'another', epoch: 0, seq: 0, time: 5000, cursor: {}, names: {}, topics: {} }, 0);
    expect(dimmed()).toEqual([]);
    step(run, { prefixes: NAMES.map(name => ({ name, memory: 1 })) });
    show(draw(progress, run));
    expect(veil.pick({ kind: 'function', prefix: 'load' }, false)).toBe(true);
    expect(dimmed()).toHaveLength(2);
  });
});

describe('a click on a mark', () => {
  const content: TooltipContent = { title: 'load', rows: [] };
  const host = { trans: context().trans, open: () => undefined } as unknown as ViewHost;
  let pointing: Pointing;

  beforeEach(() => {
    vi.useFakeTimers();
    pointing = new Pointing(document.createElement('div'), { act: () => undefined, reach: () => undefined });
    tooltip.show(pointing, content, { x: 0, y: 0 });
    vi.runAllTimers();
  });
  afterEach(() => {
    pointing.release();
    vi.useRealTimers();
  });

  const said = (): string => pointing.spoken.textContent ?? '';

  it('pins its tooltip and says what is selected', () => {
    pointing.acted(content, true, false, host);
    expect([tooltip.isPinned(pointing), said()]).toEqual([true, 'Selected: load']);
    pointing.acted(content, false, false, host);
    expect([tooltip.isPinned(pointing), said()]).toEqual([false, 'Not selected: load']);
  });

  it('pins nothing where one of several is selected, or one no longer', () => {
    pointing.acted(content, true, true, host);
    expect(tooltip.isPinned(pointing)).toBe(false);
    pointing.acted(content, false, false, host);
    expect(tooltip.isPinned(pointing)).toBe(false);
  });

  it('only pins where there is nothing to select', () => {
    pointing.acted(content, null, false, host);
    expect([tooltip.isPinned(pointing), said()]).toEqual([true, '']);
  });
});
