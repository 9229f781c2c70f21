// The page of the timeline benchmark: a synthetic run of any size in a real view, driven from outside.
import { english } from '../../src/plot/translation';
import { Signal } from '@lumino/signaling';
import { readTheme } from '../../src/base/theme';
import type { Feed, FeedState } from '../../src/feed/feed';
import type { Column, Frame, FrameNames } from '../../src/feed/frame';
import { taskStream } from '../../src/plots/tasks/task-stream';
import { intervalAt } from '../../src/run/lanes/lane-search';
import { frozen } from '../../src/run/frozen';
import { Run } from '../../src/run/run';
import { Matcher } from '../../src/run/selection/matcher';
import { NOTHING_SELECTED, type Selection, selectionOf } from '../../src/run/selection/selection';
import { conditionsOf, parseQuery } from '../../src/selectors/search/query';
import { countSteps, stepFrom } from '../../src/selectors/search/scan';
import { selectionSteps } from '../../src/selectors/selection/statistics';
import { SelectionPanel } from '../../src/views/selection/panel';
import { TimelineView } from '../../src/views/timeline';

/** Sizes of a run. */
export interface Sizes {
  readonly tasks: number;
  readonly lanes: number;
  /** Tasks that arrive a second while the page is driven. */
  readonly rate: number;
}

const PREFIXES = 30;
const THREADS = 4;
/** Beginning of the run, scheduler clock. */
const EPOCH = 1_700_000_000;
/** Periods of the past in which nothing runs, and their length. */
const IDLE_PERIODS = 8;
const IDLE = 120;
/** Computations of the past. */
const COMPUTATIONS = 200;
/** Rows of one frame while the past is loaded. */
const LOADED_AT_ONCE = 20_000;
const FRAMES_A_SECOND = 60;
/** Rows of a large frame: what half a second brings at full rate. */
const LARGE = 10_000;

/** Repeatable numbers in [0, 1). */
let state = 1;
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 4_294_967_296;
}

/** Rectangles of executions. */
export interface Rectangles {
  /** Seconds since the first start. */
  readonly left: Float64Array;
  readonly right: Float64Array;
  readonly lane: Float64Array;
  readonly prefix: Uint16Array;
}

class Scene {
  constructor(private readonly sizes: Sizes) {
    this.ends = new Float64Array(sizes.lanes);
    for (let lane = 0; lane < sizes.lanes; lane++) {
      this.ends[lane] = EPOCH + random();
    }
    this.load();
    this.started = performance.now();
    const theme = readTheme(document.body);
    const trans = english;
    this.view = new TimelineView(taskStream, {
      run: this.run,
      feed: this.feed,
      trans,
      context: { theme, trans, options: {}, hidden: new Set(), selection: NOTHING_SELECTED },
      saved: {},
      save: () => undefined,
      open: () => undefined
    });
    document.body.append(this.view.node);
    this.view.setVisible(true);
    this.view.resize(document.body.clientWidth, document.body.clientHeight);
  }

  readonly run = new Run();
  private readonly panel = new SelectionPanel(english, {
    ...{ reveal: () => undefined, isolate: () => undefined },
    ...{ clear: () => undefined, open: () => undefined }
  });
  readonly view: TimelineView;
  /** Milliseconds that frames took to be folded into the run, and their rows. */
  appended = { milliseconds: 0, rows: 0 };

  /** The same for the past, which comes in larger frames. */
  loaded = { milliseconds: 0, rows: 0 };

  /** Call `act` once in each of `count` frames, while tasks arrive, and wait for the last. */
  async drive(count: number, act: (frame: number) => void): Promise<void> {
    for (let i = 0; i < count; i++) {
      await new Promise(requestAnimationFrame);
      this.arrive();
      act(i);
      this.view.update();
    }
  }

  /** Wait until the picture is exact. */
  async settle(): Promise<void> {
    do {
      this.view.update();
      await new Promise(requestAnimationFrame);
    } while (!this.view.exact);
  }

  /** Pixels that differ from a picture painted from scratch at once, and pixels painted. */
  async difference(): Promise<{ differing: number; painted: number }> {
    await this.settle();
    const before = this.pixels();
    const { node } = this.view;
    // Another height and back: everything is laid out and painted again.
    this.view.resize(node.clientWidth, node.clientHeight - 10);
    await this.settle();
    this.view.resize(node.clientWidth, node.clientHeight);
    await this.settle();
    const after = this.pixels();
    let differing = 0;
    let painted = 0;
    for (let i = 0; i < after.length; i++) {
      painted += after[i] === 0 ? 0 : 1;
      differing += after[i] === before[i] ? 0 : 1;
    }
    return { differing, painted };
  }

  /** Large frames, made in advance so that making them is not measured. */
  prepare(count: number): void {
    this.view.setVisible(false);
    const { lanes } = this.sizes;
    const time = this.now + (performance.now() - this.started) / 1000;
    this.large = Array.from({ length: count }, () => this.frameOf(LARGE, () => Math.floor(random() * lanes), time));
  }

  /** Fold the large frames into the run, with the summaries of all lanes after each. */
  appendLarge(): void {
    for (const frame of this.large.splice(0)) {
      this.run.apply(frame, performance.now());
      for (const lane of this.run.tasks.lanes) {
        lane?.compute.chunks.at(-1);
      }
    }
  }

  /** All executions as rectangles, for another program to draw. */
  rectangles(): Rectangles {
    const { lanes, kept, firstStart } = this.run.tasks;
    const result = {
      left: new Float64Array(kept),
      right: new Float64Array(kept),
      lane: new Float64Array(kept),
      prefix: new Uint16Array(kept)
    };
    let at = 0;
    for (const [lane, state] of lanes.entries()) {
      for (const chunk of state?.compute.chunks ?? []) {
        for (let i = 0; i < chunk.length; i++, at++) {
          result.left[at] = chunk.startOf(i) - firstStart;
          result.right[at] = result.left[at] + chunk.durationOf(i);
          result.lane[at] = lane;
          result.prefix[at] = chunk.labelOf(i);
        }
      }
    }
    return result;
  }

  /** Find the tasks at many points. Returns how many points have one. */
  hitTest(count: number): number {
    const { lanes, firstStart, lastEnd } = this.run.tasks;
    let found = 0;
    for (let i = 0; i < count; i++) {
      const lane = lanes[Math.floor(random() * lanes.length)];
      if (lane !== undefined) {
        found += intervalAt(lane.compute, firstStart + random() * (lastEnd - firstStart), 0.001, 0) === null ? 0 : 1;
      }
    }
    return found;
  }

  /** Statistics of a brush over `tasks` executions on all lanes: milliseconds in all, and of the longest step. */
  select(tasks: number, round: number): { all: number; step: number; count: number } {
    const selection = this.brush(tasks, round);
    const begin = performance.now();
    const steps = selectionSteps(this.run, selection);
    let step = 0;
    for (let last = begin; ; ) {
      const { done, value } = steps.next();
      const now = performance.now();
      step = Math.max(step, now - last);
      last = now;
      if (done) {
        return { all: now - begin, step, count: value.count };
      }
    }
  }

  /** The same between two frames, with each step in a task of its own: how much CPU it takes is in a trace. */
  async selectInTasks(tasks: number, round: number): Promise<void> {
    this.view.setVisible(false);
    await new Promise(requestAnimationFrame);
    const steps = selectionSteps(this.run, this.brush(tasks, round));
    const { port1, port2 } = new MessageChannel();
    await new Promise<void>(resolve => {
      port1.onmessage = () => (steps.next().done ? resolve() : port2.postMessage(null));
      port2.postMessage(null);
    });
    port1.close();
    await new Promise(requestAnimationFrame);
    this.view.setVisible(true);
  }

  /** The panel with the same statistics, laid out. */
  showPanel(tasks: number, round: number): void {
    const { panel } = this;
    panel.node.style.width = '460px';
    document.body.append(panel.node);
    panel.show(this.run, this.brush(tasks, round));
    while (panel.busy) {
      panel.paint();
    }
    panel.node.getBoundingClientRect();
    panel.node.remove();
  }

  private brush(tasks: number, round: number): Selection {
    const { kept, firstStart, lastEnd } = this.run.tasks;
    const length = ((lastEnd - firstStart) * tasks) / kept;
    const from = firstStart + ((lastEnd - firstStart - length) * (round % 10)) / 10;
    return { ...NOTHING_SELECTED, period: { from, to: from + length } };
  }

  /** A search of the newest million tasks, by function, worker, state and duration: as `select`. */
  search(round: number): { all: number; step: number; count: number } {
    const { run } = this;
    const { kept, firstStart, lastEnd } = run.tasks;
    const text = [`> ${round} ms`, 'erred', `worker:${round}`, run.prefixNames[round % run.prefixNames.length]][round % 4];
    const begin = performance.now();
    const conditions = conditionsOf(run, parseQuery(text)) ?? NOTHING_SELECTED;
    const scope = { run, matcher: new Matcher(run, conditions), after: lastEnd - ((lastEnd - firstStart) * 1_000_000) / kept };
    const jobs = [countSteps(scope), stepFrom(scope, null, 1)] as const;
    let [step, count, last] = [0, 0, begin];
    for (const job of jobs) {
      for (let done = false; !done; ) {
        const result = job.next();
        done = result.done === true;
        count = typeof result.value === 'number' ? result.value : count;
        const now = performance.now();
        step = Math.max(step, now - last);
        last = now;
      }
    }
    return { all: last - begin, step, count };
  }

  /** The run goes on beyond its limit, by frames of many tasks. Returns bytes for each task that is kept, with the sums of others. */
  dropping(frames: number): number {
    const { tasks, lanes } = this.sizes;
    this.run.keepTasks(tasks);
    for (let i = 0; i < frames; i++) {
      this.apply(LOADED_AT_ONCE, k => (this.row + k) % lanes, Math.max(...this.ends));
    }
    const store = this.run.tasks;
    return (store.byteLength + store.pasts.byteLength) / store.kept;
  }

  /** Pause some times, and keep what that gives. */
  pause(count: number): void {
    for (let i = 0; i < count; i++) {
      this.paused.push(frozen(this.run));
    }
  }

  /** What a view of a long session has in addition: computations, a running task on each worker, a selection. */
  furnish(): void {
    const { firstStart, lastEnd } = this.run.tasks;
    const numbers = Array.from({ length: COMPUTATIONS }, (_, i) => i);
    const since = Float64Array.from(numbers, i => firstStart + ((lastEnd - firstStart) * i) / COMPUTATIONS);
    const computations = {
      columns: {
        id: Float64Array.from(numbers),
        since,
        start: since,
        stop: since.map(time => time + (lastEnd - firstStart) / COMPUTATIONS),
        tasks: new Float64Array(COMPUTATIONS).fill(1000),
        left: new Float64Array(COMPUTATIONS)
      },
      scalars: { texts: numbers.map(id => ({ id, cell: id + 1, code: `result_${id}.compute()`, line: 1 })) }
    };
    const workers = Array.from({ length: Math.ceil(this.sizes.lanes / THREADS) }, (_, i) => i);
    const running = {
      columns: {
        id: Float64Array.from(workers),
        state: new Uint8Array(workers.length),
        worker: Float64Array.from(workers),
        prefix: Float64Array.from(workers, i => i % PREFIXES),
        start: Float64Array.from(workers, i => lastEnd - (i % 7))
      },
      scalars: { keys: workers.map(i => [i, `task-${i}`]) }
    };
    const topics = { computations, running };
    this.run.apply({ feed: 'bench', epoch: 0, seq: this.seq, time: lastEnd, cursor: {}, names: {}, topics }, performance.now());
    this.seq += 1;
    selectionOf(this.run).select({ period: { from: lastEnd - 30, to: lastEnd - 10 } });
  }

  /** What the window shows of the canvas, which may be moved behind it. */
  private pixels(): Uint32Array {
    const canvas = this.view.node.querySelector<HTMLCanvasElement>('.dp-Timeline-data');
    const window = canvas?.parentElement?.getBoundingClientRect();
    if (canvas === null || window === undefined) {
      throw new Error('the view has no canvas');
    }
    const left = Math.round(window.left - canvas.getBoundingClientRect().left);
    const image = canvas.getContext('2d')?.getImageData(left, 0, window.width, window.height);
    return new Uint32Array(image?.data.buffer ?? new ArrayBuffer(0));
  }

  private load(): void {
    const { tasks, lanes } = this.sizes;
    this.run.keepTasks(2 * tasks);
    this.apply(0, () => 0, EPOCH, this.names());
    for (let row = 0; row < tasks; row += LOADED_AT_ONCE) {
      const count = Math.min(LOADED_AT_ONCE, tasks - row);
      if (Math.floor((row / tasks) * IDLE_PERIODS) < Math.floor(((row + count) / tasks) * IDLE_PERIODS)) {
        this.ends.fill(Math.max(...this.ends) + IDLE);
      }
      this.apply(count, i => (row + i) % lanes, Math.max(...this.ends));
    }
    this.now = Math.max(...this.ends);
    this.ends.fill(this.now);
    this.loaded = this.appended;
    this.appended = { milliseconds: 0, rows: 0 };
  }

  /** Tasks that end in one frame of 60 a second: as many on a loaded machine, whose frames are longer. */
  private arrive(): void {
    const { lanes, rate } = this.sizes;
    this.due += rate / FRAMES_A_SECOND;
    const count = Math.floor(this.due);
    this.due -= count;
    const time = this.now + (performance.now() - this.started) / 1000;
    this.fold(this.frameOf(count, () => Math.floor(random() * lanes), time));
  }

  private apply(count: number, laneOf: (i: number) => number, time: number, names: FrameNames = {}): void {
    this.fold({ ...this.frameOf(count, laneOf, time), names });
  }

  private frameOf(count: number, laneOf: (i: number) => number, time: number): Frame {
    const columns = {
      lane: new Uint32Array(count),
      prefix: new Uint16Array(count),
      start: new Float64Array(count),
      duration: new Float32Array(count),
      status: new Uint8Array(count),
      nbytes: new Float32Array(count)
    };
    const { lane: lanes, prefix, start, duration, status } = columns;
    for (let i = 0; i < count; i++) {
      const lane = laneOf(i);
      const pick = random();
      lanes[i] = lane;
      // Four in five short, one in five longer, one in a hundred long: as in the measurements of the design.
      duration[i] = pick < 0.8 ? 0.002 + random() * 0.02 : pick < 0.99 ? 0.02 + random() * 0.1 : 0.5 + random() * 2;
      start[i] = this.started > 0 ? Math.max(this.ends[lane], time - duration[i]) : this.ends[lane] + random() * 0.004;
      this.ends[lane] = start[i] + duration[i];
      prefix[i] = Math.floor(random() * PREFIXES);
      status[i] = random() < 0.001 ? 1 : 0;
    }
    const body = { columns: columns satisfies Record<string, Column>, scalars: { first: this.row, lost: 0 } };
    this.row += count;
    this.seq += 1;
    return { feed: 'bench', epoch: 0, seq: this.seq, time, cursor: {}, names: {}, topics: { tasks: body } };
  }

  private fold(frame: Frame): void {
    const begin = performance.now();
    this.run.apply(frame, begin);
    this.appended.milliseconds += performance.now() - begin;
    this.appended.rows += frame.topics.tasks?.columns.lane.length ?? 0;
  }

  private names(): FrameNames {
    const workers = Array.from({ length: Math.ceil(this.sizes.lanes / THREADS) }, (_, i) => ({
      address: `tcp://10.0.0.1:${i}`,
      name: `worker-${i}`,
      host: 'host',
      nthreads: THREADS,
      memory_limit: 0,
      joined: EPOCH
    }));
    const lanes = Array.from({ length: this.sizes.lanes }, (_, i) => [Math.floor(i / THREADS), i] as const);
    const prefixes = Array.from({ length: PREFIXES }, (_, i) => `function-${i}`);
    return { prefixes: { from: 0, values: prefixes }, workers: { from: 0, values: workers }, lanes: { from: 0, values: lanes } };
  }

  private readonly feed: Feed = {
    frame: new Signal<Feed, Frame>({} as Feed),
    stateChanged: new Signal<Feed, FeedState>({} as Feed),
    state: { status: 'live', answered: 0, reason: '' },
    subscribe: () => ({ isDisposed: false, dispose: () => undefined }),
    request: () => Promise.resolve(null),
    isDisposed: false,
    dispose: () => undefined
  };
  private large: Frame[] = [];
  private readonly ends: Float64Array;
  /** Scheduler clock when the past was loaded. */
  private now = EPOCH;
  private started = 0;
  /** Tasks that are due and have not arrived, below 1. */
  private due = 0;
  private row = 0;
  private readonly paused: Run[] = [];
  private seq = 0;
}

let scene: Scene | null = null;

/** What the benchmark calls. */
const bench = {
  load(sizes: Sizes): number {
    scene = new Scene(sizes);
    return scene.run.tasks.byteLength / scene.run.tasks.kept;
  },
  /** Frames in which tasks arrive and nothing is drawn: what the page itself costs. */
  async hidden(count: number): Promise<void> {
    open().view.setVisible(false);
    await open().drive(count, () => undefined);
    open().view.setVisible(true);
  },
  async follow(count: number): Promise<void> {
    await open().settle();
    await open().drive(count, () => undefined);
  },
  async pan(count: number): Promise<void> {
    await open().drive(count, () => open().view.actions.pan(-4));
  },
  /** In and out again by a factor of 1,000. */
  async zoom(count: number): Promise<void> {
    const factor = 1000 ** (2 / count);
    await open().drive(count, i => open().view.actions.zoom(i < count / 2 ? 1 / factor : factor, 500));
  },
  /**
   * What the browser needs for a picture of this size that moves by four columns a frame, with four columns of new pixels:
   * nothing can be cheaper.
   */
  async floor(count: number): Promise<void> {
    const { view } = open();
    const data = view.node.querySelector<HTMLCanvasElement>('.dp-Timeline-data');
    view.setVisible(false);
    view.node.style.display = 'none';
    const canvas = document.createElement('canvas');
    canvas.width = data?.width ?? 0;
    canvas.height = data?.height ?? 0;
    canvas.style.willChange = 'transform';
    document.body.append(canvas);
    const context = canvas.getContext('2d');
    const image = new ImageData(4, canvas.height);
    for (let i = 0; i < count; i++) {
      await new Promise(requestAnimationFrame);
      context?.putImageData(image, (4 * i) % canvas.width, 0);
      canvas.style.transform = `translateX(${-4 * (i % 90)}px)`;
    }
    canvas.remove();
    view.node.style.display = '';
    view.setVisible(true);
  },
  prepare: (count: number): void => open().prepare(count),
  appendLarge: (): void => open().appendLarge(),
  show: (): void => open().view.setVisible(true),
  rectangles: (): Rectangles => open().rectangles(),
  dropping: (frames: number): number => open().dropping(frames),
  pause: (count: number): void => open().pause(count),
  furnish: (): void => open().furnish(),
  difference: (): Promise<{ differing: number; painted: number }> => open().difference(),
  select: (tasks: number, round: number): { all: number; step: number; count: number } => open().select(tasks, round),
  selectInTasks: (tasks: number, round: number): Promise<void> => open().selectInTasks(tasks, round),
  panel: (tasks: number, round: number): void => open().showPanel(tasks, round),
  search: (round: number): { all: number; step: number; count: number } => open().search(round),
  hitTest: (count: number): number => open().hitTest(count),
  appended: (): { milliseconds: number; rows: number } => open().appended,
  loaded: (): { milliseconds: number; rows: number } => open().loaded,
  fit: (): void => open().view.actions.fit(),
  followLive: (): void => open().view.actions.follow()
};

function open(): Scene {
  if (scene === null) {
    throw new Error('load() comes first');
  }
  return scene;
}

/** What the page offers to the script that drives it. */
export type Bench = typeof bench;

Object.assign(window, { bench });
