// Generated from bridge/dask_panes/feed/schema.json by `npm run schema`. Do not edit.
/** Version of the frame format. */
export const PROTOCOL = 1;

/** Frames and bytes that may be on their way to one tab without an acknowledgement. */
export const CREDIT = { frames: 128, bytes: 524288 } as const;

/** msgpack extension codes of u1, u2, u4, f4, f8, in this order. */
export const DTYPE_CODES = [1, 2, 3, 4, 5] as const;

/** Every topic of the feed. */
export const TOPICS = ['meta', 'tasks', 'workers', 'running', 'attempts', 'errors', 'computations', 'prefixes', 'graph', 'states', 'executed', 'groups', 'held', 'series', 'cache', 'events', 'steals', 'shuffles', 'bandwidth', 'activities', 'hardware', 'memory_samples', 'profile', 'loops', 'transfers', 'logs'] as const;
/** A topic of the feed. */
export type Topic = (typeof TOPICS)[number];
/** Topics that the kernel asks the workers for, some at a time: on a large cluster they come late. */
export const GATHERED_TOPICS: readonly Topic[] = ['profile', 'loops', 'transfers', 'logs'];

/** Codes of `kind`: the position is the code. */
export const KIND = ['compute', 'transfer', 'disk-read', 'disk-write', 'deserialize'] as const;
/** A name of `kind`. */
export type Kind = (typeof KIND)[number];

/** Codes of `taskStatus`: the position is the code. */
export const TASK_STATUS = ['OK', 'erred'] as const;
/** A name of `taskStatus`. */
export type TaskStatus = (typeof TASK_STATUS)[number];

/** Codes of `workerStatus`: the position is the code. */
export const WORKER_STATUS = ['unknown', 'init', 'running', 'paused', 'closing_gracefully', 'closing', 'closed', 'failed', 'lost'] as const;
/** A name of `workerStatus`. */
export type WorkerStatus = (typeof WORKER_STATUS)[number];

/** Codes of `taskState`: the position is the code. */
export const TASK_STATE = ['released', 'waiting', 'no-worker', 'queued', 'processing', 'memory', 'erred', 'forgotten', 'cancelled'] as const;
/** A name of `taskState`. */
export type TaskState = (typeof TASK_STATE)[number];

/** Codes of `runningState`: the position is the code. */
export const RUNNING_STATE = ['ended', 'executing', 'long-running'] as const;
/** A name of `runningState`. */
export type RunningState = (typeof RUNNING_STATE)[number];

/** Codes of `errorKind`: the position is the code. */
export const ERROR_KIND = ['erred', 'retried'] as const;
/** A name of `errorKind`. */
export type ErrorKind = (typeof ERROR_KIND)[number];

/** Codes of `attemptEnd`: the position is the code. */
export const ATTEMPT_END = ['retried', 'rescheduled', 'lost', 'renewed', 'repeated'] as const;
/** A name of `attemptEnd`. */
export type AttemptEnd = (typeof ATTEMPT_END)[number];

/** Codes of `workerLoad`: the position is the code. */
export const WORKER_LOAD = ['idle', 'busy', 'saturated'] as const;
/** A name of `workerLoad`. */
export type WorkerLoad = (typeof WORKER_LOAD)[number];

/** Codes of `workerHeartbeat`: the position is the code. */
export const WORKER_HEARTBEAT = ['on time', 'overdue'] as const;
/** A name of `workerHeartbeat`. */
export type WorkerHeartbeat = (typeof WORKER_HEARTBEAT)[number];

/** Codes of `measure`: the position is the code. */
export const MEASURE = ['cpu', 'process', 'managed', 'spilled', 'net_read', 'net_write', 'disk_read', 'disk_write', 'processing', 'executing', 'threads', 'assigned', 'computing', 'event_loop', 'gil', 'cancelled', 'unheard'] as const;
/** A name of `measure`. */
export type Measure = (typeof MEASURE)[number];

/** Codes of `stealOutcome`: the position is the code. */
export const STEAL_OUTCOME = ['confirmed', 'refused', 'rescheduled', 'outdated'] as const;
/** A name of `stealOutcome`. */
export type StealOutcome = (typeof STEAL_OUTCOME)[number];

/** Codes of `hardwareKind`: the position is the code. */
export const HARDWARE_KIND = ['disk', 'memory', 'network'] as const;
/** A name of `hardwareKind`. */
export type HardwareKind = (typeof HARDWARE_KIND)[number];

/** Codes of `shuffleState`: the position is the code. */
export const SHUFFLE_STATE = ['sending', 'unpacking', 'done', 'failed', 'stopped'] as const;
/** A name of `shuffleState`. */
export type ShuffleState = (typeof SHUFFLE_STATE)[number];

/** Columns of topic `tasks`. */
export const TASKS_COLUMNS = ['lane', 'prefix', 'start', 'duration', 'status', 'nbytes'] as const;
/** A column of topic `tasks`. */
export type TasksColumn = (typeof TASKS_COLUMNS)[number];

/** Columns of the moves of topic `tasks`. */
export const MOVES_COLUMNS = ['at', 'kind', 'start', 'duration', 'peer'] as const;
/** A column of the moves of topic `tasks`. */
export type MovesColumn = (typeof MOVES_COLUMNS)[number];

/** Columns of topic `workers`. */
export const WORKERS_COLUMNS = ['id', 'status', 'load', 'nthreads', 'memory_limit', 'last_seen', 'heartbeat', 'left', 'cpu', 'processing', 'executing', 'seceded', 'cancelled', 'in_memory', 'process', 'managed', 'unmanaged_old', 'unmanaged_recent', 'spilled', 'occupancy', 'transfer_in', 'transfer_out', 'net_read', 'net_write', 'disk_read', 'disk_write', 'num_fds', 'event_loop_interval', 'gil_contention', 'gpu_memory', 'gpu_limit', 'gpu_utilization', 'rmm_used', 'rmm_pool', 'cudf_spilled'] as const;
/** A column of topic `workers`. */
export type WorkersColumn = (typeof WORKERS_COLUMNS)[number];

/** Columns of topic `running`. */
export const RUNNING_COLUMNS = ['id', 'state', 'worker', 'prefix', 'start', 'as_of'] as const;
/** A column of topic `running`. */
export type RunningColumn = (typeof RUNNING_COLUMNS)[number];

/** Columns of topic `attempts`. */
export const ATTEMPTS_COLUMNS = ['id', 'retried', 'rescheduled', 'lost', 'erred'] as const;
/** A column of topic `attempts`. */
export type AttemptsColumn = (typeof ATTEMPTS_COLUMNS)[number];

/** Columns of topic `errors`. */
export const ERRORS_COLUMNS = ['id', 'kind', 'prefix', 'count', 'now', 'dependents', 'again', 'dependents_ever', 'elsewhere', 'first', 'last'] as const;
/** A column of topic `errors`. */
export type ErrorsColumn = (typeof ERRORS_COLUMNS)[number];

/** Columns of topic `computations`. */
export const COMPUTATIONS_COLUMNS = ['id', 'submissions', 'tasks', 'unfollowed', 'again', 'left', 'dropped', 'done', 'renewing', 'renewed', 'lost', 'erred', 'erred_before', 'failed', 'dropped_ever', 'since', 'last', 'start', 'stop', 'compute', 'transfer', 'disk', 'offered', 'nbytes', 'reading', 'graph', 'packing', 'begun'] as const;
/** A column of topic `computations`. */
export type ComputationsColumn = (typeof COMPUTATIONS_COLUMNS)[number];

/** Columns of topic `prefixes`. */
export const PREFIXES_COLUMNS = ['id', 'counted', 'released', 'waiting', 'queued', 'no_worker', 'processing', 'memory', 'erred', 'forgotten', 'forgotten_erred', 'cancelled', 'nbytes', 'duration_average', 'max_exec_time', 'compute', 'transfer', 'disk_read', 'disk_write', 'deserialize', 'suspicious', 'since', 'until', 'order', 'done_before', 'erred_before', 'memory_before', 'recent', 'recent_since'] as const;
/** A column of topic `prefixes`. */
export type PrefixesColumn = (typeof PREFIXES_COLUMNS)[number];

/** Columns of topic `graph`. */
export const GRAPH_COLUMNS = ['prefix', 'group', 'state'] as const;
/** A column of topic `graph`. */
export type GraphColumn = (typeof GRAPH_COLUMNS)[number];

/** Columns of topic `states`. */
export const STATES_COLUMNS = ['number', 'state'] as const;
/** A column of topic `states`. */
export type StatesColumn = (typeof STATES_COLUMNS)[number];

/** Columns of topic `executed`. */
export const EXECUTED_COLUMNS = ['number'] as const;
/** A column of topic `executed`. */
export type ExecutedColumn = (typeof EXECUTED_COLUMNS)[number];

/** Columns of topic `groups`. */
export const GROUPS_COLUMNS = ['id', 'prefix', 'released', 'waiting', 'queued', 'no_worker', 'processing', 'memory', 'erred', 'forgotten', 'forgotten_erred', 'cancelled', 'nbytes', 'duration', 'start', 'stop', 'read', 'freed', 'freed_tasks'] as const;
/** A column of topic `groups`. */
export type GroupsColumn = (typeof GROUPS_COLUMNS)[number];

/** Columns of topic `held`. */
export const HELD_COLUMNS = ['id', 'results', 'nbytes', 'copies'] as const;
/** A column of topic `held`. */
export type HeldColumn = (typeof HELD_COLUMNS)[number];

/** Columns of topic `series`. */
export const SERIES_COLUMNS = ['time', 'until', 'workers', 'scheduler_cpu', 'scheduler_memory', 'scheduler_net_read', 'scheduler_net_write', 'scheduler_disk_read', 'scheduler_disk_write', 'scheduler_fds', 'scheduler_tick', 'scheduler_gil', 'scheduler_idle', 'scheduler_saturated', 'spent_cpu', 'spent_noncpu', 'spent_executor', 'spent_network', 'spent_disk', 'spent_serialize', 'spent_compress', 'spent_shuffle', 'spent_other'] as const;
/** A column of topic `series`. */
export type SeriesColumn = (typeof SERIES_COLUMNS)[number];

/** Columns of topic `cache`. */
export const CACHE_COLUMNS = ['time', 'prefix', 'count', 'nbytes'] as const;
/** A column of topic `cache`. */
export type CacheColumn = (typeof CACHE_COLUMNS)[number];

/** Columns of topic `events`. */
export const EVENTS_COLUMNS = ['time'] as const;
/** A column of topic `events`. */
export type EventsColumn = (typeof EVENTS_COLUMNS)[number];

/** Columns of topic `steals`. */
export const STEALS_COLUMNS = ['time', 'outcome', 'victim', 'thief', 'prefix', 'asked', 'cost'] as const;
/** A column of topic `steals`. */
export type StealsColumn = (typeof STEALS_COLUMNS)[number];

/** Columns of topic `shuffles`. */
export const SHUFFLES_COLUMNS = ['id', 'state', 'start', 'stop', 'workers', 'inputs', 'inputs_done', 'outputs', 'outputs_done', 'told', 'sent', 'received', 'to_send', 'stored', 'to_store', 'read_back'] as const;
/** A column of topic `shuffles`. */
export type ShufflesColumn = (typeof SHUFFLES_COLUMNS)[number];

/** Columns of topic `bandwidth`. */
export const BANDWIDTH_COLUMNS = ['id', 'receiver', 'sender', 'rate'] as const;
/** A column of topic `bandwidth`. */
export type BandwidthColumn = (typeof BANDWIDTH_COLUMNS)[number];

/** Columns of topic `activities`. */
export const ACTIVITIES_COLUMNS = ['id', 'value'] as const;
/** A column of topic `activities`. */
export type ActivitiesColumn = (typeof ACTIVITIES_COLUMNS)[number];

/** Columns of topic `hardware`. */
export const HARDWARE_COLUMNS = ['worker', 'kind', 'peer', 'size', 'rate'] as const;
/** A column of topic `hardware`. */
export type HardwareColumn = (typeof HARDWARE_COLUMNS)[number];

/** Columns of topic `memory_samples`. */
export const MEMORY_SAMPLES_COLUMNS = ['run', 'time', 'nbytes'] as const;
/** A column of topic `memory_samples`. */
export type Memory_samplesColumn = (typeof MEMORY_SAMPLES_COLUMNS)[number];

/** Columns of topic `profile`. */
export const PROFILE_COLUMNS = ['at', 'span', 'worker', 'prefix', 'stack', 'samples'] as const;
/** A column of topic `profile`. */
export type ProfileColumn = (typeof PROFILE_COLUMNS)[number];

/** Columns of topic `loops`. */
export const LOOPS_COLUMNS = ['at', 'span', 'worker', 'prefix', 'stack', 'samples'] as const;
/** A column of topic `loops`. */
export type LoopsColumn = (typeof LOOPS_COLUMNS)[number];

/** Columns of topic `transfers`. */
export const TRANSFERS_COLUMNS = ['sender', 'receiver', 'start', 'stop', 'total', 'compressed', 'keys', 'sides'] as const;
/** A column of topic `transfers`. */
export type TransfersColumn = (typeof TRANSFERS_COLUMNS)[number];

/** Columns of topic `logs`. */
export const LOGS_COLUMNS = ['time', 'level', 'server'] as const;
/** A column of topic `logs`. */
export type LogsColumn = (typeof LOGS_COLUMNS)[number];

/** Facts of topic `meta`: each may be missing. */
export type Meta = {
  /** of the scheduler; empty for local schedulers */
  readonly address?: string;
  /** Dask's id of the scheduler */
  readonly id?: string;
  /** when it began to observe */
  readonly started?: number | null;
  /** tasks that had finished before */
  readonly earlier_tasks?: number | null;
  /** since when nothing happens; null while something does */
  readonly idle_since?: number | null;
  /** list of [begin, end] of the periods in which the scheduler did not get to look at itself, as while its process was stopped: what did not run then may have been held up. Beyond 100, two with little time between them become one, else the shortest is forgotten */
  readonly unobserved?: readonly (readonly [number | null, number | null])[];
  /** graphs that the scheduler is unpacking and ordering now */
  readonly reading?: number | null;
  /** messages for users about what is not up to date */
  readonly problems?: readonly (string)[];
  /** protocol and version of the collector as numbers, to be compared; empty where it tells none */
  readonly collector?: readonly (number | null)[];
  /** whether Dask moves tasks from busy workers to idle ones */
  readonly stealing?: boolean;
  /** what a scheduler that takes no plugin, or one of an older release, does not report: facts of this topic, which are missing, and columns of topic prefixes, which are 0 whatever they are */
  readonly unknown?: readonly (string)[];
  /** clients that are connected, and the ids of the first of them; of workers that act as clients, too */
  readonly clients?: {
    readonly count?: number | null;
    readonly names?: readonly (string)[];
  };
  /** executions that are kept */
  readonly ring_rows?: number | null;
  /** version of Python */
  readonly python?: string;
  /** that processes on the scheduler's machine may use, by Dask (with the limits of containers) */
  readonly cores?: number | null;
  /** versions of packages by name, in the scheduler's process */
  readonly versions?: Readonly<Record<string, string>>;
  /** versions of Python and of packages by name, in the processes of workers: all that they have had so far; missing in frames of earlier versions */
  readonly worker_versions?: Readonly<Record<string, readonly (string)[]>>;
  /** memory thresholds of workers as shares of their limit; null where switched off */
  readonly thresholds?: {
    readonly target?: number | null;
    readonly spill?: number | null;
    readonly pause?: number | null;
    readonly terminate?: number | null;
  };
  /** Dask's settings of the workers' profilers, as texts */
  readonly profile?: {
    readonly interval?: string;
    readonly cycle?: string;
  };
  /** of local schedulers: facts of the newest compute; null before the first. metric: what finished profilers measured of results */
  readonly local?: {
    readonly scheduler?: string;
    readonly workers?: number | null;
    readonly computes?: number | null;
    readonly began?: number | null;
    readonly ended?: number | null;
    readonly total?: number | null;
    readonly done?: number | null;
    readonly running?: number | null;
    readonly outcome?: string;
    readonly metric?: string;
  } | null;
};
