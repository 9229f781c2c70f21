// Generated from bridge/dask_panes/feed/schema.json by `npm run schema`. Do not edit.
import type { TopicChecks, ValueCheck } from './checks';
import type { Topic } from './schema';

/** What a reader takes at most; see `docs/feed.md`, "Validation". */
export const LIMITS = { frameBytes: 67108864, depth: 16, rows: 1048576, entries: 1048576, cursor: 200, values: 4194304, frames: 16384, identity: 200 } as const;

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
      lane: { text: 200 },
      joined: { least: 0, most: 7258118400, unknown: true },
      gpu: { text: 200 }
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
      unobserved: {
        most: 100,
        list: {
          tuple: [
            { least: 0, most: 7258118400 },
            { least: 0, most: 7258118400 }
          ]
        }
      },
      reading: { least: 0, most: 1000000000, whole: true },
      problems: {
        most: 100,
        list: { text: 1000 }
      },
      collector: {
        most: 10,
        list: { least: 0, most: 4294967295, whole: true }
      },
      stealing: { flag: true },
      unknown: {
        most: 100,
        list: { text: 100 }
      },
      clients: {
        fields: {
          count: { least: 0, most: 9007199254740991, whole: true },
          names: {
            most: 20,
            list: { text: 200 }
          }
        }
      },
      ring_rows: { least: 0, most: 9007199254740991, whole: true },
      python: { text: 100 },
      cores: { least: 0, most: 4294967295, whole: true },
      versions: {
        most: 50,
        keys: 100,
        map: { text: 100 }
      },
      worker_versions: {
        most: 50,
        keys: 100,
        map: {
          most: 10,
          list: { text: 100 }
        }
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
      heartbeat: { float: false, least: 0, most: 1, whole: true },
      left: { float: true, least: 0, most: 7258118400, unknown: true },
      cpu: { float: true, least: 0, most: 1000000000, unknown: true },
      processing: { float: false, least: 0, most: 1000000000, whole: true },
      executing: { float: false, least: 0, most: 4294967295, whole: true },
      seceded: { float: false, least: 0, most: 4294967295, whole: true },
      cancelled: { float: false, least: 0, most: 4294967295, whole: true },
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
      gil_contention: { float: true, least: 0, most: 1, unknown: true },
      gpu_memory: { float: true, least: 0, most: 1e+24, unknown: true },
      gpu_limit: { float: true, least: 0, most: 1e+24, unknown: true },
      gpu_utilization: { float: true, least: 0, most: 1000000000, unknown: true },
      rmm_used: { float: true, least: 0, most: 1e+24, unknown: true },
      rmm_pool: { float: true, least: 0, most: 1e+24, unknown: true },
      cudf_spilled: { float: true, least: 0, most: 1e+24, unknown: true }
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
      lost: { float: false, least: 0, most: 4294967295, whole: true },
      erred: { float: false, least: 0, most: 4294967295, whole: true }
    },
    moves: {
      number: { float: false, least: 0, most: 4294967295, whole: true, needed: true },
      prefix: { float: false, in: 'prefixes', needed: true },
      how: { float: false, least: 0, most: 4, whole: true, needed: true },
      begin: { float: true, least: 0, most: 7258118400, unknown: true },
      end: { float: true, least: 0, most: 7258118400, needed: true }
    },
    scalars: {
      first: { least: 0, most: 9007199254740991, whole: true }
    }
  },
  errors: {
    columns: {
      id: { float: false, least: 0, most: 4294967295, whole: true, needed: true },
      kind: { float: false, least: 0, most: 1, whole: true, needed: true },
      prefix: { float: false, in: 'prefixes', plus: 1, needed: true },
      count: { float: false, least: 0, most: 4294967295, whole: true, needed: true },
      now: { float: false, least: 0, most: 4294967295, whole: true },
      dependents: { float: false, least: 0, most: 4294967295, whole: true },
      again: { float: false, least: 0, most: 4294967295, whole: true },
      dependents_ever: { float: false, least: 0, most: 4294967295, whole: true },
      elsewhere: { float: false, least: 0, most: 4294967295, whole: true },
      first: { float: true, least: 0, most: 7258118400 },
      last: { float: true, least: 0, most: 7258118400 }
    },
    scalars: {
      texts: {
        most: 2000,
        list: {
          fields: {
            id: { least: 0, most: 4294967295, whole: true },
            type: { text: 200 },
            message: { text: 2000 },
            shape: { text: 300 },
            traceback: { text: 4000 },
            more: { flag: true },
            deaths: { least: 0, most: 1000000000, whole: true },
            memory: { least: 0, most: 1e+24, unknown: true },
            limit: { least: 0, most: 1e+24, unknown: true }
          }
        }
      },
      keys: {
        most: 'rows',
        list: {
          tuple: [
            { least: 0, most: 4294967295, whole: true },
            { text: 1000 }
          ]
        }
      },
      at: {
        most: 20000,
        list: {
          tuple: [
            { least: 0, most: 4294967295, whole: true },
            { in: 'workers' },
            { least: 0, most: 4294967295, whole: true }
          ]
        }
      },
      blocked: {
        most: 20000,
        list: {
          tuple: [
            { least: 0, most: 4294967295, whole: true },
            { in: 'prefixes' },
            { least: 0, most: 4294967295, whole: true }
          ]
        }
      }
    }
  },
  computations: {
    columns: {
      id: { float: false, least: 0, most: 4294967295, whole: true, needed: true },
      submissions: { float: false, least: 0, most: 4294967295, whole: true },
      tasks: { float: false, least: 0, most: 4294967295, whole: true },
      unfollowed: { float: false, least: 0, most: 4294967295, whole: true },
      again: { float: false, least: 0, most: 4294967295, whole: true },
      left: { float: false, least: 0, most: 4294967295, whole: true },
      dropped: { float: false, least: 0, most: 4294967295, whole: true },
      done: { float: false, least: 0, most: 4294967295, whole: true },
      renewing: { float: false, least: 0, most: 4294967295, whole: true },
      renewed: { float: false, least: 0, most: 4294967295, whole: true },
      lost: { float: true, least: 0, most: 7258118400, unknown: true },
      erred: { float: false, least: 0, most: 4294967295, whole: true },
      erred_before: { float: false, least: 0, most: 4294967295, whole: true },
      failed: { float: false, least: 0, most: 4294967295, whole: true },
      dropped_ever: { float: false, least: 0, most: 4294967295, whole: true },
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
      graph: { float: true, least: 0, most: 1e+24, unknown: true },
      packing: { float: true, least: 0, most: 10000000000, unknown: true },
      begun: { float: true, least: 0, most: 7258118400, unknown: true }
    },
    moves: {
      computation: { float: false, least: 0, most: 4294967295, whole: true, needed: true },
      prefix: { float: false, in: 'prefixes', needed: true },
      tasks: { float: false, least: 0, most: 4294967295, whole: true },
      again: { float: false, least: 0, most: 4294967295, whole: true },
      left: { float: false, least: 0, most: 4294967295, whole: true },
      dropped: { float: false, least: 0, most: 4294967295, whole: true },
      failed: { float: false, least: 0, most: 4294967295, whole: true },
      dropped_ever: { float: false, least: 0, most: 4294967295, whole: true },
      failed_ever: { float: false, least: 0, most: 4294967295, whole: true },
      done: { float: false, least: 0, most: 4294967295, whole: true },
      compute: { float: true, least: 0, most: 10000000000, unknown: true },
      longest: { float: true, least: 0, most: 10000000000, unknown: true }
    },
    scalars: {
      kept: { least: 0, most: 9007199254740991, whole: true },
      older: {
        most: 1000,
        list: { least: 0, most: 4294967295, whole: true }
      },
      unkept: { least: 0, most: 9007199254740991, whole: true },
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
      },
      rows: {
        most: 20000,
        list: {
          tuple: [
            { least: 0, most: 9007199254740991, whole: true },
            { least: 0, most: 4294967295, whole: true },
            { least: 0, most: 4294967295, whole: true }
          ]
        }
      }
    }
  },
  prefixes: {
    columns: {
      id: { float: false, in: 'prefixes', needed: true },
      counted: { float: true, least: 0, most: 9007199254740991, whole: true },
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
    scalars: {
      counted: { least: 0, most: 9007199254740991, whole: true }
    }
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
      first: { least: 0, most: 9007199254740991, whole: true },
      counted: { least: 0, most: 9007199254740991, whole: true }
    }
  },
  executed: {
    columns: {
      number: { float: false, least: 0, most: 4294967295, whole: true, needed: true }
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
      stop: { float: true, least: 0, most: 7258118400, unknown: true },
      read: { float: true, least: 0, most: 7258118400, unknown: true },
      freed: { float: true, least: 0, most: 7258118400 },
      freed_tasks: { float: false, least: 0, most: 4294967295, whole: true }
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
      '*_max': { float: true, least: -1e+30, most: 1e+30, unknown: true },
      scheduler_cpu: { float: true, least: 0, most: 1000000000, unknown: true },
      scheduler_memory: { float: true, least: 0, most: 1e+24, unknown: true },
      scheduler_net_read: { float: true, least: 0, most: 1e+24, unknown: true },
      scheduler_net_write: { float: true, least: 0, most: 1e+24, unknown: true },
      scheduler_disk_read: { float: true, least: 0, most: 1e+24, unknown: true },
      scheduler_disk_write: { float: true, least: 0, most: 1e+24, unknown: true },
      scheduler_fds: { float: true, least: -1e+30, most: 1e+30, unknown: true },
      scheduler_tick: { float: true, least: 0, most: 10000000000, unknown: true },
      scheduler_gil: { float: true, least: 0, most: 1, unknown: true },
      scheduler_idle: { float: true, least: -1e+30, most: 1e+30, unknown: true },
      scheduler_saturated: { float: true, least: -1e+30, most: 1e+30, unknown: true },
      spent_cpu: { float: true, least: -1e+30, most: 1e+30, unknown: true },
      spent_noncpu: { float: true, least: -1e+30, most: 1e+30, unknown: true },
      spent_executor: { float: true, least: -1e+30, most: 1e+30, unknown: true },
      spent_network: { float: true, least: -1e+30, most: 1e+30, unknown: true },
      spent_disk: { float: true, least: -1e+30, most: 1e+30, unknown: true },
      spent_serialize: { float: true, least: -1e+30, most: 1e+30, unknown: true },
      spent_compress: { float: true, least: -1e+30, most: 1e+30, unknown: true },
      spent_shuffle: { float: true, least: -1e+30, most: 1e+30, unknown: true },
      spent_other: { float: true, least: -1e+30, most: 1e+30, unknown: true }
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
  steals: {
    columns: {
      time: { float: true, least: 0, most: 7258118400, needed: true },
      outcome: { float: false, least: 0, most: 3, whole: true, needed: true },
      victim: { float: false, in: 'workers', plus: 1 },
      thief: { float: false, in: 'workers', plus: 1 },
      prefix: { float: false, in: 'prefixes', needed: true },
      asked: { float: true, least: 0, most: 10000000000, unknown: true },
      cost: { float: true, least: 0, most: 10000000000, unknown: true }
    },
    scalars: {
      first: { least: 0, most: 9007199254740991, whole: true },
      lost: { least: 0, most: 9007199254740991, whole: true }
    }
  },
  shuffles: {
    columns: {
      id: { float: false, least: 0, most: 1048575, whole: true, needed: true },
      state: { float: false, least: 0, most: 4, whole: true, needed: true },
      start: { float: true, least: 0, most: 7258118400, unknown: true },
      stop: { float: true, least: 0, most: 7258118400, unknown: true },
      workers: { float: true, least: 0, most: 1000000000, whole: true },
      inputs: { float: true, least: -1e+30, most: 1e+30, unknown: true },
      inputs_done: { float: true, least: -1e+30, most: 1e+30, unknown: true },
      outputs: { float: true, least: -1e+30, most: 1e+30, unknown: true },
      outputs_done: { float: true, least: -1e+30, most: 1e+30, unknown: true },
      told: { float: true, least: 0, most: 1000000000, whole: true },
      sent: { float: true, least: 0, most: 1e+24, unknown: true },
      received: { float: true, least: 0, most: 1e+24, unknown: true },
      to_send: { float: true, least: 0, most: 1e+24, unknown: true },
      stored: { float: true, least: 0, most: 1e+24, unknown: true },
      to_store: { float: true, least: 0, most: 1e+24, unknown: true },
      read_back: { float: true, least: 0, most: 1e+24, unknown: true }
    },
    scalars: {
      kept: { least: 0, most: 9007199254740991, whole: true },
      older: {
        most: 50,
        list: { least: 0, most: 4294967295, whole: true }
      },
      texts: {
        most: 50,
        list: {
          fields: {
            id: { least: 0, most: 1048575, whole: true },
            name: { text: 200 },
            kind: { text: 200 },
            on_disk: { flag: true }
          }
        }
      },
      at: {
        most: 5000,
        list: {
          tuple: [
            { least: 0, most: 1048575, whole: true },
            { in: 'workers' },
            { least: 0, most: 1e+24, unknown: true },
            { least: 0, most: 1e+24, unknown: true },
            { least: 0, most: 1e+24, unknown: true },
            { least: 0, most: 1e+24, unknown: true },
            { least: 0, most: 1e+24, unknown: true },
            { least: 0, most: 1e+24, unknown: true }
          ]
        }
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
  hardware: {
    columns: {
      worker: { float: false, in: 'workers', needed: true },
      kind: { float: false, least: 0, most: 2, whole: true, needed: true },
      peer: { float: false, in: 'workers', plus: 1 },
      size: { float: true, least: 0, most: 1e+24, unknown: true },
      rate: { float: true, least: 0, most: 1e+24, unknown: true }
    },
    scalars: {
      state: { text: 20 },
      stage: { text: 20 },
      started: { least: 0, most: 7258118400 },
      ended: { least: 0, most: 7258118400 },
      workers: { least: 0, most: 1000000000, whole: true },
      failed: { least: 0, most: 9007199254740991, whole: true },
      failures: {
        most: 20,
        list: {
          tuple: [
            { text: 1000 },
            { text: 20 },
            { text: 500 }
          ]
        }
      }
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
      limited: { text: 1000 },
      known: { least: 0, most: 7258118400 },
      history: { flag: true }
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
      limited: { text: 1000 },
      known: { least: 0, most: 7258118400 }
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
