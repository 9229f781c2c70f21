// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Signal } from '@lumino/signaling';
import type { Feed } from '../../../../src/feed/feed';
import type { Scalar } from '../../../../src/feed/frame';
import { makeTheme } from '../../../../src/base/theme';
import { taskStream } from '../../../../src/plots/tasks/task-stream';
import { Run } from '../../../../src/run/run';
import { NOTHING_SELECTED, selectionOf } from '../../../../src/run/selection/selection';
import { createTimeline } from '../../../../src/views/timeline';
import { TimelineView } from '../../../../src/views/timeline/view';
import { type Row, runningBody, tasksBody } from '../../run/synthetic';
import { translate as trans } from '../../translate';
import { blankCanvases } from '../blank-canvas';

const EPOCH = 1_700_000_000;
const theme = makeTheme({
  background: '#ffffff',
  text: '#000000',
  textSecondary: '#555555',
  border: '#cccccc',
  brand: '#1976d2',
  fontFamily: 'sans-serif',
  codeFontFamily: 'monospace'
});
const ROWS: readonly Row[] = [
  { lane: 0, prefix: 0, start: EPOCH, duration: 4 },
  { lane: 1, prefix: 1, start: EPOCH + 1, duration: 3, status: 1 },
  { lane: 0, prefix: 1, start: EPOCH + 6, duration: 1 },
  { lane: 1, prefix: 0, start: EPOCH + 8, duration: 0.5 }
];

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
  const topics = { tasks: tasksBody(rows), running };
  run.apply({ feed: 'f', epoch: 0, seq: 0, time: EPOCH + 10, cursor: {}, names, topics }, now);
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

  async function viewOf(run: Run, feed: Feed | null = null): Promise<TimelineView> {
    const view = await createTimeline(taskStream, {
      ...{ run, feed, trans, saved: {}, save: () => undefined, open: () => undefined },
      context: { theme, trans, options: {}, hidden: new Set() }
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
    expect(part(view, '.dp-Search-status').getAttribute('role')).toBe('status');
    for (const [text, told] of [
      ['worker:b', '2 tasks'],
      ['erred', '1 task'],
      ['> 2 s', '2 tasks'],
      ['> 2 s load', '1 task'],
      ['running', '2 running tasks'],
      ['running load', '1 running task'],
      ['running > 2s', '1 running task'],
      ['nobody', 'No tasks found · Keys are not searched: there is no scheduler.'],
      ['> 1 parsec', 'Not understood: > 1 parsec'],
      ['', '']
    ] as const) {
      type(view, text);
      expect(status(view), text).toBe(told);
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
});
