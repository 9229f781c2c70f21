import { HELD_COLUMNS, type HeldColumn, type Topic } from '../feed/schema';
import type { Fold } from './fold';
import { ExecutedRows } from './graph/executed-rows';
import { GroupTable } from './graph/group-table';
import { TaskGraph } from './graph/task-graph';
import { TaskStore } from './lanes/task-store';
import { EventLog } from './logs/events';
import { Logs } from './logs/logs';
import { ProfileStore } from './logs/profile';
import { Steals } from './logs/steals';
import { Transfers } from './logs/transfers';
import { Activities } from './tables/activities';
import { Attempts } from './logs/attempts';
import { Bandwidth } from './tables/bandwidth';
import { CachedResults } from './tables/cache';
import { Computations } from './tables/computations';
import { Errors } from './tables/errors';
import { Facts } from './tables/facts';
import { Hardware } from './logs/hardware';
import { MemoryRuns } from './tables/memory-runs';
import { Prefixes } from './tables/prefixes';
import { RunningTasks } from './tables/running';
import { Series } from './tables/series';
import { Shuffles } from './logs/shuffles';
import { Table } from './tables/table';
import { Workers } from './tables/workers';

/** All state folded from topics, and nothing else: a copy of it is one moment of the run. */
export class RunState {
  readonly facts = new Facts();
  readonly workers = new Workers();
  /** Executions that ended without a result and without a record. */
  readonly attempts = new Attempts();
  /** What failed, by function and message. */
  readonly errors = new Errors();
  /** Running tasks. */
  readonly running = new RunningTasks();
  readonly prefixes = new Prefixes();
  /** Bytes of results in memory, by prefix. */
  readonly held = new Table<HeldColumn>(HELD_COLUMNS);
  /** Every execution; for a recording, those that had ended at the displayed moment. */
  tasks = new TaskStore();
  readonly computations = new Computations();
  readonly graph = new TaskGraph();
  /** Which task of the graph each execution was of. */
  readonly executed = new ExecutedRows();
  readonly groups = new GroupTable();
  readonly series = new Series();
  readonly events = new EventLog();
  /** Tasks that Dask tried to move from a busy worker to an idle one. */
  readonly steals = new Steals();
  /** P2P shuffles, and what their workers moved. */
  readonly shuffles = new Shuffles();
  /** What the workers' hardware reaches, measured on request. */
  readonly hardware = new Hardware();
  readonly memoryRuns = new MemoryRuns();
  readonly bandwidth = new Bandwidth();
  readonly activities = new Activities();
  readonly transfers = new Transfers();
  readonly logs = new Logs();
  /** Samples of the workers' profilers, of tasks and of event loops. */
  readonly profile = new ProfileStore();
  readonly loops = new ProfileStore();
  /** Number of results of each function that a local scheduler keeps, over time. */
  readonly cache = new CachedResults();
}

/** The field names of {@link RunState}. */
export type FoldName = keyof RunState;

/** The field that a topic is folded into. To add a topic, add a line here and its field above. */
export const FOLDS = {
  meta: 'facts',
  tasks: 'tasks',
  workers: 'workers',
  attempts: 'attempts',
  errors: 'errors',
  running: 'running',
  prefixes: 'prefixes',
  held: 'held',
  computations: 'computations',
  graph: 'graph',
  states: 'graph',
  executed: 'executed',
  groups: 'groups',
  series: 'series',
  events: 'events',
  steals: 'steals',
  shuffles: 'shuffles',
  bandwidth: 'bandwidth',
  activities: 'activities',
  hardware: 'hardware',
  transfers: 'transfers',
  logs: 'logs',
  profile: 'profile',
  loops: 'loops',
  cache: 'cache',
  memory_samples: 'memoryRuns'
} as const satisfies Readonly<Record<Topic, FoldName>>;

/** The type checker reports fields that no topic fills. */
type Filled = Exclude<FoldName, (typeof FOLDS)[Topic]> extends never ? RunState : never;

/** The fields of a state by name. Each can be folded, cleared and copied. */
export function foldsOf(state: Filled): Record<FoldName, Fold> {
  return state;
}

/** Each field once. */
export const FOLD_NAMES: ReadonlySet<FoldName> = new Set(Object.values(FOLDS));
