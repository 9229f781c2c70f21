import { Signal, type ISignal } from '@lumino/signaling';
import type { Milliseconds, Seconds } from '../base/units';
import type { Frame, FrameNames, LaneName, NameEntries, Scalar, WorkerName } from '../feed/frame';
import {
  ATTEMPTS_COLUMNS,
  type AttemptsColumn,
  HELD_COLUMNS,
  PREFIXES_COLUMNS,
  TOPICS,
  WORKERS_COLUMNS,
  type Meta,
  type HeldColumn,
  type PrefixesColumn,
  type Topic,
  type WorkersColumn
} from '../feed/schema';
import { Activities } from './tables/activities';
import { Bandwidth } from './tables/bandwidth';
import { CachedResults } from './tables/cache';
import { Clock } from './clock';
import { EventLog } from './logs/events';
import { Logs } from './logs/logs';
import { MemoryRuns } from './tables/memory-runs';
import { ProfileStore } from './logs/profile';
import { GroupTable } from './graph/group-table';
import { RunningTasks } from './tables/running';
import { Series } from './tables/series';
import { Table } from './tables/table';
import { TaskGraph } from './graph/task-graph';
import { TaskStore } from './lanes/task-store';
import { Transfers } from './logs/transfers';

/** Memory thresholds of the cluster's own Dask configuration, as shares of a worker's limit; `null` where switched off. */
export interface MemoryThresholds {
  readonly target: number | null;
  readonly spill: number | null;
  readonly pause: number | null;
  readonly terminate: number | null;
}

/**
 * The state of one run, folded from the frames of one feed.
 *
 * Frames are applied in order; `changed` fires after each with the topics that it touched. A frame of another feed
 * or a later epoch begins anew: everything is forgotten first and `began` fires.
 */
export class Run {
  /** Dictionaries: positions are the ids that columns carry. */
  readonly prefixNames: string[] = [];
  readonly groupNames: string[] = [];
  readonly workerNames: WorkerName[] = [];
  readonly laneNames: LaneName[] = [];
  /** Facts about the scheduler and the feed; see topic `meta` of the schema. */
  meta: Meta = {};
  readonly workers = new Table<WorkersColumn>(WORKERS_COLUMNS);
  /** Executions that ended without a result and without a record, by prefix. */
  readonly attempts = new Table<AttemptsColumn>(ATTEMPTS_COLUMNS);
  /** Tasks that have not ended. */
  readonly running = new RunningTasks();
  readonly prefixes = new Table<PrefixesColumn>(PREFIXES_COLUMNS);
  /** What results in memory weigh, by prefix. */
  readonly held = new Table<HeldColumn>(HELD_COLUMNS);
  /** Every execution; of a recording those that had ended at the moment that is shown. */
  tasks = new TaskStore();
  readonly graph = new TaskGraph();
  readonly groups = new GroupTable();
  readonly series = new Series();
  readonly events = new EventLog();
  readonly memoryRuns = new MemoryRuns();
  readonly bandwidth = new Bandwidth();
  readonly activities = new Activities();
  readonly transfers = new Transfers();
  readonly logs = new Logs();
  /** What the workers' profilers saw of tasks, and of event loops. */
  readonly profile = new ProfileStore();
  readonly loops = new ProfileStore();
  /** What a local scheduler holds of each function over time. */
  readonly cache = new CachedResults();
  readonly clock = new Clock();
  /** Metrics of workers that are not Dask's own, by worker id. */
  readonly userMetrics = new Map<number, Readonly<Record<string, Scalar>>>();

  get changed(): ISignal<this, ReadonlySet<Topic>> {
    return this.changedSignal;
  }

  get began(): ISignal<this, void> {
    return this.beganSignal;
  }

  /** How often a topic has changed: a view that remembers the number knows whether it must draw. */
  version(topic: Topic): number {
    return this.versions[topic];
  }

  /** Whether anything of a topic has come. */
  has(topic: Topic): boolean {
    return this.versions[topic] > 0;
  }

  /** Tells this run from others: it changes when everything begins anew. */
  get identity(): string {
    return `${this.feed} ${this.epoch}`;
  }

  /** Keep at most so many executions from now on; older ones are forgotten at once, and counted. */
  keepTasks(limit: number): void {
    if (this.tasks.keep(limit)) {
      this.versions.tasks += 1;
      this.changedSignal.emit(new Set<Topic>(['tasks']));
    }
  }

  /**
   * Scheduler time from which the time axis counts: the start of the first task seen that has ended, else of the first
   * that runs, else what the feed begins with.
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

  /** Scheduler time from which the axis counts whatever comes, as that of a recording does; NaN where nothing is said. */
  anchor: Seconds = Number.NaN;

  /** Thresholds from `meta`; Dask's defaults only until `meta` has come. */
  get thresholds(): MemoryThresholds {
    const { target = null, spill = null, pause = null, terminate = null } = this.meta.thresholds ?? {};
    return { target, spill, pause, terminate };
  }

  /** Sentences of the collector about what is not up to date, at most ten. */
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
    const touched = new Set<Topic>();
    for (const topic of TOPICS) {
      const body = frame.topics[topic];
      if (body === undefined) {
        continue;
      }
      switch (topic) {
        case 'meta':
          // What a validator has let through.
          this.meta = body.scalars as Meta;
          break;
        case 'tasks':
          this.tasks.append(body);
          break;
        case 'workers':
          this.workers.apply(body);
          this.foldUserMetrics(body.scalars.user);
          break;
        case 'attempts':
          this.attempts.apply(body);
          break;
        case 'running':
          this.running.apply(body);
          break;
        case 'prefixes':
          this.prefixes.apply(body);
          break;
        case 'held':
          this.held.apply(body);
          break;
        case 'graph':
          this.graph.apply(body);
          break;
        case 'states':
          this.graph.applyStates(body);
          break;
        case 'groups':
          this.groups.apply(body);
          break;
        case 'series':
          this.series.apply(body);
          break;
        case 'events':
          this.events.append(body);
          break;
        case 'bandwidth':
          this.bandwidth.apply(body);
          break;
        case 'activities':
          this.activities.apply(body);
          break;
        case 'transfers':
          this.transfers.apply(body);
          break;
        case 'logs':
          this.logs.apply(body);
          break;
        case 'profile':
          this.profile.append(body);
          break;
        case 'loops':
          this.loops.append(body);
          break;
        case 'cache':
          this.cache.append(body);
          break;
        case 'memory_samples':
          this.memoryRuns.apply(body);
          break;
      }
      this.versions[topic] += 1;
      touched.add(topic);
    }
    this.changedSignal.emit(touched);
  }

  private begin(frame: Frame): void {
    this.feed = frame.feed;
    this.epoch = frame.epoch;
    this.firstTime = frame.time;
    this.prefixNames.length = 0;
    this.groupNames.length = 0;
    this.workerNames.length = 0;
    this.laneNames.length = 0;
    this.tasks.clear();
    this.forget();
    this.beganSignal.emit();
  }

  /** Forget the state, but neither executions nor names: the frames of an earlier moment come again. */
  rewind(): void {
    this.forget();
    for (const topic of TOPICS) {
      this.versions[topic] += this.versions[topic] > 0 ? 1 : 0;
    }
  }

  /** Take over dictionary entries that come before the frame that carries them. */
  learn(names: FrameNames): void {
    extend(this.prefixNames, names.prefixes);
    extend(this.groupNames, names.groups);
    extend(this.workerNames, names.workers);
    extend(this.laneNames, names.lanes);
  }

  /** Tell everybody that topics changed otherwise than by a frame. */
  touch(topics: readonly Topic[]): void {
    for (const topic of topics) {
      this.versions[topic] += 1;
    }
    this.changedSignal.emit(new Set(topics));
  }

  private forget(): void {
    this.meta = {};
    this.workers.clear();
    this.attempts.clear();
    this.running.clear();
    this.prefixes.clear();
    this.held.clear();
    this.graph.clear();
    this.groups.clear();
    this.series.clear();
    this.events.clear();
    this.profile.clear();
    this.loops.clear();
    this.memoryRuns.clear();
    this.bandwidth.clear();
    this.activities.clear();
    this.transfers.clear();
    this.logs.clear();
    this.cache.clear();
    this.userMetrics.clear();
  }

  private foldUserMetrics(rows: Scalar | undefined): void {
    for (const row of Array.isArray(rows) ? rows : []) {
      if (
        Array.isArray(row) &&
        typeof row[0] === 'number' &&
        typeof row[1] === 'object' &&
        row[1] !== null &&
        !Array.isArray(row[1])
      ) {
        this.userMetrics.set(row[0], row[1]);
      }
    }
  }

  private feed = '';
  private epoch = -1;
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
