// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Scalar } from '../../../../src/feed/frame';
import { taskStream } from '../../../../src/plots/tasks/task-stream';
import type { PlotContext } from '../../../../src/plot/plot';
import { Run } from '../../../../src/run/run';
import { readSelection } from '../../../../src/run/selection/saved-selection';
import { isEmpty, NOTHING_SELECTED, selectionOf } from '../../../../src/run/selection/selection';
import { windowOf } from '../../../../src/run/time-window';
import { Blocks } from '../../../../src/views/timeline/blocks';
import { createTimeline } from '../../../../src/views/timeline';
import * as marks from '../../../../src/views/timeline/searching/marks';
import { TimelineView } from '../../../../src/views/timeline/view';
import { compute } from '../../plots/made-computations';
import { tasksBody } from '../../run/synthetic';
import { translate as trans } from '../../translate';
import { blankCanvases } from '../blank-canvas';
import { theme } from '../light-theme';

const EPOCH = 1_700_000_000;
let now = 0;
let frames: FrameRequestCallback[] = [];

function frame(): void {
  now += 2000;
  const due = frames;
  frames = [];
  for (const callback of due) {
    callback(now);
  }
}

function runOf(names: readonly string[], epoch = 0): Run {
  const run = new Run();
  apply(run, names, epoch);
  return run;
}

/** Two workers of a thread; each runs a task of 4 s from the start, and the first another one. */
function apply(run: Run, names: readonly string[], epoch: number): void {
  const worker = { name: '', host: 'h', nthreads: 1, memory_limit: 0 };
  const rows = [
    { lane: 0, prefix: 0, start: EPOCH, duration: 4 },
    { lane: 1, prefix: 1, start: EPOCH, duration: 4 },
    { lane: 0, prefix: 1, start: EPOCH + 6, duration: 4 }
  ];
  run.apply(
    {
      feed: 'f',
      epoch,
      seq: 0,
      time: EPOCH + 10,
      cursor: {},
      names: {
        prefixes: { from: 0, values: names },
        workers: {
          from: 0,
          values: [
            { ...worker, address: 'tcp://a' },
            { ...worker, address: 'tcp://b' }
          ]
        },
        lanes: {
          from: 0,
          values: [
            [0, 7],
            [1, 8]
          ]
        }
      },
      topics: { tasks: tasksBody(rows) }
    },
    now
  );
}

describe('what is selected in a timeline', () => {
  let saved: Record<string, Scalar>;
  let saves: number;
  let opened: string[];
  const views: TimelineView[] = [];

  beforeEach(() => {
    frames = [];
    saved = {};
    saves = 0;
    opened = [];
    vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => frames.push(callback));
    vi.stubGlobal('cancelAnimationFrame', () => {
      frames = [];
    });
    blankCanvases();
  });

  afterEach(() => {
    for (const view of views.splice(0)) {
      view.dispose();
    }
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    document.body.replaceChildren();
  });

  async function viewOf(
    run: Run,
    restored: Record<string, string> = {},
    given: Partial<PlotContext> = {}
  ): Promise<TimelineView> {
    const view = await createTimeline(taskStream, {
      run,
      feed: null,
      trans,
      get context() {
        return { theme, trans, options: {}, hidden: new Set<string>(), selection: selectionOf(run).current, ...given };
      },
      saved: restored,
      save: state => {
        Object.assign(saved, state);
        saves += 1;
      },
      open: plot => opened.push(plot)
    });
    if (!(view instanceof TimelineView)) {
      throw new Error('not a timeline');
    }
    views.push(view);
    document.body.append(view.node);
    view.setVisible(true);
    view.resize(600, 400);
    frame();
    frame();
    return view;
  }

  const panelOf = (view: TimelineView): HTMLElement => view.node.querySelector('.dp-Selection') as HTMLElement;
  /** Frames until the statistics are there: a slow machine needs several. */
  function settle(view: TimelineView): void {
    do {
      frame();
    } while (panelOf(view).dataset.state === 'computing' && !panelOf(view).hidden);
    frame();
  }

  const tasksIn = (view: TimelineView): string => panelOf(view).querySelector('.dp-Selection-head span')?.textContent ?? '';

  function drag(view: TimelineView, from: readonly [number, number], to: readonly [number, number], type = 'pointerup'): void {
    const plot = view.node.querySelector<HTMLElement>('.dp-Timeline-plot') as HTMLElement;
    Object.assign(plot, { hasPointerCapture: () => false, setPointerCapture: () => undefined });
    for (const [kind, [x, y]] of [
      ['pointerdown', from],
      ['pointermove', [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]],
      ['pointermove', to],
      [type, to]
    ] as const) {
      const event = new MouseEvent(kind, { clientX: x, clientY: y, button: 0, bubbles: true });
      plot.dispatchEvent(Object.defineProperty(event, 'pointerId', { value: 1 }));
    }
    settle(view);
  }

  it('is the time and the lanes of a drag, with their statistics; Escape selects nothing', async () => {
    const run = runOf(['load', 'sum']);
    const view = await viewOf(run);
    expect(panelOf(view).hidden).toBe(true);
    drag(view, [0, 2], [590, 10]);
    const { period, threads } = selectionOf(run).current;
    expect(threads).toEqual([{ worker: 'tcp://a', thread: 7 }]);
    expect(period?.from).toBeLessThan(EPOCH + 0.1);
    expect(period?.to).toBeGreaterThan(EPOCH + 9);
    expect(panelOf(view).hidden).toBe(false);
    expect(tasksIn(view)).toBe('2 tasks');
    expect(panelOf(view).querySelector('strong')?.textContent).toMatch(/^[\d.]+ s × 1 thread$/);
    expect(view.node.querySelector('.dp-Timeline-shade')?.getAttribute('d')).toMatch(/^M-\d+\.00 0.00.*ZM.*Z$/);
    expect(readSelection(saved.selection)).toEqual(selectionOf(run).current);

    const plot = view.node.querySelector('.dp-Timeline-plot');
    plot?.dispatchEvent(new KeyboardEvent('keydown', { code: 'Escape', bubbles: true }));
    frame();
    expect(isEmpty(selectionOf(run).current)).toBe(true);
    expect(panelOf(view).hidden).toBe(true);
    expect(saved.selection).toBe('');
  });

  it('has the statistics of what the pane shows: what was cleared in it is in those of other panes only', async () => {
    const run = runOf(['load', 'sum']);
    const cleared = { run: run.identity, before: EPOCH + 5, row: 2, tasks: 2, erred: 0, moves: 0, sums: {} };
    const views = [await viewOf(run, {}, { cleared }), await viewOf(run)];
    const said = (): readonly string[] => {
      views.forEach(settle);
      return views.map(tasksIn);
    };
    selectionOf(run).select({ functions: ['sum'] });
    expect(said()).toEqual(['1 task', '2 tasks']);
    selectionOf(run).change({ period: { from: EPOCH, to: EPOCH + 10 } });
    expect(said()).toEqual(['1 task', '2 tasks']);
    selectionOf(run).change({ period: { from: EPOCH, to: EPOCH + 3 } });
    expect(said()[1]).toBe('1 task');
  });

  it('begins where a pane begins that was cleared while tasks ran, and has nothing before', async () => {
    const run = runOf(['load', 'sum']);
    const pane = { cleared: { run: run.identity, before: EPOCH + 3, row: 0, tasks: 0, erred: 0, moves: 0, sums: {} } };
    const view = await viewOf(run, {}, pane);
    const words = (): readonly string[] => {
      settle(view);
      const lines = [...panelOf(view).querySelectorAll('.dp-Selection-head strong, .dp-Selection-head span, .dp-Selection-note')];
      return lines.slice(0, 3).map(({ textContent }) => textContent ?? '');
    };
    selectionOf(run).select({ workers: ['tcp://a'] });
    expect(words()).toEqual(['7.00 s × 1 thread', '2 tasks', '71 % computing, 29 % idle']);
    selectionOf(run).select({ period: { from: EPOCH, to: EPOCH + 2 } });
    expect(words().slice(0, 2)).toEqual(['No tasks', '0 tasks']);
  });

  it('is computed again when the history of its pane is cleared', async () => {
    const run = runOf(['load', 'sum']);
    const pane: { cleared: PlotContext['cleared'] } = { cleared: null };
    const view = await viewOf(run, {}, pane);
    selectionOf(run).select({ functions: ['sum'] });
    settle(view);
    expect(tasksIn(view)).toBe('2 tasks');
    pane.cleared = { run: run.identity, before: EPOCH + 5, row: 2, tasks: 2, erred: 0, moves: 0, sums: {} };
    view.update();
    frame();
    settle(view);
    expect(tasksIn(view)).toBe('1 task');
  });

  it.each(['pointerup', 'pointercancel'])('is saved once at the end of a drag, by every view of the run: %s', async type => {
    const run = runOf(['load', 'sum']);
    const view = await viewOf(run);
    await viewOf(run);
    const { changed } = selectionOf(run);
    let changes = 0;
    changed.connect(() => {
      changes += 1;
    });
    saves = 0;
    drag(view, [0, 2], [590, 10], type);
    expect(changes).toBe(2);
    expect(saves).toBe(2);
    expect(readSelection(saved.selection)).toEqual(selectionOf(run).current);
  });

  it('is brought into the picture if another view asks for it, also in a timeline that is opened for it', async () => {
    const run = runOf(['load', 'sum']);
    const view = await viewOf(run);
    const plot = view.node.querySelector('.dp-Timeline-plot') as HTMLElement;
    const span = (): { from: number; to: number } => windowOf(run).span ?? { from: Number.NaN, to: Number.NaN };
    const early = { from: EPOCH + 1, to: EPOCH + 1.2 };
    const before = span();
    selectionOf(run).show({ period: early });
    settle(view);
    expect(span()).toEqual(before);
    plot.dispatchEvent(new KeyboardEvent('keydown', { code: 'KeyW', bubbles: true }));
    plot.dispatchEvent(new KeyboardEvent('keydown', { code: 'KeyW', bubbles: true }));
    settle(view);
    expect(span().from).toBeGreaterThan(early.to);
    selectionOf(run).show({ period: early });
    settle(view);
    expect(span().from).toBeLessThanOrEqual(early.from);
    expect(span().to).toBeGreaterThanOrEqual(early.to);

    view.setVisible(false);
    const other = await viewOf(run);
    settle(other);
    expect(span().from).toBeLessThanOrEqual(early.from);
    const itsPlot = other.node.querySelector('.dp-Timeline-plot') as HTMLElement;
    itsPlot.dispatchEvent(new KeyboardEvent('keydown', { code: 'KeyA', bubbles: true }));
    for (let press = 0; press < 10; press++) {
      itsPlot.dispatchEvent(new KeyboardEvent('keydown', { code: 'KeyW', bubbles: true }));
    }
    settle(other);
    const wide = { from: EPOCH, to: EPOCH + 10 };
    selectionOf(run).show({ period: wide });
    settle(other);
    expect(span().from).toBeLessThan(wide.from);
    expect(span().to).toBeGreaterThan(wide.to);
  });

  it('grows and shrinks from task to task on the keyboard, from where that began, and is announced', async () => {
    const run = runOf(['load', 'sum']);
    const view = await viewOf(run);
    const plot = view.node.querySelector('.dp-Timeline-plot') as HTMLElement;
    const press = (code: string, shiftKey: boolean): void => {
      plot.dispatchEvent(new KeyboardEvent('keydown', { code, shiftKey, bubbles: true, cancelable: true }));
      settle(view);
    };
    const selected = (): readonly [from: number, to: number, threads: string] => {
      const { period, threads } = selectionOf(run).current;
      const round = (time = Number.NaN): number => Math.round((time - EPOCH) * 100) / 100;
      return [round(period?.from), round(period?.to), threads?.map(({ worker }) => worker).join() ?? 'all'];
    };
    press('ArrowRight', false);
    press('ArrowLeft', false);
    expect(isEmpty(selectionOf(run).current)).toBe(true);
    press('ArrowRight', true);
    expect(selected()).toEqual([0, 10, 'tcp://a']);
    const spoken = view.node.querySelector('.dp-Spoken')?.textContent ?? '';
    expect(spoken).toContain('sum');
    expect(spoken).toContain('Selected: 1 thread, 0:00.0 – 0:10.0');
    expect(readSelection(saved.selection)).toEqual(selectionOf(run).current);
    // Another row belongs to the selection: all rows are one selection of the time alone.
    press('ArrowDown', true);
    expect(selected()).toEqual([0, 4, 'all']);
    press('ArrowUp', true);
    expect(selected()).toEqual([0, 4, 'tcp://a']);
    press('ArrowRight', true);
    expect(selected()).toEqual([0, 10, 'tcp://a']);
    // Nothing is further right.
    press('ArrowRight', true);
    expect(selected()).toEqual([0, 10, 'tcp://a']);
    // Without Shift the cursor goes on alone, and the next selection begins there.
    press('ArrowDown', false);
    expect(selected()).toEqual([0, 10, 'tcp://a']);
    press('ArrowUp', true);
    expect(selected()).toEqual([0, 4, 'all']);
    press('Escape', false);
    press('Escape', false);
    expect(isEmpty(selectionOf(run).current)).toBe(true);
  });

  it('has the threads that executed nothing, by their rows', async () => {
    const run = runOf(['load', 'sum']);
    run.workerNames[1] = { ...run.workerNames[1], nthreads: 2 };
    const view = await viewOf(run);
    drag(view, [5, 170], [590, 300]);
    expect(selectionOf(run).current.threads).toEqual([
      { worker: 'tcp://b', thread: 8 },
      { worker: 'tcp://b', thread: null }
    ]);
    expect(panelOf(view).querySelector('strong')?.textContent).toContain('× 2 threads');
    expect(view.node.querySelector('.dp-Timeline-shade')?.getAttribute('d')).toMatch(/^M-\d+\.00 0.00.*ZM.*Z$/);
  });

  it('is where the picture is after a change of its width, though a still picture may be drawn only once', async () => {
    const run = runOf(['load', 'sum']);
    const view = await viewOf(run);
    const edge = (): string => view.node.querySelector('.dp-Timeline-edge')?.getAttribute('d') ?? '';
    const drawn = (): string => {
      for (let i = 0; i < 20 && frames.length > 0; i++) {
        frame();
      }
      return edge();
    };
    selectionOf(run).select({ period: { from: EPOCH + 2, to: EPOCH + 5 } });
    const before = drawn();
    view.resize(1400, 400);
    frame();
    const after = edge();
    expect(after).not.toBe(before);
    view.update();
    expect(drawn()).toBe(after);
  });

  it('has one line of statistics in a low view, and all of them by a click', async () => {
    const run = runOf(['load', 'sum']);
    const view = await viewOf(run);
    view.resize(600, 800);
    drag(view, [5, 0], [590, 399]);
    const fold = (): HTMLElement => panelOf(view).querySelector('[data-action="fold"]') as HTMLElement;
    const state = (): unknown[] => [
      panelOf(view).dataset.folded,
      fold().hidden,
      fold().getAttribute('aria-expanded'),
      Number.parseFloat(panelOf(view).style.height) < 40
    ];
    expect(state()).toEqual(['false', true, 'true', false]);
    view.resize(600, 250);
    expect(state()).toEqual(['true', false, 'false', true]);
    fold().click();
    expect(state()).toEqual(['false', false, 'true', false]);
    // Some lines of the tables, and some of the picture.
    expect(Number.parseFloat(panelOf(view).style.height)).toBeGreaterThan(90);
    fold().click();
    expect(state()).toEqual(['true', false, 'false', true]);
    // At the side there is room.
    view.resize(1400, 250);
    expect(state()).toEqual(['false', true, 'true', false]);
  });

  it('says in that line, too, of what the figures are', async () => {
    const run = runOf(['load', 'sum']);
    compute(run, [{ id: 0, since: EPOCH - 1, stop: EPOCH + 10, cell: 1, of: { 0: { tasks: 1, done: 1, compute: 4 } } }]);
    const view = await viewOf(run);
    selectionOf(run).select({ computation: { run: run.identity, id: 0 } });
    settle(view);
    const brief = panelOf(view).querySelector<HTMLElement>('.dp-Selection-brief');
    const notes = [...panelOf(view).querySelectorAll('p.dp-Selection-note bdi')].map(({ textContent }) => textContent);
    expect(notes.length).toBeGreaterThan(0);
    expect([brief?.textContent, brief?.title]).toEqual([notes.join(' '), notes.join('\n')]);
  });

  it('is of all lanes where the drag touches all or none of them', async () => {
    const run = runOf(['load', 'sum']);
    const view = await viewOf(run);
    drag(view, [5, 399], [590, 399]);
    expect(selectionOf(run).current).toMatchObject({ threads: null, workers: null });
    expect(tasksIn(view)).toBe('3 tasks');
    drag(view, [5, 0], [590, 399]);
    expect(selectionOf(run).current.threads).toBeNull();
  });

  it('stays as it was with a click', async () => {
    const run = runOf(['load', 'sum']);
    const view = await viewOf(run);
    drag(view, [300, 200], [302, 200]);
    expect(isEmpty(selectionOf(run).current)).toBe(true);
  });

  it('leads to its profile, but for local schedulers, which have none', async () => {
    const run = runOf(['load', 'sum']);
    const view = await viewOf(run);
    const button = (): HTMLButtonElement | undefined =>
      [...panelOf(view).querySelectorAll<HTMLButtonElement>('.dp-Selection-button')].find(each => each.textContent === 'Profile');
    drag(view, [5, 0], [590, 399]);
    button()?.click();
    expect(opened).toEqual(['profile']);
    Object.assign(run.meta, { local: { total: 1 } });
    selectionOf(run).change({ functions: ['load'] });
    settle(view);
    expect(button()).toBeUndefined();
  });

  it('is compared with what is selected next, until the comparison ends or the run is another one', async () => {
    const run = runOf(['load', '<b>sum</b>']);
    const view = await viewOf(run);
    const button = (): HTMLButtonElement => panelOf(view).querySelector('[data-action="compare"]') as HTMLButtonElement;
    const captions = (): (string | null)[] => [...panelOf(view).querySelectorAll('caption')].map(each => each.textContent);
    const figures = (): Record<string, string> =>
      Object.fromEntries(
        [...(panelOf(view).querySelector('table')?.querySelectorAll('tbody tr') ?? [])].map(row => [
          row.querySelector('th')?.textContent ?? '',
          [...row.querySelectorAll('td')].map(cell => cell.textContent).join(' | ')
        ])
      );
    const select = (from: number, to: number): void => {
      selectionOf(run).select({ period: { from: EPOCH + from, to: EPOCH + to } });
      settle(view);
    };
    select(0, 4);
    expect(button().textContent).toBe('Compare');
    button().click();
    expect(document.activeElement).toBe(button());
    expect(panelOf(view).textContent).toContain('Kept as A: 0:00.0 – 0:04.0. Select something else to compare it with A.');
    expect(captions()).toEqual(['Functions', 'Slowest tasks']);
    select(5, 10);
    expect(captions()[0]).toBe('B, what is selected, compared with A: 0:00.0 – 0:04.0');
    expect(figures()).toMatchObject({
      Length: '4.00 s | 5.00 s | +1.00 s (+25 %)',
      Threads: '2 | 2 | ±0 (±0 %)',
      Tasks: '2 | 1 | −1 (−50 %)',
      Computing: '100 % | 40 % | −60 points',
      Idle: '0 % | 60 % | +60 points',
      'Tasks of load': '1 | 0 | −1 (−100 %)',
      'Median of load': '4.00 s | – | –',
      'Total time of <b>sum</b>': '4.00 s | 4.00 s | ±0 s (±0 %)'
    });
    const texts: string[] = [];
    vi.stubGlobal('navigator', { clipboard: { writeText: async (text: string) => texts.push(text) } });
    [...panelOf(view).querySelectorAll<HTMLButtonElement>('button')].find(each => each.textContent === 'Copy text')?.click();
    await vi.waitFor(() => expect(texts[0]).toContain('\nB, what is selected, compared with A: 0:00.0 – 0:04.0\nFigure\tA\tB'));
    // What is kept stays while nothing is selected.
    selectionOf(run).clear();
    settle(view);
    select(0, 10);
    expect(figures()).toMatchObject({ Tasks: '2 | 3 | +1 (+50 %)' });
    expect(button().textContent).toBe('End comparison');
    button().click();
    expect(captions()).toEqual(['Functions', 'Slowest tasks']);
    button().click();
    apply(run, ['load', 'sum'], 1);
    frame();
    select(0, 10);
    expect(captions()).toEqual(['Functions', 'Slowest tasks']);
    expect(button().textContent).toBe('Compare');
  });

  it('is one function after a click on its name, and all functions after another', async () => {
    const run = runOf(['<i>load</i>', 'sum']);
    const view = await viewOf(run);
    drag(view, [5, 0], [590, 399]);
    const pick = (): HTMLButtonElement => panelOf(view).querySelector('.dp-Selection-pick') as HTMLButtonElement;
    expect(panelOf(view).querySelector('i')).toBeNull();
    const name = pick().textContent;
    pick().click();
    settle(view);
    expect(selectionOf(run).current.functions).toEqual([name]);
    expect(panelOf(view).textContent).toContain('computing other tasks');
    pick().click();
    expect(selectionOf(run).current.functions).toBeNull();
  });

  it('is shared by the views of a run, and is gone when the run starts over', async () => {
    const run = runOf(['load', 'sum']);
    const [one, other] = [await viewOf(run), await viewOf(run)];
    selectionOf(run).select({ functions: ['load'] });
    settle(one);
    settle(other);
    expect([tasksIn(one), tasksIn(other)]).toEqual(['1 task', '1 task']);
    one.dispose();
    selectionOf(run).select({ functions: ['sum'] });
    settle(other);
    expect(tasksIn(other)).toBe('2 tasks');
    apply(run, ['other'], 1);
    frame();
    expect(isEmpty(selectionOf(run).current)).toBe(true);
    expect(panelOf(other).hidden).toBe(true);
  });

  it('dims other functions in a view that is opened later, too', async () => {
    const run = runOf(['load', 'sum']);
    selectionOf(run).select({ functions: ['load'] });
    const highlight = vi.spyOn(Blocks.prototype, 'highlight');
    await viewOf(run);
    expect(highlight.mock.lastCall).toEqual([['load']]);
  });

  it('dims single tasks that are not selected, where no lane, time or colour shows it', async () => {
    // What is done in a frame does not depend on how busy the machine is.
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const run = runOf(['load', 'sum']);
    const view = await viewOf(run);
    const hidden = (): boolean => {
      settle(view);
      // What is to be marked is looked for in a frame, and drawn in the next one.
      frame();
      frame();
      return view.node.querySelector<HTMLElement>('.dp-Selection-marks')?.hidden === true;
    };
    const found = vi.spyOn(marks, 'marksOf');
    expect(hidden()).toBe(true);
    selectionOf(run).select({ rows: { run: run.identity, numbers: [2] } });
    expect(hidden()).toBe(false);
    expect(found).toHaveBeenCalledOnce();
    expect(hidden()).toBe(false);
    expect(found).toHaveBeenCalledOnce();
    selectionOf(run).select({ functions: ['load'], erred: true });
    expect(hidden()).toBe(false);
    selectionOf(run).select({ functions: ['load'], workers: ['tcp://a'], period: { from: EPOCH, to: EPOCH + 1 } });
    expect(hidden()).toBe(true);
    selectionOf(run).select({ durations: { least: 5, most: 9 } });
    expect(hidden()).toBe(false);
    // Which executions are of the computation is known only then.
    const computation = { run: run.identity, id: 0 };
    selectionOf(run).select({ functions: ['load'], computation });
    expect(hidden()).toBe(true);
    compute(run, [{ id: 0, since: EPOCH, stop: EPOCH + 4, of: { 0: { tasks: 1, done: 1 } } }], EPOCH + 11, 'f');
    const topics = { computations: { columns: {}, scalars: { texts: [], rows: [[0, 0, 1]] } } };
    run.apply({ feed: 'f', epoch: 0, seq: 2, time: EPOCH + 11, cursor: {}, names: {}, topics }, (EPOCH + 11) * 1000);
    view.update();
    expect(hidden()).toBe(false);
    selectionOf(run).clear();
    expect(hidden()).toBe(true);
  });

  it('comes back with a saved pane if it is a part of the run', async () => {
    const [mine, gone] = [runOf(['load', 'sum']), runOf(['load', 'sum'])];
    const at = (from: number): string => JSON.stringify({ period: { from, to: from + 1 } });
    await viewOf(mine, { selection: at(EPOCH + 1) });
    expect(selectionOf(mine).current).toEqual({ ...NOTHING_SELECTED, period: { from: EPOCH + 1, to: EPOCH + 2 } });
    await viewOf(gone, { selection: at(EPOCH - 100_000) });
    expect(isEmpty(selectionOf(gone).current)).toBe(true);
  });

  it('does not come back when the run starts over, nor where it has executions of another run', async () => {
    const run = runOf(['load', 'sum']);
    const view = await viewOf(run, { selection: JSON.stringify({ functions: ['sum'] }) });
    expect(selectionOf(run).current.functions).toEqual(['sum']);
    apply(run, ['load', 'sum'], 1);
    view.update();
    frame();
    frame();
    expect(isEmpty(selectionOf(run).current)).toBe(true);
    const other = runOf(['load', 'sum']);
    await viewOf(other, { selection: JSON.stringify({ rows: { run: 'another 0', numbers: [1] } }) });
    expect(isEmpty(selectionOf(other).current)).toBe(true);
    const same = runOf(['load', 'sum']);
    await viewOf(same, { selection: JSON.stringify({ rows: { run: same.identity, numbers: [1] } }) });
    expect(selectionOf(same).current.rows?.numbers).toEqual([1]);
  });

  it('is shown whole after a double click, and what was shown before after another elsewhere', async () => {
    const run = runOf(['load', 'sum']);
    const view = await viewOf(run);
    drag(view, [100, 0], [200, 399]);
    const plot = view.node.querySelector('.dp-Timeline-plot') as HTMLElement;
    const double = (x: number): void => {
      plot.dispatchEvent(new MouseEvent('dblclick', { clientX: x, bubbles: true }));
      frame();
    };
    const before = view.shownAt;
    double(150);
    const { period } = selectionOf(run).current;
    expect(view.shownAt).toBeLessThanOrEqual((period?.to ?? 0) + 1);
    double(599);
    expect(view.shownAt).toBeCloseTo(before, 1);
  });

  it('has its statistics computed again when tasks come that may belong to it, not for all others', async () => {
    const run = runOf(['inc', 'dec']);
    const view = await viewOf(run);
    let row = 3;
    const copies = vi.spyOn(Run.prototype, 'copy');
    const after = (start: number, time: number): number => {
      const topics = { tasks: tasksBody([{ lane: 0, start: EPOCH + start, duration: 1 }], row++) };
      run.apply({ feed: 'f', epoch: 0, seq: row, time: EPOCH + time, cursor: {}, names: {}, topics }, now);
      for (let i = 0; i < 4; i++) {
        view.update();
        frame();
      }
      const count = copies.mock.calls.length;
      copies.mockClear();
      return count;
    };
    after(10, 11);
    selectionOf(run).select({ period: { from: EPOCH, to: EPOCH + 5 } });
    // For the selection itself, and none for what began later.
    expect([after(11, 12), after(13, 14), after(20, 21)]).toEqual([1, 0, 0]);
    expect(after(4, 22)).toBe(1);
    expect(after(23, 24)).toBe(0);
    // A period that has just passed, or goes on: tasks of it may still be unknown.
    selectionOf(run).select({ period: { from: EPOCH, to: EPOCH + 24 } });
    expect([after(25, 26), after(26, 27), after(40, 41), after(42, 43)]).toEqual([1, 1, 1, 0]);
  });

  it.each([0, 30])(
    'computes nothing in a hidden pane until it is shown, where each look at the clock takes %s ms',
    async slow => {
      let clock = performance.now();
      vi.spyOn(performance, 'now').mockImplementation(() => (clock += slow));
      const run = runOf(['load', 'sum']);
      const view = await viewOf(run);
      const copied = vi.spyOn(run, 'copy');
      view.setVisible(false);
      // Also what takes several frames is given up.
      expect(frames).toEqual([]);
      for (const name of ['load', 'sum']) {
        selectionOf(run).select({ functions: [name] });
      }
      expect([frames.length, copied.mock.calls.length]).toEqual([0, 0]);
      view.setVisible(true);
      settle(view);
      expect(copied).toHaveBeenCalledOnce();
      expect(tasksIn(view)).toBe('2 tasks');
    }
  );

  it('says why its statistics cannot be computed', async () => {
    const run = runOf(['load', 'sum']);
    const view = await viewOf(run);
    vi.spyOn(run, 'copy').mockImplementation(() => {
      throw new Error('broken');
    });
    selectionOf(run).select({ functions: ['load'] });
    settle(view);
    expect(panelOf(view).textContent).toBe('The statistics could not be computed: broken');
    vi.mocked(run.copy).mockRestore();
    selectionOf(run).select({ functions: ['sum'] });
    settle(view);
    expect(tasksIn(view)).toBe('2 tasks');
  });

  it('says so where the browser does not allow copying', async () => {
    Object.assign(document, { execCommand: () => false });
    const run = runOf(['load', 'sum']);
    const view = await viewOf(run);
    selectionOf(run).select({ functions: ['load'] });
    settle(view);
    const copy = [...panelOf(view).querySelectorAll('button')].find(({ textContent }) => textContent === 'Copy CSV');
    copy?.click();
    await vi.waitFor(() => expect(panelOf(view).querySelector('[role=status]')?.textContent).toContain('did not allow'));
  });
});
