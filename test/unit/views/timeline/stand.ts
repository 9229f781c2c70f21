/** Timelines in a test: frames that are run by hand, a feed, a run. */
import { Signal } from '@lumino/signaling';
import { vi } from 'vitest';
import type { Feed, FeedState } from '../../../../src/feed/feed';
import type { Frame } from '../../../../src/feed/frame';
import { taskStream } from '../../../../src/plots/tasks/task-stream';
import type { Run } from '../../../../src/run/run';
import { NOTHING_SELECTED } from '../../../../src/run/selection/selection';
import { createTimeline, LOCATE_EVENT, type Location, type LocateDetail } from '../../../../src/views/timeline';
import type { View, ViewHost } from '../../../../src/views/view';
import { runningBody, type RunningRow, tasksBody } from '../../run/synthetic';
import { translate as trans } from '../../translate';
import { blankCanvases } from '../blank-canvas';
import { theme } from '../light-theme';

/** Beginning of the run, scheduler clock. */
export const EPOCH = 1_700_000_000;

/** Time of the frames. */
let now = 0;
let frames: FrameRequestCallback[] = [];

/** Run the frames that were asked for. */
export function frame(): void {
  now += 300;
  const due = frames;
  frames = [];
  for (const callback of due) {
    callback(now);
  }
}

/** A feed that answers nothing. */
export function feedOf(state: Partial<FeedState> = {}): Feed {
  const feed = {
    state: { status: 'live', answered: 0, reason: '', ...state },
    subscribe: () => ({ isDisposed: false, dispose: () => undefined }),
    request: () => Promise.resolve(null),
    isDisposed: false,
    dispose: () => undefined
  } as unknown as Feed;
  return Object.assign(feed, { frame: new Signal<Feed, Frame>(feed), stateChanged: new Signal<Feed, FeedState>(feed) });
}

/** A frame with one task of a second. */
export function apply(run: Run, start: number, time: number): void {
  run.apply(
    {
      feed: 'f',
      epoch: 0,
      seq: 0,
      time,
      cursor: {},
      names: {
        prefixes: { from: 0, values: ['inc'] },
        workers: { from: 0, values: [{ address: 'tcp://a', name: '<b>w</b>', host: 'h', nthreads: 1, memory_limit: 0 }] },
        lanes: { from: 0, values: [[0, 7]] }
      },
      topics: { tasks: tasksBody([{ start, duration: 1 }]) }
    },
    now
  );
}

/** A visible view of 600 × 200 pixels. */
export async function viewOf(run: Run, feed: Feed, saved: ViewHost['saved'] = {}, more: Partial<ViewHost> = {}): Promise<View> {
  const view = await createTimeline(taskStream, {
    run,
    feed,
    trans,
    context: { theme, trans, options: {}, hidden: new Set(), selection: NOTHING_SELECTED },
    saved,
    save: () => undefined,
    open: () => undefined,
    ...more
  });
  document.body.append(view.node);
  view.setVisible(true);
  view.resize(600, 200);
  return view;
}

/** Where a moment of a lane is drawn. */
export function locate(node: HTMLElement, lane: number, time: number): Location | null {
  let found: Location | null = null;
  const detail: LocateDetail = {
    lane,
    time,
    reply: location => {
      found = location;
    }
  };
  node.querySelector('.dp-Timeline')?.dispatchEvent(new CustomEvent(LOCATE_EVENT, { detail }));
  return found;
}

/** Press a key in the picture. */
export function press(view: View, code: string): void {
  view.node.querySelector('.dp-Timeline-plot')?.dispatchEvent(new KeyboardEvent('keydown', { code, bubbles: true }));
}

/** All time is shown evenly: no pause is folded. */
export const EVEN: Pick<ViewHost, 'context'> = {
  context: { theme, trans, options: { pauses: 'even' }, hidden: new Set(), selection: NOTHING_SELECTED }
};

/** A computation of a test; `left` tasks are in progress. */
export interface Described {
  readonly id: number;
  readonly since: number;
  /** Of its first execution; default: at once. */
  readonly start?: number;
  readonly stop: number;
  readonly code?: string;
  readonly left?: number;
  readonly tasks?: number;
  readonly before?: number;
}

/** A frame with computations, of one task each by default. */
export function computations(run: Run, described: readonly Described[]): void {
  const since = Float64Array.from(described, each => each.since);
  const columns = {
    id: Float64Array.from(described, ({ id }) => id),
    since,
    start: Float64Array.from(described, ({ since, start = since }) => start),
    stop: Float64Array.from(described, ({ stop }) => stop),
    tasks: Float64Array.from(described, ({ tasks = 1 }) => tasks),
    erred_before: Float64Array.from(described, ({ before = Number.NaN }) => before),
    left: Float64Array.from(described, ({ left = 0 }) => left)
  };
  const texts = described.map(({ id, code = '' }) => ({ id, code, cell: id + 1, line: 1 }));
  const body = { columns, scalars: { texts } };
  const time = Math.max(...described.map(({ since, stop }) => stop || since));
  run.apply({ feed: 'f', epoch: 0, seq: 0, time, cursor: {}, names: {}, topics: { computations: body } }, now);
}

/** A frame with tasks that run. */
export function running(run: Run, time: number, rows: readonly RunningRow[]): void {
  const topics = { running: runningBody(rows) };
  run.apply({ feed: 'f', epoch: 0, seq: 0, time, cursor: {}, names: {}, topics }, now);
}

/** Number of frames that were asked for and have not been run. */
export function framesDue(): number {
  return frames.length;
}

/** Before each test: frames wait for {@link frame}, canvases are blank. */
export function holdFrames(): void {
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => frames.push(callback));
  vi.stubGlobal('cancelAnimationFrame', () => {
    frames = [];
  });
  blankCanvases();
}

/** After each test. */
export function releaseFrames(): void {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
}

/** Time of the last frame. */
export function lastFrame(): number {
  return now;
}
