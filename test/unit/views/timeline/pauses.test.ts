// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { taskStream } from '../../../../src/plots/tasks/task-stream';
import { Run } from '../../../../src/run/run';
import { windowOf } from '../../../../src/run/time-window';
import { Axis } from '../../../../src/views/timeline/paint/axis';
import { Pauses } from '../../../../src/views/timeline/time/pauses';
import { Viewport } from '../../../../src/views/timeline/time/viewport';
import { runningBody } from '../../run/synthetic';
import { apply, EPOCH, EVEN, feedOf, frame, holdFrames, locate, press, releaseFrames, viewOf } from './stand';

function runOf(): Run {
  const run = new Run();
  apply(run, EPOCH, EPOCH + 201);
  apply(run, EPOCH + 200, EPOCH + 201);
  return run;
}

describe('Pauses in a timeline', () => {
  beforeEach(holdFrames);
  afterEach(releaseFrames);

  it('are folded to a label with their length, and busy shares leave them out', async () => {
    const run = runOf();
    const view = await viewOf(run, feedOf());
    frame();
    frame();
    const texts = [...view.node.querySelectorAll('.dp-Timeline-axis b')].map(({ textContent }) => textContent);
    expect(texts).toEqual(['⋯ 3 m 19 s']);
    const [before, after] = [locate(view.node, 0, EPOCH + 0.9), locate(view.node, 0, EPOCH + 200.1)];
    expect((after?.x ?? 0) - (before?.x ?? 0)).toBeGreaterThan(64);
    expect((after?.x ?? 0) - (before?.x ?? 0)).toBeLessThan(200);
    expect(view.node.querySelector('.dp-Timeline-facts')?.textContent).toMatch(/1 thr · [5-9]\d %/);
    expect(taskStream.notes(run, EVEN.context)).toEqual([]);
    expect(taskStream.notes(run, { ...EVEN.context, options: {} })).toEqual([
      '1 idle period (3 m 19 s) folded; busy shares leave it out'
    ]);
    // The cursor finds what is behind a pause.
    press(view, 'ArrowRight');
    press(view, 'ArrowRight');
    expect(view.node.querySelector('.dp-Spoken')?.textContent).toContain('3:20');
    view.dispose();
  });

  it('have their length where all time is even', async () => {
    const run = runOf();
    const view = await viewOf(run, feedOf(), {}, EVEN);
    press(view, 'Digit0');
    frame();
    frame();
    expect(view.node.querySelectorAll('.dp-Timeline-axis b').length).toBe(0);
    expect(view.node.querySelector('.dp-Timeline-facts')?.textContent).toMatch(/1 thr · \d %/);
    const shown = windowOf(run).span;
    expect(shown?.to).toBeGreaterThan(EPOCH + 200);
    view.dispose();
  });

  it('are the same object while nothing about them changes, and a running task ends the last one', () => {
    const run = runOf();
    const pauses = new Pauses();
    const first = pauses.of(run, true, 1000, 1);
    expect(first.pauses).toEqual([{ from: EPOCH + 1, to: EPOCH + 200 }]);
    apply(run, EPOCH + 201, EPOCH + 203);
    expect(pauses.of(run, true, 1000, 1)).toBe(first);
    expect(pauses.of(run, true, 900, 1)).not.toBe(first);
    const running = runningBody([{ id: 1, start: EPOCH + 300 }]);
    run.apply({ feed: 'f', epoch: 0, seq: 0, time: EPOCH + 301, cursor: {}, names: {}, topics: { running } }, 0);
    expect(run.running.earliest).toBe(EPOCH + 300);
    expect(pauses.of(run, true, 1000, 1).pauses).toEqual([
      { from: EPOCH + 1, to: EPOCH + 200 },
      { from: EPOCH + 202, to: EPOCH + 300 }
    ]);
    expect(pauses.of(run, false, 1000, 1).pauses).toEqual([]);
  });

  it('are those of the moment of a recording', () => {
    const run = runOf();
    const all = run.tasks;
    const pauses = new Pauses();
    const listed = (): readonly object[] => pauses.of(run, true, 1000, 1).pauses;
    // The pane is opened, or gets another width, while the clock is within the pause or before it.
    run.tasks = all.until(EPOCH + 100);
    expect(listed()).toEqual([]);
    run.tasks = all;
    expect(listed()).toEqual([{ from: EPOCH + 1, to: EPOCH + 200 }]);
    const whole = pauses.of(run, true, 1000, 1);
    run.tasks = all.until(EPOCH + 201);
    expect(pauses.of(run, true, 1000, 1)).toBe(whole);
    run.tasks = all.until(EPOCH + 100);
    expect(listed()).toEqual([]);
  });

  it('have no ticks, and the ticks beside them are true times at one step', () => {
    const viewport = new Viewport();
    viewport.anchor = EPOCH;
    viewport.width = 1000;
    viewport.folding = new Pauses().of(runOf(), true, 1000, 1);
    viewport.fit(EPOCH - 0.5, EPOCH + 203, 0);
    const axis = new Axis('now');
    axis.update(viewport, EPOCH, 1, 1, Number.NaN);
    const labels = [...axis.node.querySelectorAll('span')].map(({ textContent }) => textContent);
    const seconds = labels.map(text => (text ?? '').split(':').reduce((sum, part) => 60 * sum + Number(part), 0));
    expect(seconds.filter(time => time > 1 && time < 200)).toEqual([]);
    expect(seconds.some(time => time <= 1) && seconds.some(time => time >= 200)).toBe(true);
    for (const [i, mark] of [...axis.grid.querySelectorAll<HTMLElement>('.dp-Timeline-ticks > div')].entries()) {
      const x = Number(/translateX\(([-\d.]+)px\)/.exec(mark.style.transform)?.[1]);
      expect(Math.abs(x - viewport.columnOf(EPOCH + seconds[i]))).toBeLessThanOrEqual(1);
    }
  });
});
