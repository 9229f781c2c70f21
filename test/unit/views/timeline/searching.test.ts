// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Signal } from '@lumino/signaling';
import type { Feed } from '../../../../src/feed/feed';
import type { Scalar } from '../../../../src/feed/frame';
import { taskStream } from '../../../../src/plots/tasks/task-stream';
import { Run } from '../../../../src/run/run';
import { NOTHING_SELECTED, selectionOf } from '../../../../src/run/selection/selection';
import { windowOf } from '../../../../src/run/time-window';
import * as scan from '../../../../src/selectors/search/scan';
import { createTimeline } from '../../../../src/views/timeline';
import * as marking from '../../../../src/views/timeline/searching/marks';
import type { Searching } from '../../../../src/views/timeline/searching/searching';
import { TimelineView } from '../../../../src/views/timeline/view';
import { type Row, runningBody, tasksBody } from '../../run/synthetic';
import { translate as trans } from '../../translate';
import { blankCanvases } from '../blank-canvas';
import { theme } from '../light-theme';

const EPOCH = 1_700_000_000;
const ROWS: readonly Row[] = [
  { lane: 0, prefix: 0, start: EPOCH, duration: 4 },
  { lane: 1, prefix: 1, start: EPOCH + 1, duration: 3, status: 1 },
  { lane: 0, prefix: 1, start: EPOCH + 6, duration: 1 },
  { lane: 1, prefix: 0, start: EPOCH + 8, duration: 0.5 }
];

/** Of both functions. */
const column = (first: number, second: number): Float64Array => Float64Array.from([first, second]);
const COUNTS = {
  columns: { id: column(0, 1), waiting: column(3, 9), cancelled: column(2, 5), memory: column(4, 0) },
  scalars: {}
};
const ATTEMPTS = { columns: { id: column(0, 1), retried: column(1, 5) }, scalars: {} };

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

/** Two workers of a thread each, and two running tasks. */
function runOf(rows: readonly Row[] = ROWS): Run {
  const run = new Run();
  const worker = { host: 'h', nthreads: 1, memory_limit: 0 };
  const running = runningBody([
    { id: 3, worker: 0, prefix: 1, start: EPOCH + 7 },
    { id: 4, worker: 1, prefix: 0, start: EPOCH + 9 }
  ]);
  const names = {
    prefixes: { from: 0, values: ['load', '<b>sum</b>'] },
    workers: { from: 0, values: ['a', 'b'].map(name => ({ ...worker, name, address: `tcp://${name}:1` })) },
    lanes: { from: 0, values: [[0, 7] as const, [1, 8] as const] }
  };
  const topics = { tasks: tasksBody(rows), running, prefixes: COUNTS, attempts: ATTEMPTS };
  const time = Math.max(EPOCH + 10, ...rows.map(({ start, duration }) => start + duration));
  run.apply({ feed: 'f', epoch: 0, seq: 0, time, cursor: {}, names, topics }, now);
  return run;
}

describe('the search of a timeline', () => {
  const views: TimelineView[] = [];

  beforeEach(() => {
    frames = [];
    vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => frames.push(callback));
    vi.stubGlobal('cancelAnimationFrame', () => {
      frames = [];
    });
    // What is done in a frame does not depend on how busy the machine is.
    vi.spyOn(performance, 'now').mockImplementation(() => now);
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

  async function viewOf(run: Run, feed: Feed | null = null, options: Record<string, string> = {}): Promise<TimelineView> {
    const view = await createTimeline(taskStream, {
      ...{ run, feed, trans, saved: {}, save: () => undefined, open: () => undefined },
      context: { theme, trans, options, hidden: new Set(), selection: NOTHING_SELECTED }
    });
    if (!(view instanceof TimelineView)) {
      throw new Error('not a timeline');
    }
    views.push(view);
    document.body.append(view.node);
    view.setVisible(true);
    view.resize(900, 400);
    frame();
    frame();
    return view;
  }

  const part = <T extends HTMLElement>(view: TimelineView, selector: string): T => view.node.querySelector(selector) as T;
  const status = (view: TimelineView): string => part(view, '.dp-Search-status').textContent ?? '';
  const button = (view: TimelineView, text: string): HTMLButtonElement =>
    [...view.node.querySelectorAll<HTMLButtonElement>('.dp-Search button')].find(
      each => each.textContent === text
    ) as HTMLButtonElement;

  function press(node: Element, init: KeyboardEventInit): void {
    node.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init }));
    frame();
    frame();
  }

  /** Open the search with the key and type. */
  function type(view: TimelineView, text: string): HTMLInputElement {
    press(part(view, '.dp-Timeline-plot'), { code: 'KeyF' });
    const input = part<HTMLInputElement>(view, '.dp-Search input');
    input.value = text;
    input.dispatchEvent(new Event('input'));
    frame();
    frame();
    return input;
  }

  it('counts what it finds, and says so politely', async () => {
    const view = await viewOf(runOf());
    expect(part(view, '.dp-Search').hidden).toBe(true);
    const input = type(view, 'load');
    expect(part(view, '.dp-Search').hidden).toBe(false);
    expect(document.activeElement).toBe(input);
    expect(status(view)).toBe('2 tasks');
    expect(part(view, '.dp-Search-status').nextElementSibling?.getAttribute('aria-live')).toBe('polite');
    for (const [text, expected] of [
      ['worker:b', '2 tasks'],
      ['erred', '1 task'],
      ['> 2 s', '2 tasks'],
      ['> 2 s load', '1 task'],
      ['running', '2 running tasks'],
      ['running load', '1 running task'],
      ['running > 2s', '1 running task'],
      ['finished', '3 tasks'],
      ['state:done load', '2 tasks'],
      ['finished erred', 'No tasks found'],
      ['state:finished worker:b', '1 task'],
      ['cancelled', '7 tasks · cancelled · never run, so on no thread'],
      ['state:waiting load', '3 tasks · waiting · not started, so on no thread yet'],
      ['state:processing', 'No tasks found'],
      ['retried sum', '5 attempts · failed and retried · Dask keeps no record of when and on which thread'],
      ['state:memory', '4 tasks · in memory · it is not known which of the tasks shown here'],
      ['cancelled > 2 s', 'For tasks with the state "cancelled" only the functions are known, not workers, durations or keys'],
      ['cancelled worker:b', 'For tasks with the state "cancelled" only the functions are known, not workers, durations or keys'],
      ['cancelled nobody', 'For tasks with the state "cancelled" only the functions are known, not workers, durations or keys'],
      ['cancelled function:nobody', 'No tasks found'],
      ['cancelled retried', 'No tasks found'],
      [
        'state:<b>green</b>',
        'There is no state "<b>green</b>". States: finished, erred, running, waiting, queued, no-worker, processing, cancelled, memory, released, forgotten, retried, rescheduled, lost'
      ],
      [
        'state:',
        'States: finished, erred, running, waiting, queued, no-worker, processing, cancelled, memory, released, forgotten, retried, rescheduled, lost'
      ],
      ['nobody', 'No tasks found · Keys are not searched: there is no scheduler.'],
      ['> 1 parsec', 'Not understood: > 1 parsec'],
      ['', '']
    ] as const) {
      type(view, text);
      expect(status(view), text).toBe(expected);
    }
  });

  it('goes through what it finds, by the keyboard, and on at the other end', async () => {
    const view = await viewOf(runOf());
    const input = type(view, 'sum');
    press(input, { key: 'Enter' });
    expect(status(view)).toBe('1 of 2 tasks · <b>sum</b>, 3.00 s, b');
    press(input, { key: 'Enter' });
    expect(status(view)).toBe('2 of 2 tasks · <b>sum</b>, 1.00 s, a');
    press(input, { key: 'Enter' });
    expect(status(view)).toContain('1 of 2 tasks');
    press(input, { key: 'Enter', shiftKey: true });
    expect(status(view)).toContain('2 of 2 tasks');
    type(view, 'running');
    press(input, { key: 'Enter' });
    press(input, { key: 'Enter' });
    expect(status(view)).toBe('2 of 2 running tasks');
    expect(button(view, 'Only these').disabled).toBe(true);
  });

  it('shows what it goes to, begins at the visible period, and goes backwards from its end', async () => {
    const rows = Array.from({ length: 21 }, (_, i) => ({ lane: i % 2, prefix: 0, start: EPOCH + 10 * i, duration: 4 }));
    const run = runOf(rows);
    const view = await viewOf(run, null, { pauses: 'even' });
    const span = (): readonly [number, number] => {
      const { from = Number.NaN, to = Number.NaN } = windowOf(run).span ?? {};
      return [from - EPOCH, to - EPOCH];
    };
    for (let i = 0; i < 4; i++) {
      press(part(view, '.dp-Timeline-plot'), { code: 'KeyW' });
    }
    const [from, to] = span();
    const seen = rows.filter(({ start }) => start - EPOCH >= from && start - EPOCH <= to).length;
    const before = rows.filter(({ start }) => start - EPOCH < from).length;
    expect([seen > 0, before > 2]).toEqual([true, true]);
    const input = type(view, 'load');
    press(input, { key: 'Enter' });
    expect(status(view)).toContain(`${before + 1} of 21 tasks`);
    for (let i = 0; i < 3; i++) {
      press(input, { key: 'Enter', shiftKey: true });
    }
    expect(status(view)).toContain(`${before - 2} of 21 tasks`);
    const at = 10 * (before - 3);
    expect([span()[0] < at, span()[1] > at]).toEqual([true, true]);
    // Another text starts over, at what is visible now.
    const first = rows.filter(({ start }) => start - EPOCH < span()[0]).length;
    type(view, 'loa');
    expect(status(view)).toBe('21 tasks');
    press(input, { key: 'Enter' });
    expect(status(view)).toContain(`${first + 1} of 21 tasks`);
    type(view, 'load');
    const last = rows.filter(({ start }) => start - EPOCH <= span()[1]).length;
    press(input, { key: 'Enter', shiftKey: true });
    expect(status(view)).toContain(`${last} of 21 tasks`);
  });

  it('goes round the running tasks, shows their worker, and says nothing of those that are not found', async () => {
    const run = runOf();
    const view = await viewOf(run);
    const input = type(view, 'running');
    press(input, { key: 'Enter', shiftKey: true });
    expect(status(view)).toBe('2 of 2 running tasks');
    press(input, { key: 'Enter' });
    expect(status(view)).toBe('1 of 2 running tasks');
    press(input, { key: 'Enter', shiftKey: true });
    expect(status(view)).toBe('2 of 2 running tasks');
    type(view, 'running nobody');
    press(input, { key: 'Enter' });
    expect(status(view)).toContain('No tasks found');
    expect(button(view, '›').disabled).toBe(true);
    type(view, '');
    press(input, { key: 'Enter' });
    expect(status(view)).toBe('');
  });

  it('keeps the number of what it went to until other tasks come', async () => {
    const run = runOf();
    const view = await viewOf(run);
    const input = type(view, 'load');
    press(input, { key: 'Enter' });
    const reached = status(view);
    expect(reached).toContain('1 of 2 tasks');
    press(part(view, '.dp-Timeline-plot'), { code: 'KeyL' });
    let seq = 1;
    const update = (topics: Parameters<Run['apply']>[0]['topics']): void => {
      run.apply({ feed: 'f', epoch: 0, seq: seq++, time: EPOCH + 12, cursor: {}, names: {}, topics }, now);
      view.update();
      for (let n = 0; n < 4; n++) {
        frame();
      }
    };
    update({ running: runningBody([{ id: 9, worker: 0, start: EPOCH + 11 }]) });
    expect(status(view)).toBe(reached);
    update({ tasks: tasksBody([{ lane: 0, prefix: 0, start: EPOCH + 11, duration: 1 }], ROWS.length) });
    expect(status(view)).toBe('3 tasks');
  });

  it('counts at most once a second while tasks come', async () => {
    const run = runOf();
    const view = await viewOf(run);
    type(view, 'load');
    const step = (ms: number): string => {
      now += ms - 2000;
      view.update();
      frame();
      now += 1 - 2000;
      frame();
      return status(view);
    };
    step(5000);
    const add = (n: number): void =>
      run.apply(
        {
          ...{ feed: 'f', epoch: 0, seq: 1, time: EPOCH + 12, cursor: {}, names: {} },
          topics: { tasks: tasksBody([{ lane: 0, prefix: 0, start: EPOCH + 11 + n, duration: 1 }], ROWS.length + n) }
        },
        now
      );
    add(0);
    expect(step(5000)).toBe('3 tasks');
    add(1);
    expect([step(500), step(600)]).toEqual(['3 tasks', '4 tasks']);
  });

  it('dims functions by their colour, and nothing of an empty or a closed search', async () => {
    const view = await viewOf(runOf());
    const functions = (): readonly string[] | null => (view as unknown as { searching: Searching }).searching.functions;
    const marks = part(view, '.dp-Search-marks');
    expect(functions()).toBeNull();
    const input = type(view, 'load');
    expect([functions(), marks.hidden]).toEqual([['load'], true]);
    button(view, 'Highlight').click();
    expect(functions()).toBeNull();
    button(view, 'Highlight').click();
    expect(functions()).toEqual(['load']);
    type(view, 'worker:b');
    frame();
    expect([functions(), marks.hidden]).toEqual([null, false]);
    for (const text of ['erred', '> 2 s', 'worker:b']) {
      type(view, text);
      frame();
      expect(marks.hidden, text).toBe(false);
    }
    type(view, 'running worker:b');
    frame();
    expect(marks.hidden).toBe(true);
    type(view, 'load');
    press(input, { key: 'Escape' });
    expect(functions()).toBeNull();
    // Opened again, the text is still there and found again.
    press(part(view, '.dp-Timeline-plot'), { code: 'KeyF' });
    expect([functions(), status(view), input.value]).toEqual([['load'], '2 tasks', 'load']);
  });

  it('marks again where the picture moves to another time or another scale, and asks for frames until it has', async () => {
    const rows = Array.from({ length: 200 }, (_, i) => ({ lane: i % 2, prefix: 0, start: EPOCH + 10 * i, duration: 4 }));
    const view = await viewOf(runOf(rows), null, { pauses: 'even' });
    type(view, 'worker:a');
    frame();
    const found = vi.spyOn(marking, 'marksOf');
    const count = (code: string): number => {
      found.mockClear();
      press(part(view, '.dp-Timeline-plot'), { code });
      frame();
      frame();
      return found.mock.calls.length;
    };
    count('KeyA');
    // A step is within what is marked; several are not.
    let far = 0;
    for (let i = 0; i < 12; i++) {
      far += count('KeyA');
    }
    expect(far).toBeGreaterThan(0);
    expect(far).toBeLessThan(12);
    let near = 0;
    for (let i = 0; i < 12; i++) {
      near += count('KeyW');
    }
    expect(near).toBeGreaterThan(0);
    expect(near).toBeLessThan(12);
    found.mockClear();
    frame();
    expect(found).not.toHaveBeenCalled();
  });

  it('says that it failed, and goes on with the next text', async () => {
    const view = await viewOf(runOf());
    const broken = vi.spyOn(scan, 'countSteps').mockImplementation(function* () {
      yield;
      throw new Error('broken');
    });
    type(view, 'load');
    expect(status(view)).toBe('The search failed: broken');
    broken.mockRestore();
    type(view, 'load ');
    expect(status(view)).toBe('2 tasks');
  });

  it('selects what it finds, and keeps the selected period', async () => {
    const run = runOf();
    const view = await viewOf(run);
    const period = { from: EPOCH, to: EPOCH + 5 };
    selectionOf(run).change({ period, threads: [{ worker: 'tcp://a:1', thread: 7 }] });
    type(view, 'worker:b > 1 s erred');
    button(view, 'Only these').click();
    expect(selectionOf(run).current).toMatchObject({
      ...{ period, threads: null, workers: ['tcp://b:1'], erred: true },
      durations: { most: Number.POSITIVE_INFINITY }
    });
    expect(selectionOf(run).current).not.toEqual(NOTHING_SELECTED);
  });

  it('dims the rest where it highlights, and nothing after Escape', async () => {
    const view = await viewOf(runOf());
    const input = type(view, '> 2 s');
    for (let n = 0; n < 3; n++) {
      view.update();
      frame();
    }
    const marks = part(view, '.dp-Search-marks');
    expect(marks.hidden).toBe(false);
    button(view, 'Highlight').click();
    frame();
    frame();
    expect(marks.hidden).toBe(true);
    expect(button(view, 'Highlight').getAttribute('aria-pressed')).toBe('false');
    press(input, { key: 'Escape' });
    expect(part(view, '.dp-Search').hidden).toBe(true);
    expect(document.activeElement).toBe(part(view, '.dp-Timeline-plot'));
  });

  it('counts again when tasks come', async () => {
    const run = runOf();
    const view = await viewOf(run);
    type(view, 'load');
    const more = { tasks: tasksBody([{ lane: 0, prefix: 0, start: EPOCH + 11, duration: 1 }], ROWS.length) };
    run.apply({ feed: 'f', epoch: 0, seq: 1, time: EPOCH + 12, cursor: {}, names: {}, topics: more }, now);
    view.update();
    for (let n = 0; n < 4; n++) {
      frame();
    }
    expect(status(view)).toBe('3 tasks');
  });

  it('asks the scheduler for keys, highlights and selects what it finds, and goes through it', async () => {
    const asked: Record<string, Scalar>[] = [];
    let answer: (value: Scalar) => void = () => undefined;
    const feed = {
      stateChanged: new Signal({}),
      state: { status: 'live' },
      request: (_: string, args: Record<string, Scalar>) => {
        asked.push(args);
        return new Promise<Scalar>(resolve => {
          answer = resolve;
        });
      }
    } as unknown as Feed;
    const run = runOf();
    const view = await viewOf(run, feed);
    const input = type(view, 'load');
    expect(asked).toEqual([]);
    type(view, '3F2a');
    expect(asked).toMatchObject([{ of: 'executions', texts: ['3F2a'], from: 0, before: null }]);
    expect(status(view)).toBe('keys searched: 0 %');
    const reply = async (value: Scalar): Promise<void> => {
      answer(value);
      await new Promise(resolve => setTimeout(resolve));
      view.update();
      for (let n = 0; n < 4; n++) {
        frame();
      }
    };
    await reply({ rows: [2], reached: 2, before: 4, first: 0, done: false });
    expect(status(view)).toBe('1 task · keys searched: 50 %');
    await reply({ rows: [0], reached: 1, before: 2, first: 1, done: true });
    expect(status(view)).toBe('2 tasks · 1 key is no longer kept');
    expect(part(view, '.dp-Search-marks').hidden).toBe(false);
    press(input, { key: 'Enter' });
    expect(status(view)).toContain('1 of 2 tasks');
    button(view, 'Only these').click();
    expect(selectionOf(run).current.rows).toEqual({ run: run.identity, numbers: [2, 0] });
    type(view, '');
    expect(status(view)).toBe('');
  });

  it('asks for no keys of a run that has ended, which a paused picture shows', async () => {
    const request = vi.fn(() => Promise.resolve({ rows: [1], reached: 0, before: 4, first: 0, done: true }));
    const feed = { stateChanged: new Signal({}), state: { status: 'live' }, request } as unknown as Feed;
    const run = runOf();
    const view = await viewOf(run, feed);
    view.setPaused(true);
    frame();
    // The scheduler restarts, and numbers its tasks from the start.
    run.apply({ feed: 'f', epoch: 1, seq: 0, time: EPOCH + 20, cursor: {}, names: {}, topics: {} }, now);
    type(view, '3F2a');
    await new Promise(resolve => setTimeout(resolve));
    frame();
    frame();
    expect(request).not.toHaveBeenCalled();
    expect(status(view)).toBe('No tasks found · Keys are not searched: the scheduler has another run by now.');
    view.setPaused(false);
  });
});
