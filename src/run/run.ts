import { Signal, type ISignal } from '@lumino/signaling';
import type { Milliseconds, Seconds } from '../base/units';
import type { Frame, FrameNames, LaneName, NameEntries, WorkerName } from '../feed/frame';
import { TOPICS, type Meta, type Topic } from '../feed/schema';
import { Clock } from './clock';
import { FOLDS, FOLD_NAMES, RunState, foldsOf } from './run-state';

/**
 * Memory thresholds from the scheduler's own Dask configuration, as fractions of a worker's limit; `null` if disabled.
 */
export interface MemoryThresholds {
  readonly target: number | null;
  readonly spill: number | null;
  readonly pause: number | null;
  readonly terminate: number | null;
}

/** Names of task groups that are kept: those of as many as the collector names to a page that comes late. */
const GROUP_NAMES = 22_000;

/**
 * The state of one run, folded from the frames of one feed.
 *
 * Frames are applied in order; `changed` fires after each with the changed topics. A frame of another feed or a later
 * epoch starts over: all state is cleared first and `began` fires.
 */
export class Run extends RunState {
  constructor(readonly clock: Clock = new Clock()) {
    super();
  }

  /** Dictionaries: columns refer to entries by position. */
  readonly prefixNames: string[] = [];
  readonly groupNames: string[] = [];
  readonly workerNames: WorkerName[] = [];
  readonly laneNames: LaneName[] = [];

  /** Facts about the scheduler and the feed; see topic `meta` of the schema. */
  get meta(): Meta {
    return this.facts.meta;
  }

  get changed(): ISignal<this, ReadonlySet<Topic>> {
    return this.changedSignal;
  }

  get began(): ISignal<this, void> {
    return this.beganSignal;
  }

  /** Number of changes of a topic: a view compares it to decide whether to redraw. */
  version(topic: Topic): number {
    return this.versions[topic];
  }

  /** Whether the topic has received anything. */
  has(topic: Topic): boolean {
    return this.versions[topic] > 0;
  }

  /** Identifies this run; changes when the run starts over. */
  get identity(): string {
    return `${this.feed} ${this.epoch}`;
  }

  /** Whether the scheduler, or what observes it, has started over before: by a restart of the cluster, or a newer collector. */
  get hasStartedOver(): boolean {
    return this.epoch > 0;
  }

  /** Keep at most this many executions from now on; older ones are dropped at once, and sums of them remain. */
  keepTasks(limit: number): void {
    if (this.tasks.keep(limit)) {
      this.versions.tasks += 1;
      this.changedSignal.emit(new Set<Topic>(['tasks']));
    }
  }

  /**
   * Origin of the time axis in scheduler time: the start of the first finished task seen, else of the first running
   * one, else the start of the feed.
   */
  get origin(): Seconds {
    if (Number.isFinite(this.anchor)) {
      return this.anchor;
    }
    const { started } = this.meta;
    const begin = typeof started === 'number' ? Math.min(started, this.firstTime) : this.firstTime;
    const { firstStart } = this.tasks;
    const { earliest } = this.running;
    return Number.isFinite(firstStart) ? firstStart : Number.isFinite(earliest) ? earliest : begin;
  }

  /** Fixed origin of the time axis, as for a recording; NaN if none is set. */
  anchor: Seconds = Number.NaN;

  /** Id of the client that it is seen through; '' if it is of none, as that of a recording. */
  client = '';

  /** Since when the cluster has had nothing to do, in scheduler time; NaN while it works, or if that is unknown. */
  get idleSince(): Seconds {
    const since = this.meta.idle_since ?? 0;
    return since > 0 ? since : Number.NaN;
  }

  /** Thresholds from `meta`; `null` also where the scheduler does not report them. */
  get thresholds(): MemoryThresholds {
    const { target = null, spill = null, pause = null, terminate = null } = this.meta.thresholds ?? {};
    return { target, spill, pause, terminate };
  }

  /** The collector's messages about outdated data, at most ten. */
  get problems(): readonly string[] {
    return (this.meta.problems ?? []).slice(0, 10);
  }

  /** Fold one frame into the state. `arrived` is `performance.now()` at its arrival. */
  apply(frame: Frame, arrived: Milliseconds): void {
    if (frame.feed !== this.feed || frame.epoch !== this.epoch) {
      this.begin(frame);
    }
    this.clock.observe(frame.time, arrived);
    this.learn(frame.names);
    this.forgetGroupNames();
    const touched = new Set<Topic>();
    const folds = foldsOf(this);
    for (const topic of TOPICS) {
      const body = frame.topics[topic];
      if (body !== undefined) {
        folds[FOLDS[topic]].apply(body, topic);
        this.versions[topic] += 1;
        touched.add(topic);
      }
    }
    this.changedSignal.emit(touched);
  }

  /** Whether its client, cluster or kernel has ended: what it shows as going on did so then. */
  get hasEnded(): boolean {
    return this.clock.hasEnded;
  }

  /** Nothing more will arrive. `answered` is the `performance.now()` of the last answer. */
  end(answered: Milliseconds): void {
    if (!this.hasEnded) {
      this.clock.end(answered);
      // Whatever is shown of it is of the past now.
      this.touch(TOPICS.filter(topic => topic === 'meta' || this.has(topic)));
    }
  }

  /** An independent copy of this run: it receives no frames and emits no signals. */
  copy(): Run {
    const copy = new Run(this.clock.copy());
    const [from, into] = [foldsOf(this), foldsOf(copy)];
    for (const name of FOLD_NAMES) {
      into[name] = from[name].copy();
    }
    extend(copy.prefixNames, { from: 0, values: this.prefixNames });
    extend(copy.groupNames, { from: 0, values: this.groupNames });
    extend(copy.workerNames, { from: 0, values: this.workerNames });
    extend(copy.laneNames, { from: 0, values: this.laneNames });
    Object.assign(copy.versions, this.versions);
    const { anchor, client, feed, epoch, firstTime, unnamed } = this;
    return Object.assign(copy, { anchor, client, feed, epoch, firstTime, unnamed });
  }

  private begin(frame: Frame): void {
    if (frame.feed !== this.feed) {
      this.clock.restart();
    }
    this.feed = frame.feed;
    this.epoch = frame.epoch;
    this.firstTime = frame.time;
    this.prefixNames.length = 0;
    this.groupNames.length = 0;
    this.unnamed = 0;
    this.workerNames.length = 0;
    this.laneNames.length = 0;
    this.tasks.clear();
    this.forget();
    this.beganSignal.emit();
  }

  /** Clear the state except executions and names: the frames of an earlier moment follow. */
  rewind(): void {
    this.forget();
  }

  /** Add dictionary entries that arrive before the frame that contains them. */
  learn(names: FrameNames): void {
    extend(this.prefixNames, names.prefixes);
    extend(this.groupNames, names.groups);
    extend(this.workerNames, names.workers);
    extend(this.laneNames, names.lanes);
  }

  /** Names of old groups take most of what a page of days has. A recording has those of all its moments. */
  private forgetGroupNames(): void {
    const end = Number.isNaN(this.anchor) ? this.groupNames.length - GROUP_NAMES : 0;
    for (; this.unnamed < end; this.unnamed++) {
      this.groupNames[this.unnamed] = '';
    }
  }

  /** Notify listeners that topics changed without a frame. */
  touch(topics: readonly Topic[]): void {
    for (const topic of topics) {
      this.versions[topic] += 1;
    }
    this.changedSignal.emit(new Set(topics));
  }

  /** Clear everything but executions, and what readers keep of it: a topic may arrive later than the others. */
  private forget(): void {
    const folds = foldsOf(this);
    for (const name of FOLD_NAMES) {
      if (name !== 'tasks') {
        folds[name].clear();
      }
    }
    for (const topic of TOPICS) {
      this.versions[topic] += this.versions[topic] > 0 ? 1 : 0;
    }
  }

  private feed = '';
  private epoch = -1;
  /** Number of groups that have no name any more. */
  private unnamed = 0;
  private firstTime: Seconds = Number.NaN;
  private readonly versions = Object.fromEntries(TOPICS.map(topic => [topic, 0])) as Record<Topic, number>;
  private readonly changedSignal = new Signal<this, ReadonlySet<Topic>>(this);
  private readonly beganSignal = new Signal<this, void>(this);
}

function extend<T>(list: T[], entries: NameEntries<T> | undefined): void {
  if (entries === undefined) {
    return;
  }
  for (const [i, value] of entries.values.entries()) {
    list[entries.from + i] = value;
  }
}
