import { countLeading } from '../../base/arrays';
import { messageOf } from '../../base/untrusted';
import { DisposableDelegate, type IDisposable } from '@lumino/disposable';
import { Signal, type ISignal } from '@lumino/signaling';
import type { Milliseconds, Seconds, Share } from '../../base/units';
import type { Feed, FeedState } from '../feed';
import { type Frame, FrameError, type FrameNames, type Scalar, type TopicBody } from '../frame';
import type { Block, Recording } from './recording';
import { TABLE_HISTORY } from '../history';
import type { Topic } from '../schema';
import { FrameValidator, TWO_TABLES } from '../validate';

/** Interval between two steps of a playing clock. */
const STEP: Milliseconds = 50;

/** Maximum time that reading a file may block the page. */
const PATIENCE: Milliseconds = 12;

/**
 * Topics of which keyframes of earlier versions lack something: the second of two tables, and entries of a list that has
 * several of a row.
 */
const NOT_WHOLE: ReadonlySet<string> = new Set([...TWO_TABLES, 'errors', 'shuffles']);

/** Problems that are listed; others are counted. */
const MOST_PROBLEMS = 20;

/** Playback speeds. */
export const SPEEDS = [0.1, 0.5, 1, 2, 10, 60, 600] as const;

/** Data that a part of a file adds at once, whatever moment is shown. */
export interface RecordedRows {
  readonly names: readonly FrameNames[];
  readonly tasks: readonly TopicBody[];
}

/**
 * The feed of a recording, with a clock controlled by the user.
 *
 * Executions arrive once, as the file is read ({@link rows}); everything else arrives as frames up to the moment of the
 * clock. When the clock moves back, {@link rewound} announces that the frames start over: for tables from the last
 * keyframe older than the values that they keep, for histories from the beginning. While the file is being read, the
 * clock stays at the end of the part read so far.
 */
export class FileFeed implements Feed {
  constructor(private readonly recording: Recording) {
    this.target = this.end;
  }

  get frame(): ISignal<this, Frame> {
    return this.frameSignal;
  }

  get stateChanged(): ISignal<this, FeedState> {
    return this.stateSignal;
  }

  /** Executions and names of a part of the file. */
  get rows(): ISignal<this, RecordedRows> {
    return this.rowsSignal;
  }

  /** The state must be cleared: its frames are sent again. */
  get rewound(): ISignal<this, void> {
    return this.rewoundSignal;
  }

  /** The clock, its speed, or the part read changed; all frames up to now have been sent. */
  get moved(): ISignal<this, void> {
    return this.movedSignal;
  }

  get state(): FeedState {
    return { status: 'recorded', answered: performance.now(), reason: this.found.at(-1) ?? '', playing: this.playing };
  }

  /** What could not be read so far, each once, in sentences. */
  get problems(): readonly string[] {
    const parts = this.unlisted === 1 ? '1 more part' : `${this.unlisted} more parts`;
    return this.unlisted > 0 ? [...this.found, `${parts} could not be read.`] : this.found;
  }

  /** Scheduler time of the first and last frame. */
  get start(): Seconds {
    return Number.isFinite(this.recording.start) ? this.recording.start : 0;
  }

  get end(): Seconds {
    return Number.isFinite(this.recording.end) ? this.recording.end : this.start;
  }

  /** An empty frame before all others, which starts a run. */
  get begin(): Frame {
    return { feed: `recording ${this.start}`, epoch: 0, seq: 0, time: this.start, cursor: {}, names: {}, topics: {} };
  }

  /** The shown moment, in scheduler time. */
  get position(): Seconds {
    return Math.min(this.target, this.loaded === 1 ? this.end : this.readUntil);
  }

  /** Whether everything read so far is shown: then executions need not be filtered by time. */
  get atEnd(): boolean {
    return this.target >= this.end;
  }

  /** Progress of reading the file. */
  get loaded(): Share {
    return this.share;
  }

  /** Number of parts that could be read so far. */
  get partsRead(): number {
    return this.read;
  }

  get playing(): boolean {
    return this.timer !== undefined;
  }

  /** Recorded seconds per second. */
  get speed(): number {
    return this.factor;
  }

  set speed(speed: number) {
    this.factor = speed;
    this.movedSignal.emit();
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  /** There are no subscriptions: a file contains everything. */
  subscribe(_topics: readonly Topic[]): IDisposable {
    return new DisposableDelegate(() => undefined);
  }

  async request(op: string, args: Record<string, Scalar> = {}): Promise<Scalar> {
    if (op === 'key' && typeof args.row === 'number') {
      const found = await this.recording.key(args.row);
      return found && { key: found.key, type: found.type };
    }
    throw new Error('A recording cannot be asked for this: only what was recorded is there.');
  }

  /** Read the file part by part; in between the page draws and responds. A damaged part is skipped and reported. */
  async load(): Promise<void> {
    const blocks = [...this.recording.chunks, ...this.recording.keyframes].sort((a, b) => a.offset - b.offset);
    const keyframes = new Set(this.recording.keyframes);
    const read = async (block: Block | undefined): Promise<Part | null> => {
      if (block === undefined) {
        return null;
      }
      try {
        if (keyframes.has(block)) {
          return { keyframe: await this.recording.readKeyframe(block), frames: [], tasks: [] };
        }
        return { keyframe: null, ...(await this.recording.read(block)) };
      } catch (error) {
        this.leaveOut(messageOf(error));
        return null;
      }
    };
    let next = read(blocks[0]);
    let rested = performance.now();
    for (let i = 0; i < blocks.length && !this.disposed; i++) {
      const part = await next;
      // The next part is inflated while this one is processed and drawn.
      next = read(blocks[i + 1]);
      if (part === null) {
        this.validator.gap();
      } else if (!this.disposed) {
        this.read += 1;
        this.take(this.checked(part));
      }
      this.share = (i + 1) / blocks.length;
      this.apply();
      if (performance.now() - rested > PATIENCE) {
        await new Promise(resolve => setTimeout(resolve));
        rested = performance.now();
      }
    }
    this.share = 1;
    if (!this.disposed) {
      if (this.found.length > 0) {
        // From the beginning: a later keyframe may have rows of tables that were in what is left out.
        this.done = Number.POSITIVE_INFINITY;
      }
      this.apply();
      this.stateSignal.emit(this.state);
    }
  }

  /** Show another moment; one that has not been read yet is shown when it has. */
  seek(moment: Seconds): void {
    this.target = Math.min(Math.max(moment, this.start), this.end);
    this.apply();
  }

  /** Start the clock, from the beginning if it is at the end. */
  play(): void {
    if (this.playing || this.disposed) {
      return;
    }
    if (this.target >= this.end) {
      this.seek(this.start);
    }
    let last = performance.now();
    this.timer = setInterval(() => {
      const now = performance.now();
      const passed: Seconds = (now - last) / 1000;
      last = now;
      // Unread parts cannot be played.
      this.seek(Math.min(this.target, this.position) + passed * this.factor);
      if (this.target >= this.end) {
        this.pause();
      }
    }, STEP);
    this.emitState();
  }

  pause(): void {
    if (this.playing) {
      clearInterval(this.timer);
      this.timer = undefined;
      this.emitState();
    }
  }

  dispose(): void {
    if (!this.disposed) {
      clearInterval(this.timer);
      this.timer = undefined;
      this.disposed = true;
      Signal.clearData(this);
    }
  }

  private emitState(): void {
    this.stateSignal.emit(this.state);
    this.movedSignal.emit();
  }

  /** The contents of a part within the bounds of a feed; the rest is dropped and reported. */
  private checked(part: Part): Part {
    const check = (frame: Frame): Frame | null => {
      try {
        const { frame: whole, problems } = this.validator.check(frame);
        this.noteLeftOut(problems);
        return whole;
      } catch (error) {
        if (!(error instanceof FrameError)) {
          throw error;
        }
        this.validator.gap();
        this.noteLeftOut([error.message]);
        return null;
      }
    };
    // Before they are checked: their lists may be longer than those of a frame.
    const keyframe = part.keyframe && check(withoutTopics(part.keyframe, NOT_WHOLE));
    const frames = part.frames.map(check).filter(frame => frame !== null);
    const withTasks = (list: readonly Frame[]): number => list.filter(frame => frame.topics.tasks !== undefined).length;
    // Rows are validated frame by frame, since their names arrive that way; then they can be used at once.
    const tasks = withTasks(frames) === withTasks(part.frames) ? part.tasks : frames.flatMap(frame => frame.topics.tasks ?? []);
    return { keyframe, frames, tasks };
  }

  private noteLeftOut([first]: readonly string[]): void {
    if (first !== undefined) {
      this.leaveOut(first);
    }
  }

  private leaveOut(what: string): void {
    const problem = `${what} What it held is left out.`;
    if (this.found.length < MOST_PROBLEMS && !this.found.includes(problem)) {
      this.found.push(problem);
    } else if (!this.found.includes(problem)) {
      this.unlisted += 1;
    }
  }

  private take(part: Part): void {
    if (part.keyframe !== null) {
      const { topics } = part.keyframe;
      this.keyframes.push({
        at: this.steps.length,
        frame: this.uniform(part.keyframe, topics),
        topics: new Set(Object.keys(topics))
      });
    }
    for (const frame of part.frames) {
      if (frame.epoch !== this.epoch) {
        this.epoch = frame.epoch;
        this.begins.push(this.steps.length);
      }
      const { tasks, ...topics } = frame.topics;
      this.steps.push(this.uniform(frame, topics));
      this.readUntil = Math.max(this.readUntil, frame.time);
    }
    const names = [part.keyframe, ...part.frames].flatMap(frame => frame?.names ?? []);
    this.rowsSignal.emit({ names, tasks: part.tasks });
  }

  /** A frame as a run receives it: always of one epoch, since executions are not sent again with the next. */
  private uniform(frame: Frame, topics: Frame['topics']): Frame {
    return { ...frame, feed: this.begin.feed, epoch: this.begin.epoch, topics };
  }

  /** Send the frames up to the clock's moment. */
  private apply(): void {
    const to = this.stepsUntil(this.position);
    const begin = lastOf(this.begins, at => at < to) ?? 0;
    if (to < this.done || begin !== this.begun) {
      this.done = this.begun = begin;
      this.rewoundSignal.emit();
    }
    // Values of the last minute that tables keep arrive with the frames after the keyframe.
    const keyframe = lastOf(this.keyframes, ({ frame }) => frame.time <= this.position - TABLE_HISTORY);
    if (keyframe && keyframe.at <= to && keyframe.at > this.done && keyframe.at > begin) {
      for (; this.done < keyframe.at; this.done++) {
        this.emitWithout(this.steps[this.done], keyframe.topics);
      }
      this.frameSignal.emit(keyframe.frame);
    }
    for (; this.done < to; this.done++) {
      this.frameSignal.emit(this.steps[this.done]);
    }
    this.movedSignal.emit();
  }

  /** A step before a keyframe: contents of the keyframe need not be sent. */
  private emitWithout(step: Frame, covered: ReadonlySet<string>): void {
    const rest = withoutTopics(step, covered);
    if (Object.keys(rest.topics).length > 0) {
      this.frameSignal.emit(rest);
    }
  }

  /** Number of steps at or before a moment. */
  private stepsUntil(moment: Seconds): number {
    return countLeading(this.steps.length, i => this.steps[i].time <= moment);
  }

  private readonly validator = new FrameValidator();
  private disposed = false;
  private target: Seconds;
  private factor = 1;
  private share: Share = 0;
  private read = 0;
  private readonly found: string[] = [];
  private unlisted = 0;
  private epoch = -1;
  private readUntil: Seconds = Number.NEGATIVE_INFINITY;
  private timer: ReturnType<typeof setInterval> | undefined;
  /** All frames read so far, without executions. */
  private readonly steps: Frame[] = [];
  /** First step of each epoch. */
  private readonly begins: number[] = [];
  private readonly keyframes: { readonly at: number; readonly frame: Frame; readonly topics: ReadonlySet<string> }[] = [];
  /** Number of steps sent, and the first step of their epoch. */
  private done = 0;
  private begun = 0;
  private readonly frameSignal = new Signal<this, Frame>(this);
  private readonly stateSignal = new Signal<this, FeedState>(this);
  private readonly rowsSignal = new Signal<this, RecordedRows>(this);
  private readonly rewoundSignal = new Signal<this, void>(this);
  private readonly movedSignal = new Signal<this, void>(this);
}

function withoutTopics(frame: Frame, without: ReadonlySet<string>): Frame {
  return { ...frame, topics: Object.fromEntries(Object.entries(frame.topics).filter(([topic]) => !without.has(topic))) };
}

function lastOf<T>(list: readonly T[], test: (item: T) => boolean): T | undefined {
  for (let i = list.length - 1; i >= 0; i--) {
    if (test(list[i])) {
      return list[i];
    }
  }
  return undefined;
}

interface Part {
  readonly keyframe: Frame | null;
  readonly frames: readonly Frame[];
  readonly tasks: readonly TopicBody[];
}
