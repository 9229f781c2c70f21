// Generated from bridge/dask_panes/feed/schema.json by `npm run schema`. Do not edit.
import type { TopicChecks, ValueCheck } from './checks';

/** Version of the frame format. */
export const PROTOCOL = 1;

/** Frames and bytes that may be on their way to one tab without an acknowledgement. */
export const CREDIT = { frames: 128, bytes: 524288 } as const;

/** msgpack extension codes of u1, u2, u4, f4, f8, in this order. */
export const DTYPE_CODES = [1, 2, 3, 4, 5] as const;

/** Every topic of the feed. */
export const TOPICS = ['meta', 'tasks', 'workers', 'running', 'attempts', 'computations', 'prefixes', 'graph', 'states', 'groups', 'held', 'series', 'cache', 'events', 'bandwidth', 'activities', 'memory_samples', 'profile', 'loops', 'transfers', 'logs'] as const;
/** A topic of the feed. */
export type Topic = (typeof TOPICS)[number];

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

/** Codes of `workerLoad`: the position is the code. */
export const WORKER_LOAD = ['idle', 'busy', 'saturated'] as const;
/** A name of `workerLoad`. */
export type WorkerLoad = (typeof WORKER_LOAD)[number];

/** Codes of `measure`: the position is the code. */
export const MEASURE = ['cpu', 'process', 'managed', 'spilled', 'net_read', 'net_write', 'disk_read', 'disk_write', 'processing', 'executing', 'threads', 'assigned', 'computing'] as const;
/** A name of `measure`. */
export type Measure = (typeof MEASURE)[number];

/** Columns of topic `tasks`. */
export const TASKS_COLUMNS = ['lane', 'prefix', 'start', 'duration', 'status', 'nbytes'] as const;
/** A column of topic `tasks`. */
export type TasksColumn = (typeof TASKS_COLUMNS)[number];

/** Columns of the moves of topic `tasks`. */
export const MOVES_COLUMNS = ['at', 'kind', 'start', 'duration', 'peer'] as const;
/** A column of the moves of topic `tasks`. */
export type MovesColumn = (typeof MOVES_COLUMNS)[number];

/** Columns of topic `workers`. */
export const WORKERS_COLUMNS = ['id', 'status', 'load', 'nthreads', 'memory_limit', 'last_seen', 'cpu', 'processing', 'executing', 'in_memory', 'process', 'managed', 'unmanaged_old', 'unmanaged_recent', 'spilled', 'occupancy', 'transfer_in', 'transfer_out', 'net_read', 'net_write', 'disk_read', 'disk_write', 'num_fds', 'event_loop_interval', 'gil_contention'] as const;
/** A column of topic `workers`. */
export type WorkersColumn = (typeof WORKERS_COLUMNS)[number];

/** Columns of topic `running`. */
export const RUNNING_COLUMNS = ['id', 'state', 'worker', 'prefix', 'start', 'as_of'] as const;
/** A column of topic `running`. */
export type RunningColumn = (typeof RUNNING_COLUMNS)[number];

/** Columns of topic `attempts`. */
export const ATTEMPTS_COLUMNS = ['id', 'retried', 'rescheduled', 'lost'] as const;
/** A column of topic `attempts`. */
export type AttemptsColumn = (typeof ATTEMPTS_COLUMNS)[number];

/** Columns of topic `computations`. */
export const COMPUTATIONS_COLUMNS = ['id', 'submissions', 'tasks', 'unfollowed', 'left', 'dropped', 'done', 'erred', 'since', 'last', 'start', 'stop', 'compute', 'transfer', 'disk', 'offered', 'nbytes', 'reading', 'graph'] as const;
/** A column of topic `computations`. */
export type ComputationsColumn = (typeof COMPUTATIONS_COLUMNS)[number];

/** Columns of topic `prefixes`. */
export const PREFIXES_COLUMNS = ['id', 'released', 'waiting', 'queued', 'no_worker', 'processing', 'memory', 'erred', 'forgotten', 'forgotten_erred', 'cancelled', 'nbytes', 'duration_average', 'max_exec_time', 'compute', 'transfer', 'disk_read', 'disk_write', 'deserialize', 'suspicious', 'since', 'until', 'order', 'done_before', 'erred_before', 'memory_before', 'recent', 'recent_since'] as const;
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

/** Columns of topic `groups`. */
export const GROUPS_COLUMNS = ['id', 'prefix', 'released', 'waiting', 'queued', 'no_worker', 'processing', 'memory', 'erred', 'forgotten', 'forgotten_erred', 'cancelled', 'nbytes', 'duration', 'start', 'stop'] as const;
/** A column of topic `groups`. */
export type GroupsColumn = (typeof GROUPS_COLUMNS)[number];

/** Columns of topic `held`. */
export const HELD_COLUMNS = ['id', 'results', 'nbytes', 'copies'] as const;
/** A column of topic `held`. */
export type HeldColumn = (typeof HELD_COLUMNS)[number];

/** Columns of topic `series`. */
export const SERIES_COLUMNS = ['time', 'until', 'workers'] as const;
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

/** Columns of topic `bandwidth`. */
export const BANDWIDTH_COLUMNS = ['id', 'receiver', 'sender', 'rate'] as const;
/** A column of topic `bandwidth`. */
export type BandwidthColumn = (typeof BANDWIDTH_COLUMNS)[number];

/** Columns of topic `activities`. */
export const ACTIVITIES_COLUMNS = ['id', 'value'] as const;
/** A column of topic `activities`. */
export type ActivitiesColumn = (typeof ACTIVITIES_COLUMNS)[number];

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

/** What a reader takes at most; see `docs/feed.md`, "Validation". */
export const LIMITS = { frameBytes: 67108864, depth: 16, rows: 1048576, entries: 1048576, cursor: 200, values: 4194304, frames: 16384, identity: 200 } as const;

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
  /** graphs that the scheduler is unpacking and ordering now */
  readonly reading?: number | null;
  /** sentences for people about what is not up to date */
  readonly problems?: readonly (string)[];
  /** protocol and version of the collector as numbers, to be compared; empty where it tells none */
  readonly collector?: readonly (number | null)[];
  /** executions that are kept */
  readonly ring_rows?: number | null;
  /** version of Python */
  readonly python?: string;
  /** versions of packages by name */
  readonly versions?: Readonly<Record<string, string>>;
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

/** What the entries of the dictionaries may be; those before are known when one is read. */
export const NAME_CHECKS: Readonly<Record<'workers' | 'prefixes' | 'groups' | 'lanes', ValueCheck>> = {
  workers: {
    fields: {
      address: { text: 1000 },
      name: { text: 1000 },
      host: { text: 1000 },
      nthreads: { least: 0, most: 1000000000, whole: true },
      memory_limit: { least: 0, most: 1e+24, unknown: true },
      pid: { least: 0, most: 9007199254740991, whole: true },
      dashboard: { text: 100 },
      version: { text: 100 },
      lane: { text: 200 }
    }
  },
  prefixes: { text: 1000 },
  groups: { text: 1000 },
  lanes: {
    tuple: [
      { in: 'workers' },
      { least: -18446744073709552000, most: 18446744073709552000 }
    ]
  }
};

/** What each topic may hold. */
export const CHECKS: Readonly<Record<Topic, TopicChecks>> = {
  meta: {
    columns: {},
    scalars: {
      address: { text: 1000 },
      id: { text: 1000 },
      started: { least: 0, most: 7258118400, null: true },
      earlier_tasks: { least: 0, most: 9007199254740991, whole: true },
      idle_since: { least: 0, most: 7258118400, null: true },
      reading: { least: 0, most: 1000000000, whole: true },
      problems: {
        most: 100,
        list: { text: 1000 }
      },
      collector: {
        most: 10,
        list: { least: 0, most: 4294967295, whole: true }
      },
      ring_rows: { least: 0, most: 9007199254740991, whole: true },
      python: { text: 100 },
      versions: {
        most: 50,
        keys: 100,
        map: { text: 100 }
      },
      thresholds: {
        fields: {
          target: { least: 0, most: 1, unknown: true },
          spill: { least: 0, most: 1, unknown: true },
          pause: { least: 0, most: 1, unknown: true },
          terminate: { least: 0, most: 1, unknown: true }
        }
      },
      profile: {
        fields: {
          interval: { text: 100 },
          cycle: { text: 100 }
        }
      },
      local: {
        null: true,
        fields: {
          scheduler: { text: 200 },
          workers: { least: 0, most: 1000000000, whole: true },
          computes: { least: 0, most: 4294967295, whole: true },
          began: { least: 0, most: 7258118400 },
          ended: { least: 0, most: 7258118400, null: true },
          total: { least: 0, most: 1000000000, whole: true },
          done: { least: 0, most: 1000000000, whole: true },
          running: { least: 0, most: 1000000000, whole: true },
          outcome: { text: 100 },
          metric: { text: 400 }
        }
      }
    }
  },
  tasks: {
    columns: {
      lane: { float: false, in: 'lanes', needed: true },
      prefix: { float: false, in: 'prefixes', needed: true },
      start: { float: true, least: 0, most: 7258118400, unknown: true, needed: true },
      duration: { float: true, least: 0, most: 10000000000, unknown: true },
      status: { float: false, least: 0, most: 1, whole: true },
      nbytes: { float: true, least: 0, most: 1e+24, unknown: true }
    },
    moves: {
      at: { float: false, in: 'rows', needed: true },
      kind: { float: false, least: 0, most: 4, whole: true, needed: true },
      start: { float: true, least: 0, most: 7258118400, unknown: true, needed: true },
      duration: { float: true, least: 0, most: 10000000000, unknown: true },
      peer: { float: false, in: 'workers', plus: 1 }
    },
    scalars: {
      first: { least: 0, most: 9007199254740991, whole: true },
      lost: { least: 0, most: 9007199254740991, whole: true },
      end: { least: 0, most: 9007199254740991, whole: true }
    }
  },
  workers: {
    columns: {
      id: { float: false, in: 'workers', needed: true },
      status: { float: false, least: 0, most: 8, whole: true },
      load: { float: false, least: 0, most: 2, whole: true },
      nthreads: { float: false, least: 0, most: 1000000000, whole: true },
      memory_limit: { float: true, least: 0, most: 1e+24, unknown: true },
      last_seen: { float: true, least: 0, most: 7258118400 },
      cpu: { float: true, least: 0, most: 1000000000, unknown: true },
      processing: { float: false, least: 0, most: 1000000000, whole: true },
      executing: { float: false, least: 0, most: 4294967295, whole: true },
      in_memory: { float: false, least: 0, most: 1000000000, whole: true },
      process: { float: true, least: 0, most: 1e+24, unknown: true },
      managed: { float: true, least: 0, most: 1e+24, unknown: true },
      unmanaged_old: { float: true, least: -1e+24, most: 1e+24, unknown: true },
      unmanaged_recent: { float: true, least: -1e+24, most: 1e+24, unknown: true },
      spilled: { float: true, least: 0, most: 1e+24, unknown: true },
      occupancy: { float: true, least: 0, most: 10000000000, unknown: true },
      transfer_in: { float: true, least: 0, most: 1e+24, unknown: true },
      transfer_out: { float: true, least: 0, most: 1e+24, unknown: true },
      net_read: { float: true, least: 0, most: 1e+24, unknown: true },
      net_write: { float: true, least: 0, most: 1e+24, unknown: true },
      disk_read: { float: true, least: 0, most: 1e+24, unknown: true },
      disk_write: { float: true, least: 0, most: 1e+24, unknown: true },
      num_fds: { float: false, least: 0, most: 4294967295, whole: true },
      event_loop_interval: { float: true, least: 0, most: 10000000000, unknown: true },
      gil_contention: { float: true, least: 0, most: 1, unknown: true }
    },
    scalars: {
      user: {
        most: 'rows',
        list: {
          tuple: [
            { in: 'workers' },
            {
              most: 50,
              keys: 200,
              map: { least: -1e+30, most: 1e+30, unknown: true, text: 200 }
            }
          ]
        }
      }
    }
  },
  running: {
    columns: {
      id: { float: false, least: 0, most: 1048575, whole: true, needed: true },
      state: { float: false, least: 0, most: 2, whole: true, needed: true },
      worker: { float: false, in: 'workers', needed: true },
      prefix: { float: false, in: 'prefixes', needed: true },
      start: { float: true, least: 0, most: 7258118400, unknown: true, needed: true },
      as_of: { float: true, least: 0, most: 7258118400, needed: true }
    },
    scalars: {
      keys: {
        most: 'rows',
        list: {
          tuple: [
            { least: 0, most: 1048575, whole: true },
            { text: 200 }
          ]
        }
      },
      unlisted: { least: 0, most: 1000000000, whole: true }
    }
  },
  attempts: {
    columns: {
      id: { float: false, in: 'prefixes', needed: true },
      retried: { float: false, least: 0, most: 4294967295, whole: true },
      rescheduled: { float: false, least: 0, most: 4294967295, whole: true },
      lost: { float: false, least: 0, most: 4294967295, whole: true }
    },
    scalars: {}
  },
  computations: {
    columns: {
      id: { float: false, least: 0, most: 4294967295, whole: true, needed: true },
      submissions: { float: false, least: 0, most: 4294967295, whole: true },
      tasks: { float: false, least: 0, most: 4294967295, whole: true },
      unfollowed: { float: false, least: 0, most: 4294967295, whole: true },
      left: { float: false, least: 0, most: 4294967295, whole: true },
      dropped: { float: false, least: 0, most: 4294967295, whole: true },
      done: { float: false, least: 0, most: 4294967295, whole: true },
      erred: { float: false, least: 0, most: 4294967295, whole: true },
      since: { float: true, least: 0, most: 7258118400 },
      last: { float: true, least: 0, most: 7258118400 },
      start: { float: true, least: 0, most: 7258118400, unknown: true },
      stop: { float: true, least: 0, most: 7258118400, unknown: true },
      compute: { float: true, least: 0, most: 10000000000, unknown: true },
      transfer: { float: true, least: 0, most: 10000000000, unknown: true },
      disk: { float: true, least: 0, most: 10000000000, unknown: true },
      offered: { float: true, least: 0, most: 10000000000, unknown: true },
      nbytes: { float: true, least: 0, most: 1e+24, unknown: true },
      reading: { float: true, least: 0, most: 10000000000, unknown: true },
      graph: { float: true, least: 0, most: 1e+24, unknown: true }
    },
    scalars: {
      kept: { least: 0, most: 9007199254740991, whole: true },
      texts: {
        most: 1000,
        list: {
          fields: {
            id: { least: 0, most: 4294967295, whole: true },
            client: { text: 200 },
            cell: { least: 0, most: 4294967295, whole: true },
            cell_id: { text: 200 },
            code: { text: 4000 },
            line: { least: 0, most: 4294967295, whole: true },
            origin: { text: 10 },
            span: { text: 200 }
          }
        }
      }
    }
  },
  prefixes: {
    columns: {
      id: { float: false, in: 'prefixes', needed: true },
      released: { float: false, least: 0, most: 1000000000, whole: true },
      waiting: { float: false, least: 0, most: 1000000000, whole: true },
      queued: { float: false, least: 0, most: 1000000000, whole: true },
      no_worker: { float: false, least: 0, most: 1000000000, whole: true },
      processing: { float: false, least: 0, most: 1000000000, whole: true },
      memory: { float: false, least: 0, most: 1000000000, whole: true },
      erred: { float: false, least: 0, most: 1000000000, whole: true },
      forgotten: { float: false, least: 0, most: 4294967295, whole: true },
      forgotten_erred: { float: false, least: 0, most: 4294967295, whole: true },
      cancelled: { float: false, least: 0, most: 4294967295, whole: true },
      nbytes: { float: true, least: 0, most: 1e+24, unknown: true },
      duration_average: { float: true, least: -1, most: 10000000000, unknown: true },
      max_exec_time: { float: true, least: -1, most: 10000000000, unknown: true },
      compute: { float: true, least: 0, most: 10000000000, unknown: true },
      transfer: { float: true, least: 0, most: 10000000000, unknown: true },
      disk_read: { float: true, least: 0, most: 10000000000, unknown: true },
      disk_write: { float: true, least: 0, most: 10000000000, unknown: true },
      deserialize: { float: true, least: 0, most: 10000000000, unknown: true },
      suspicious: { float: false, least: 0, most: 4294967295, whole: true },
      since: { float: true, least: 0, most: 7258118400 },
      until: { float: true, least: 0, most: 7258118400 },
      order: { float: false, least: 0, most: 4294967295, whole: true },
      done_before: { float: false, least: 0, most: 4294967295, whole: true },
      erred_before: { float: false, least: 0, most: 4294967295, whole: true },
      memory_before: { float: false, least: 0, most: 1000000000, whole: true },
      recent: { float: false, least: 0, most: 4294967295, whole: true },
      recent_since: { float: true, least: 0, most: 7258118400, unknown: true }
    },
    scalars: {}
  },
  graph: {
    columns: {
      prefix: { float: false, in: 'prefixes', needed: true },
      group: { float: false, in: 'groups', needed: true },
      state: { float: false, least: 0, most: 8, whole: true, needed: true }
    },
    moves: {
      source: { float: false, least: 0, most: 4294967295, whole: true, needed: true },
      target: { float: false, least: 0, most: 4294967295, whole: true, needed: true }
    },
    scalars: {
      first: { least: 0, most: 9007199254740991, whole: true },
      first_edge: { least: 0, most: 9007199254740991, whole: true },
      kept: { least: 0, most: 9007199254740991, whole: true },
      not_kept: { least: 0, most: 9007199254740991, whole: true },
      edges_not_kept: { least: 0, most: 9007199254740991, whole: true },
      latest: { least: 0, most: 9007199254740991, whole: true },
      waiting: { least: 0, most: 9007199254740991, whole: true }
    }
  },
  states: {
    columns: {
      number: { float: false, least: 0, most: 4294967295, whole: true },
      state: { float: false, least: 0, most: 8, whole: true, needed: true }
    },
    scalars: {
      first: { least: 0, most: 9007199254740991, whole: true }
    }
  },
  groups: {
    columns: {
      id: { float: false, in: 'groups', needed: true },
      prefix: { float: false, in: 'prefixes' },
      released: { float: false, least: 0, most: 1000000000, whole: true },
      waiting: { float: false, least: 0, most: 1000000000, whole: true },
      queued: { float: false, least: 0, most: 1000000000, whole: true },
      no_worker: { float: false, least: 0, most: 1000000000, whole: true },
      processing: { float: false, least: 0, most: 1000000000, whole: true },
      memory: { float: false, least: 0, most: 1000000000, whole: true },
      erred: { float: false, least: 0, most: 1000000000, whole: true },
      forgotten: { float: false, least: 0, most: 4294967295, whole: true },
      forgotten_erred: { float: false, least: 0, most: 4294967295, whole: true },
      cancelled: { float: false, least: 0, most: 4294967295, whole: true },
      nbytes: { float: true, least: 0, most: 1e+24, unknown: true },
      duration: { float: true, least: 0, most: 10000000000, unknown: true },
      start: { float: true, least: 0, most: 7258118400, unknown: true },
      stop: { float: true, least: 0, most: 7258118400, unknown: true }
    },
    moves: {
      source: { float: false, in: 'groups', needed: true },
      target: { float: false, in: 'groups', needed: true }
    },
    scalars: {
      not_kept: { least: 0, most: 9007199254740991, whole: true }
    }
  },
  held: {
    columns: {
      id: { float: false, in: 'prefixes', needed: true },
      results: { float: false, least: 0, most: 1000000000, whole: true },
      nbytes: { float: true, least: 0, most: 1e+24, unknown: true },
      copies: { float: true, least: 0, most: 1e+24, unknown: true }
    },
    scalars: {}
  },
  series: {
    columns: {
      time: { float: true, least: 0, most: 7258118400, needed: true },
      until: { float: true, least: 0, most: 7258118400, needed: true },
      workers: { float: false, least: 0, most: 1000000000, whole: true },
      '*_sum': { float: true, least: -1e+30, most: 1e+30, unknown: true },
      '*_min': { float: true, least: -1e+30, most: 1e+30, unknown: true },
      '*_max': { float: true, least: -1e+30, most: 1e+30, unknown: true }
    },
    scalars: {
      first: { least: 0, most: 9007199254740991, whole: true },
      lost: { least: 0, most: 9007199254740991, whole: true }
    }
  },
  cache: {
    columns: {
      time: { float: true, least: 0, most: 7258118400, needed: true },
      prefix: { float: false, in: 'prefixes', needed: true },
      count: { float: false, least: 0, most: 1000000000, whole: true, needed: true },
      nbytes: { float: true, least: 0, most: 1e+24, unknown: true }
    },
    scalars: {
      first: { least: 0, most: 9007199254740991, whole: true },
      lost: { least: 0, most: 9007199254740991, whole: true },
      end: { least: 0, most: 9007199254740991, whole: true }
    }
  },
  events: {
    columns: {
      time: { float: true, least: 0, most: 7258118400, needed: true }
    },
    scalars: {
      first: { least: 0, most: 9007199254740991, whole: true },
      lost: { least: 0, most: 9007199254740991, whole: true },
      topic: {
        most: 'rows',
        list: { text: 200 }
      },
      action: {
        most: 'rows',
        list: { text: 200 }
      },
      text: {
        most: 'rows',
        list: { text: 2000 }
      }
    }
  },
  bandwidth: {
    columns: {
      id: { float: false, least: 0, most: 1048575, whole: true, needed: true },
      receiver: { float: false, in: 'workers', needed: true },
      sender: { float: false, in: 'workers', needed: true },
      rate: { float: true, least: 0, most: 1e+24, unknown: true, needed: true }
    },
    scalars: {
      total: { least: 0, most: 1e+24, unknown: true },
      types: {
        most: 500,
        list: {
          tuple: [
            { text: 200 },
            { least: 0, most: 1e+24, unknown: true }
          ]
        }
      }
    }
  },
  activities: {
    columns: {
      id: { float: false, least: 0, most: 1048575, whole: true, needed: true },
      value: { float: true, least: -1e+30, most: 1e+30, unknown: true, needed: true }
    },
    scalars: {
      base: {
        most: 'rows',
        list: {
          tuple: [
            { least: 0, most: 1048575, whole: true },
            { least: -1e+30, most: 1e+30, unknown: true }
          ]
        }
      },
      names: {
        most: 'rows',
        list: {
          tuple: [
            { least: 0, most: 1048575, whole: true },
            { text: 200 },
            { text: 1000 },
            { text: 200 },
            { text: 200 }
          ]
        }
      },
      scheduler_cpu: { least: 0, most: 1000000000, unknown: true },
      scheduler_tick: { least: 0, most: 10000000000, unknown: true },
      transitions: { least: 0, most: 9007199254740991, whole: true }
    }
  },
  memory_samples: {
    columns: {
      run: { float: false, least: 0, most: 4294967295, whole: true, needed: true },
      time: { float: true, least: 0, most: 7258118400, needed: true },
      nbytes: { float: true, least: 0, most: 1e+24, unknown: true, needed: true }
    },
    scalars: {
      first: { least: 0, most: 9007199254740991, whole: true },
      lost: { least: 0, most: 9007199254740991, whole: true },
      runs: {
        most: 1000,
        list: {
          fields: {
            id: { least: 0, most: 4294967295, whole: true },
            key: { text: 1000 },
            label: { text: 1000 },
            measure: { text: 100 },
            interval: { least: 0, most: 10000000000, unknown: true },
            stopped: { flag: true }
          }
        }
      }
    }
  },
  profile: {
    columns: {
      at: { float: false, least: 0, most: 4294967295, whole: true, needed: true },
      span: { float: false, least: 0, most: 4294967295, whole: true, needed: true },
      worker: { float: false, least: 0, most: 1048575, whole: true, needed: true },
      prefix: { float: false, in: 'own.prefixes', needed: true },
      stack: { float: false, in: 'own.stacks', needed: true },
      samples: { float: false, least: 0, most: 4294967295, whole: true, needed: true }
    },
    moves: {
      parent: { float: false, in: 'own.stacks', needed: true },
      frame: { float: false, in: 'own.frames', needed: true }
    },
    scalars: {
      first: { least: 0, most: 9007199254740991, whole: true },
      since: { least: 0, most: 7258118400 },
      frames: {
        most: 1048576,
        list: {
          tuple: [
            { text: 1000 },
            { text: 1000 },
            { least: -1e+30, most: 1e+30, unknown: true },
            { least: -1e+30, most: 1e+30, unknown: true },
            { text: 1000 }
          ]
        }
      },
      prefixes: {
        most: 1048576,
        list: { text: 1000 }
      },
      interval: { least: 0, most: 10000000000, unknown: true },
      cycle: { least: 0, most: 10000000000, unknown: true },
      servers: { least: 0, most: 4294967295, whole: true },
      silent: { least: 0, most: 4294967295, whole: true },
      off: { least: 0, most: 4294967295, whole: true },
      python311: { least: 0, most: 4294967295, whole: true },
      gone: { least: 0, most: 4294967295, whole: true },
      dropped: { least: 0, most: 4294967295, whole: true },
      lost: { least: 0, most: 9007199254740991, whole: true },
      full: { flag: true },
      limited: { text: 1000 }
    }
  },
  loops: {
    columns: {
      at: { float: false, least: 0, most: 4294967295, whole: true, needed: true },
      span: { float: false, least: 0, most: 4294967295, whole: true, needed: true },
      worker: { float: false, least: 0, most: 1048575, whole: true, needed: true },
      prefix: { float: false, in: 'own.prefixes', needed: true },
      stack: { float: false, in: 'own.stacks', needed: true },
      samples: { float: false, least: 0, most: 4294967295, whole: true, needed: true }
    },
    moves: {
      parent: { float: false, in: 'own.stacks', needed: true },
      frame: { float: false, in: 'own.frames', needed: true }
    },
    scalars: {
      first: { least: 0, most: 9007199254740991, whole: true },
      since: { least: 0, most: 7258118400 },
      frames: {
        most: 1048576,
        list: {
          tuple: [
            { text: 1000 },
            { text: 1000 },
            { least: -1e+30, most: 1e+30, unknown: true },
            { least: -1e+30, most: 1e+30, unknown: true },
            { text: 1000 }
          ]
        }
      },
      prefixes: {
        most: 1048576,
        list: { text: 1000 }
      },
      interval: { least: 0, most: 10000000000, unknown: true },
      cycle: { least: 0, most: 10000000000, unknown: true },
      servers: { least: 0, most: 4294967295, whole: true },
      silent: { least: 0, most: 4294967295, whole: true },
      off: { least: 0, most: 4294967295, whole: true },
      python311: { least: 0, most: 4294967295, whole: true },
      gone: { least: 0, most: 4294967295, whole: true },
      dropped: { least: 0, most: 4294967295, whole: true },
      lost: { least: 0, most: 9007199254740991, whole: true },
      full: { flag: true },
      limited: { text: 1000 }
    }
  },
  transfers: {
    columns: {
      sender: { float: false, least: 0, most: 1048575, whole: true, needed: true },
      receiver: { float: false, least: 0, most: 1048575, whole: true, needed: true },
      start: { float: true, least: 0, most: 7258118400, unknown: true, needed: true },
      stop: { float: true, least: 0, most: 7258118400, unknown: true, needed: true },
      total: { float: true, least: 0, most: 1e+24, unknown: true, needed: true },
      compressed: { float: true, least: 0, most: 1e+24, unknown: true },
      keys: { float: false, least: 0, most: 4294967295, whole: true, needed: true },
      sides: { float: false, least: 1, most: 3, whole: true, needed: true }
    },
    scalars: {
      first: { least: 0, most: 9007199254740991, whole: true },
      lost: { least: 0, most: 9007199254740991, whole: true },
      names: {
        most: 'rows',
        list: { text: 4000 }
      },
      sender_address: {
        most: 'rows',
        list: { text: 1000 }
      },
      receiver_address: {
        most: 'rows',
        list: { text: 1000 }
      },
      servers: { least: 0, most: 4294967295, whole: true },
      silent: { least: 0, most: 4294967295, whole: true },
      dropped: { least: 0, most: 4294967295, whole: true },
      limited: { text: 1000 }
    }
  },
  logs: {
    columns: {
      time: { float: true, least: 0, most: 7258118400, unknown: true, needed: true },
      level: { float: false, least: 0, most: 255, whole: true, needed: true },
      server: { float: false, least: 0, most: 1048575, whole: true, needed: true }
    },
    scalars: {
      first: { least: 0, most: 9007199254740991, whole: true },
      lost: { least: 0, most: 9007199254740991, whole: true },
      name: {
        most: 'rows',
        list: { text: 200 }
      },
      logger: {
        most: 'rows',
        list: { text: 200 }
      },
      text: {
        most: 'rows',
        list: { text: 4000 }
      },
      servers: { least: 0, most: 4294967295, whole: true },
      silent: { least: 0, most: 4294967295, whole: true },
      dropped: { least: 0, most: 4294967295, whole: true },
      limited: { text: 1000 }
    }
  }
};
