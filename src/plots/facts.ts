// Generated from the plots by `npm run docs:pages`. Do not edit.
import type { PlotFacts } from '../plot/plot';

/** What is shown of each plot before its code is loaded, in the order of `PLOTS`. */
export const PLOT_FACTS: readonly PlotFacts[] = [
  {
    "id": "task-stream",
    "title": "Task stream",
    "caption": "what each thread did, when",
    "group": "tasks",
    "icon": "<path d=\"M1 2h6v2.4H1zm8 0h6v2.4H9zM1 6.8h3.4v2.4H1zm5.4 0H12v2.4H6.4zm7.6 0h1v2.4h-1zM1 11.6h8v2.4H1zm10 0h4v2.4h-4z\"/>",
    "view": "timeline",
    "synonyms": [
      "gantt",
      "timeline",
      "trace",
      "tracing",
      "schedule",
      "threads",
      "idle",
      "white space"
    ],
    "topics": [
      "tasks",
      "workers",
      "running",
      "attempts",
      "prefixes",
      "events",
      "computations",
      "series"
    ]
  },
  {
    "id": "progress",
    "title": "Progress",
    "caption": "done, running and waiting, by function",
    "group": "tasks",
    "icon": "<path d=\"M1 2h11v3H1zm0 4.5h7v3H1zM1 11h4v3H1z\"/><path fill-opacity=\".4\" d=\"M12 2h3v3h-3zM8 6.5h7v3H8zM5 11h10v3H5z\"/>",
    "view": "vega",
    "synonyms": [
      "tasks",
      "done",
      "remaining",
      "queued",
      "waiting",
      "eta",
      "states",
      "prefix"
    ],
    "topics": [
      "meta",
      "prefixes",
      "computations"
    ]
  },
  {
    "id": "computations",
    "title": "Computations",
    "caption": "what was computed, by cell or code: time, tasks, how busy the threads were, errors",
    "group": "tasks",
    "icon": "<path d=\"M1 2h9v3H1zm0 4.500h14v3H1zM1 11h6v3H1z\"/><path d=\"M11.500 2.200l3 1.500-3 1.500z\"/>",
    "view": "table",
    "synonyms": [
      "cells",
      "code",
      "compute",
      "submit",
      "persist",
      "runs",
      "spans",
      "history",
      "wall time"
    ],
    "topics": [
      "meta",
      "computations",
      "series",
      "running"
    ]
  },
  {
    "id": "compare-computations",
    "title": "Compare computations",
    "caption": "two computations side by side: time, tasks, busy share, each function",
    "group": "tasks",
    "icon": "<path d=\"M1 2h6v12H1zm8 3h6v9H9z\"/>",
    "view": "table",
    "synonyms": [
      "difference",
      "before and after",
      "faster",
      "slower",
      "regression",
      "diff"
    ],
    "topics": [
      "meta",
      "computations",
      "tasks",
      "series",
      "running"
    ]
  },
  {
    "id": "running",
    "title": "Running tasks",
    "caption": "what runs now: key, function, worker, since when",
    "group": "tasks",
    "icon": "<path d=\"M1 2h14v3H1z\" fill-opacity=\".4\"/><path d=\"M1 6.500h10v3H1zM1 11h6v3H1z\"/><path d=\"M12 9.500l3.500 2.250L12 14z\"/>",
    "view": "table",
    "synonyms": [
      "executing",
      "now",
      "stragglers",
      "long-running",
      "stuck",
      "hanging",
      "call stack",
      "seceded"
    ],
    "topics": [
      "meta",
      "workers",
      "running"
    ]
  },
  {
    "id": "tasks",
    "title": "Tasks",
    "caption": "every task that is kept, to be sorted and searched",
    "group": "tasks",
    "icon": "<path d=\"M1 2h3v2H1zm4.500 0H15v2H5.500zM1 7h3v2H1zm4.500 0H15v2H5.500zM1 12h3v2H1zm4.500 0H15v2H5.500z\"/>",
    "view": "table",
    "synonyms": [
      "list",
      "keys",
      "executions",
      "slowest",
      "longest",
      "largest",
      "all tasks",
      "search"
    ],
    "topics": [
      "meta",
      "tasks",
      "workers",
      "running",
      "prefixes",
      "graph",
      "states",
      "executed"
    ]
  },
  {
    "id": "task-graph",
    "title": "Task graph",
    "caption": "what depends on what, and how far each task is",
    "group": "tasks",
    "icon": "<path d=\"M4 7.300h4v1.400H4zM8.500 7l3-3.500 1 .900-3 3.500zm0 2l3 3.500 1-.900-3-3.500z\"/><circle cx=\"3\" cy=\"8\" r=\"2.200\"/><circle cx=\"8\" cy=\"8\" r=\"2.200\"/><circle cx=\"13\" cy=\"3.500\" r=\"2.200\"/><circle cx=\"13\" cy=\"12.500\" r=\"2.200\"/>",
    "view": "graph",
    "synonyms": [
      "dag",
      "dependencies",
      "graph",
      "nodes",
      "edges",
      "visualize",
      "critical path"
    ],
    "topics": [
      "graph",
      "states",
      "executed",
      "tasks",
      "computations"
    ]
  },
  {
    "id": "critical-path",
    "title": "Critical path",
    "caption": "the chain of tasks that took longest: its functions, their time, its share of the wall time",
    "group": "tasks",
    "icon": "<path d=\"M1 12h3l3-8h3l2 4h3v1.500h-4l-2-4H8l-3 8H1z\"/>",
    "view": "table",
    "synonyms": [
      "longest path",
      "bottleneck",
      "chain",
      "dependencies",
      "task graph",
      "sequential"
    ],
    "topics": [
      "graph",
      "states",
      "executed",
      "tasks",
      "computations",
      "attempts"
    ]
  },
  {
    "id": "task-groups",
    "title": "Task groups",
    "caption": "steps of a computation, and how far each is",
    "group": "tasks",
    "icon": "<path fill-rule=\"evenodd\" d=\"M1 2h6v4H1zm1.200 1.200v1.600h3.600V3.200zM1 10h6v4H1zm1.200 1.200v1.600h3.600v-1.600zM10 6h5v4h-5zm1.200 1.200v1.600h2.600V7.200zM7 3.500l3.500 3-.800.900L7 5zm0 9l3.500-3-.800-.900L7 11z\"/>",
    "view": "graph",
    "synonyms": [
      "dag",
      "dependencies",
      "graph",
      "stages",
      "layers",
      "collections"
    ],
    "topics": [
      "groups"
    ]
  },
  {
    "id": "task",
    "title": "Task details",
    "caption": "one task: state, dependencies, timings, errors",
    "group": "tasks",
    "icon": "<path fill-rule=\"evenodd\" d=\"M2 1.500h12v13H2zm1.200 1.200v10.600h9.600V2.700z\"/><path d=\"M4.500 4.500h7v1.200h-7zm0 2.800h7v1.200h-7zm0 2.800h4v1.200h-4z\"/>",
    "view": "task",
    "needsScheduler": true,
    "synonyms": [
      "key",
      "traceback",
      "exception",
      "call stack",
      "why",
      "restrictions",
      "info"
    ],
    "topics": [
      "meta"
    ]
  },
  {
    "id": "cluster-memory",
    "title": "Bytes stored",
    "caption": "the whole cluster against its limit",
    "group": "memory",
    "icon": "<path d=\"M1 4h9v8H1z\"/><path fill-opacity=\".4\" d=\"M10 4h4v8h-4z\"/><path d=\"M14.4 3H15.4v10h-1z\"/>",
    "view": "vega",
    "synonyms": [
      "memory",
      "ram",
      "cluster",
      "spill",
      "paused",
      "limit",
      "unmanaged"
    ],
    "topics": [
      "meta",
      "workers"
    ]
  },
  {
    "id": "workers-memory",
    "title": "Bytes stored per worker",
    "caption": "each worker against its own limit",
    "group": "memory",
    "icon": "<path d=\"M1 2h7v3H1zm0 4.5h10v3H1zM1 11h5v3H1z\"/><path fill-opacity=\".4\" d=\"M8 2h3v3H8zm3 4.5h2v3h-2zM6 11h4v3H6z\"/><path d=\"M14.4 1.5h1v13h-1z\"/>",
    "view": "vega",
    "synonyms": [
      "memory",
      "ram",
      "spill",
      "paused",
      "limit",
      "unmanaged",
      "bytes stored"
    ],
    "topics": [
      "meta",
      "workers"
    ]
  },
  {
    "id": "memory-by-key",
    "title": "Memory by function",
    "caption": "results that workers hold, by function",
    "group": "memory",
    "icon": "<path d=\"M1 2h8v3H1z\"/><path fill-opacity=\".65\" d=\"M1 6.500h12v3H1z\"/><path fill-opacity=\".35\" d=\"M1 11h5v3H1z\"/>",
    "view": "vega",
    "synonyms": [
      "memory by key",
      "nbytes",
      "results",
      "prefix",
      "held",
      "persist",
      "leak",
      "release",
      "replicas",
      "copies"
    ],
    "topics": [
      "meta",
      "held",
      "workers"
    ]
  },
  {
    "id": "memory-sampler",
    "title": "Memory runs",
    "caption": "what Dask's MemorySampler records, run beside run, live",
    "group": "memory",
    "icon": "<path d=\"M1 1.500h1.200v11.300H15V14H1z\"/><path fill-opacity=\".4\" d=\"M3 8l4-4.500 4 3.500 3.500-2v1.600L11 8.800 7.100 5.400 4.300 8.600 3 9.600z\"/><path d=\"M3 11l3-3 3 1.500 5.500-5v1.800l-5.300 5-3-1.500L4.500 12H3z\"/>",
    "view": "vega",
    "synonyms": [
      "memory sampler",
      "ms.sample",
      "compare",
      "label",
      "measure",
      "aligned",
      "peak"
    ],
    "topics": [
      "meta",
      "memory_samples"
    ]
  },
  {
    "id": "workers",
    "title": "Workers",
    "caption": "everything known of each worker, sortable",
    "group": "workers",
    "icon": "<path fill-rule=\"evenodd\" d=\"M1 2h14v12H1zm1.200 3.800v2.200h3.600V5.800zm4.800 0v2.200h6.800V5.800zM2.200 9.200v3.600h3.600V9.200zm4.800 0v3.600h6.800V9.200z\"/>",
    "view": "table",
    "synonyms": [
      "table",
      "nodes",
      "hosts",
      "status",
      "metrics",
      "version",
      "file descriptors"
    ],
    "topics": [
      "meta",
      "workers"
    ]
  },
  {
    "id": "worker",
    "title": "Worker details",
    "caption": "one worker: state, memory, what it runs, its events and log lines",
    "group": "workers",
    "icon": "<path fill-rule=\"evenodd\" d=\"M1 2h14v9H1zm1.200 1.200v6.600h11.600V3.200z\"/><path d=\"M5 12.500h6V14H5zM4 5h5v1.200H4zm0 2.200h8v1.200H4z\"/>",
    "view": "worker",
    "synonyms": [
      "info",
      "node",
      "paused",
      "retiring",
      "lost",
      "restart",
      "retire",
      "address",
      "nanny",
      "process",
      "why"
    ],
    "topics": [
      "meta",
      "workers",
      "running",
      "events",
      "logs"
    ]
  },
  {
    "id": "nprocessing",
    "title": "Task processing",
    "caption": "tasks assigned to each worker against its threads",
    "group": "workers",
    "icon": "<path d=\"M1 2h9v3H1zm0 4.5h5v3H1zM1 11h7v3H1z\"/><path fill-opacity=\".4\" d=\"M10 2h5v3h-5zM6 6.5h3v3H6zM8 11h4v3H8z\"/>",
    "view": "vega",
    "synonyms": [
      "processing",
      "assigned",
      "queue",
      "saturated",
      "idle",
      "load balance",
      "tasks per worker"
    ],
    "topics": [
      "meta",
      "workers"
    ]
  },
  {
    "id": "cpu",
    "title": "CPU utilization",
    "caption": "CPU of each worker against its own threads",
    "group": "workers",
    "icon": "<path fill-rule=\"evenodd\" d=\"M4 3h8a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zm.5 1.5v7h7v-7z\"/><path d=\"M6 6h4v4H6zM5 1h1v1.5H5zm2.5 0h1v1.5h-1zM10 1h1v1.5h-1zM5 13.5h1V15H5zm2.5 0h1V15h-1zm2.5 0h1V15h-1zM1 5h1.5v1H1zm0 2.500h1.5v1H1zM1 10h1.5v1H1zM13.500 5H15v1h-1.500zm0 2.500H15v1h-1.500zm0 2.500H15v1h-1.500z\"/>",
    "view": "vega",
    "synonyms": [
      "processor",
      "cores",
      "load",
      "utilisation",
      "gil",
      "percent"
    ],
    "topics": [
      "meta",
      "workers"
    ]
  },
  {
    "id": "occupancy",
    "title": "Occupancy",
    "caption": "seconds of work that each worker has been given",
    "group": "workers",
    "icon": "<path fill-rule=\"evenodd\" d=\"M8 1.500a6.500 6.500 0 1 1 0 13 6.500 6.500 0 0 1 0-13zm0 1.400a5.100 5.100 0 1 0 0 10.200A5.100 5.100 0 0 0 8 2.900z\"/><path d=\"M7.400 4.500h1.200v3.300l2.400 1.500-.6 1-3-1.900z\"/>",
    "view": "vega",
    "synonyms": [
      "expected time",
      "remaining time",
      "work left",
      "load",
      "stealing",
      "wall time"
    ],
    "topics": [
      "meta",
      "workers"
    ]
  },
  {
    "id": "workers-disk",
    "title": "Disk per host",
    "caption": "disk traffic of each host, read and written",
    "group": "workers",
    "icon": "<path fill-rule=\"evenodd\" d=\"M2 3h12v10H2zm1.300 1.300v4.400h9.400V4.300zm7.700 5.700v1.600h1.700V10z\"/>",
    "view": "vega",
    "synonyms": [
      "worker disk",
      "io",
      "storage",
      "spill",
      "read",
      "write"
    ],
    "topics": [
      "meta",
      "workers"
    ]
  },
  {
    "id": "workers-map",
    "title": "Cluster map",
    "caption": "clients, scheduler, hosts and workers, and who sends data to whom",
    "group": "workers",
    "icon": "<path fill-rule=\"evenodd\" d=\"M5 1h6v4H5zm1.200 1.200v1.600h3.600V2.200zM1 10h4v4H1zm5 0h4v4H6zm5 0h4v4h-4z\"/><path d=\"M7.500 5h1v2H13v3h-1V8H8.500v2h-1V8H4v2H3V7h4.500z\"/>",
    "view": "vega",
    "synonyms": [
      "network",
      "topology",
      "hosts",
      "machines",
      "transfers",
      "communication",
      "nodes"
    ],
    "topics": [
      "meta",
      "workers",
      "transfers"
    ]
  },
  {
    "id": "work-stealing",
    "title": "Work stealing",
    "caption": "tasks that Dask moved from busy workers to idle ones, or tried to",
    "group": "workers",
    "icon": "<path d=\"M1 3h5v10H1z\"/><path fill-opacity=\".45\" d=\"M10 8h5v5h-5z\"/><path d=\"M7 4.200h4.200V2.500L14.500 5l-3.300 2.500V5.800H7z\"/>",
    "view": "vega",
    "synonyms": [
      "stealing",
      "steal",
      "balance",
      "load",
      "idle",
      "saturated",
      "victim",
      "thief",
      "moved",
      "rebalance"
    ],
    "topics": [
      "meta",
      "workers",
      "steals",
      "events",
      "computations",
      "series"
    ]
  },
  {
    "id": "cpu-timeseries",
    "title": "CPU over time",
    "caption": "CPU of workers: mean and range, or one of them",
    "group": "time",
    "icon": "<path d=\"M1 1.500h1.200v11.300H15V14H1z\"/><path d=\"M3 11l3-5 2.500 3L11 4l3.500 4v1.800L11 6.400 8.600 11.300 6.200 8.300 4 12H3z\"/>",
    "view": "vega",
    "synonyms": [
      "cpu timeseries",
      "processor",
      "utilization",
      "history",
      "load",
      "cores"
    ],
    "topics": [
      "meta",
      "workers",
      "events",
      "computations",
      "series"
    ]
  },
  {
    "id": "memory-timeseries",
    "title": "Memory over time",
    "caption": "memory of workers: mean and range, or one of them",
    "group": "time",
    "icon": "<path d=\"M1 1.500h1.200v11.300H15V14H1z\"/><path fill-opacity=\".4\" d=\"M3 12V9.500l4-2L10 8l4.500-4.500V12z\"/><path d=\"M3 9l4-2 3 .5 4.500-4.500v1.500L10.400 9 7 8.400l-4 2z\"/>",
    "view": "vega",
    "synonyms": [
      "memory timeseries",
      "ram",
      "process",
      "history",
      "leak",
      "rss"
    ],
    "topics": [
      "meta",
      "workers",
      "events",
      "computations",
      "series"
    ]
  },
  {
    "id": "network-timeseries",
    "title": "Network over time",
    "caption": "network traffic of all hosts, in and out",
    "group": "time",
    "icon": "<path d=\"M1 1.500h1.200v11.300H15V14H1z\"/><path d=\"M8 2.500L11 5.500H9v6H7v-6H5zM12 6h1.500v5.500H12z\"/>",
    "view": "vega",
    "synonyms": [
      "network timeseries",
      "bandwidth",
      "traffic",
      "communication",
      "history"
    ],
    "topics": [
      "meta",
      "workers",
      "events",
      "computations",
      "series"
    ]
  },
  {
    "id": "disk-timeseries",
    "title": "Disk over time",
    "caption": "disk traffic of all hosts, read and written",
    "group": "time",
    "icon": "<path d=\"M1 1.500h1.200v11.300H15V14H1z\"/><path d=\"M4 8h2v4H4zm3-3h2v7H7zm3 4h2v3h-2zm3-6h1.500v9H13z\"/>",
    "view": "vega",
    "synonyms": [
      "disk timeseries",
      "storage",
      "spill",
      "io",
      "history"
    ],
    "topics": [
      "meta",
      "workers",
      "events",
      "computations",
      "series"
    ]
  },
  {
    "id": "group-progress",
    "title": "Busy threads by function",
    "caption": "how many threads compute each function, over time",
    "group": "time",
    "icon": "<path d=\"M1 1.500h1.200v11.300H15V14H1z\"/><path fill-opacity=\".45\" d=\"M3 12V9l3-2 3 1 3-2 2.500 2v4z\"/><path d=\"M3 8l3-4 3 2 3-3.500L14.500 5v2L12 5 9 7 6 6 3 8z\"/>",
    "view": "vega",
    "synonyms": [
      "group progress",
      "task group",
      "occupancy",
      "concurrency",
      "parallelism",
      "threads",
      "area",
      "utilization"
    ],
    "topics": [
      "meta",
      "tasks",
      "running",
      "attempts",
      "events",
      "computations",
      "series"
    ]
  },
  {
    "id": "costs",
    "title": "Where time goes",
    "caption": "what all threads did, and six costs as far as Dask measures them",
    "group": "time",
    "icon": "<path d=\"M1 4h6v8H1z\"/><path fill-opacity=\".65\" d=\"M7 4h4v8H7z\"/><path fill-opacity=\".35\" d=\"M11 4h4v8h-4z\"/>",
    "view": "vega",
    "synonyms": [
      "costs",
      "overhead",
      "bottleneck",
      "compute",
      "memory bandwidth",
      "network",
      "disk",
      "serialization",
      "idle",
      "efficiency"
    ],
    "topics": [
      "meta",
      "workers",
      "tasks",
      "running",
      "attempts",
      "series",
      "activities",
      "bandwidth",
      "computations"
    ]
  },
  {
    "id": "compute-time-per-key",
    "title": "Compute time per function",
    "caption": "time of computing by function",
    "group": "time",
    "icon": "<path d=\"M1 2h13v3H1zm0 4.500h8v3H1zM1 11h4v3H1z\"/>",
    "view": "vega",
    "synonyms": [
      "compute time per key",
      "duration",
      "slow",
      "expensive",
      "prefix",
      "hot"
    ],
    "topics": [
      "meta",
      "prefixes"
    ]
  },
  {
    "id": "aggregate-time-per-action",
    "title": "Time per action",
    "caption": "time of computing, transfer, disk and deserializing",
    "group": "time",
    "icon": "<path d=\"M1 2h13v3H1z\"/><path fill-opacity=\".65\" d=\"M1 6.500h6v3H1z\"/><path fill-opacity=\".35\" d=\"M1 11h3v3H1z\"/>",
    "view": "vega",
    "synonyms": [
      "aggregate time per action",
      "overhead",
      "communication",
      "spill",
      "serialization",
      "costs"
    ],
    "topics": [
      "meta",
      "prefixes"
    ]
  },
  {
    "id": "fine-metrics",
    "title": "Time and bytes by activity",
    "caption": "Dask's fine metrics: what workers spend time on and what they move, by function or by activity",
    "group": "time",
    "icon": "<path d=\"M1 2h4v3H1zm0 4.500h8v3H1zM1 11h6v3H1z\"/><path fill-opacity=\".55\" d=\"M5 2h5v3H5zm4 4.500h2v3H9zM7 11h2v3H7z\"/><path fill-opacity=\".3\" d=\"M10 2h4v3h-4zm1 4.500h4v3h-4zM9 11h3v3H9z\"/>",
    "view": "vega",
    "synonyms": [
      "fine performance metrics",
      "fine metrics",
      "activity",
      "serialization",
      "compression",
      "thread cpu",
      "context_meter",
      "span"
    ],
    "topics": [
      "meta",
      "activities"
    ]
  },
  {
    "id": "activity-timeseries",
    "title": "Activities over time",
    "caption": "Dask's fine metrics over time: what workers spend time on, second by second",
    "group": "time",
    "icon": "<path d=\"M1 1.500h1.200v11.300H15V14H1z\"/><path fill-opacity=\".55\" d=\"M3 12V9h3V7h3v2h3V8h2.500v4z\"/><path d=\"M3 8V5h3V3h3v3h3V4h2.500v3H11v1H8V6H7v2z\"/>",
    "view": "vega",
    "synonyms": [
      "fine metrics",
      "fine performance metrics",
      "activity",
      "serialization",
      "spill",
      "thread cpu",
      "timeline"
    ],
    "topics": [
      "meta",
      "events",
      "computations",
      "series"
    ]
  },
  {
    "id": "profile",
    "title": "Profile",
    "caption": "which lines of code tasks spend their time in",
    "group": "time",
    "icon": "<path d=\"M1 2h14v3H1zm0 4h9v3H1zm10 0h4v3h-4zM1 10h4v3H1zm5 0h3v3H6z\"/>",
    "view": "flame",
    "synonyms": [
      "differential",
      "compare",
      "flame graph",
      "flamegraph",
      "icicle",
      "statistical profile",
      "hot spot",
      "slow function",
      "call stack",
      "sampling"
    ],
    "topics": [
      "profile",
      "workers",
      "events",
      "computations",
      "series"
    ]
  },
  {
    "id": "profile-server",
    "title": "Profile of the event loops",
    "caption": "what scheduler and workers themselves are busy with",
    "group": "time",
    "icon": "<path d=\"M1 2h14v3H1zm0 4h9v3H1z\"/><path fill-opacity=\".5\" d=\"M1 10h4v3H1z\"/><circle cx=\"12\" cy=\"10.500\" r=\"3\"/>",
    "view": "flame",
    "synonyms": [
      "flame graph",
      "administrative",
      "scheduler overhead",
      "server profile",
      "event loop",
      "tornado",
      "asyncio"
    ],
    "topics": [
      "loops",
      "workers",
      "events",
      "computations",
      "series"
    ]
  },
  {
    "id": "workers-transfer-bytes",
    "title": "Data transfer",
    "caption": "open transfers of each worker, in and out",
    "group": "transfers",
    "icon": "<path d=\"M10.500 1.500L15 5l-4.500 3.500V6H1V4h9.500zM5.500 7.500V10H15v2H5.500v2.500L1 11z\"/>",
    "view": "vega",
    "synonyms": [
      "network",
      "communication",
      "bandwidth",
      "incoming",
      "outgoing",
      "bytes transferring"
    ],
    "topics": [
      "meta",
      "workers"
    ]
  },
  {
    "id": "workers-network",
    "title": "Network per host",
    "caption": "network traffic of each host, in and out",
    "group": "transfers",
    "icon": "<path d=\"M1 2h9v2.200H1zm0 5h12v2.200H1zm0 5h6v2.200H1z\"/><path fill-opacity=\".5\" d=\"M1 4.600h5v1.400H1zm0 5h9v1.400H1z\"/>",
    "view": "vega",
    "synonyms": [
      "worker network",
      "bandwidth",
      "traffic",
      "communication",
      "interface"
    ],
    "topics": [
      "meta",
      "workers"
    ]
  },
  {
    "id": "bandwidth-workers",
    "title": "Bandwidth by workers",
    "caption": "how fast workers receive from each other: who sends, who receives",
    "group": "transfers",
    "icon": "<path d=\"M1 1h4v4H1zm5 5h4v4H6zm5 5h4v4h-4z\"/><path fill-opacity=\".6\" d=\"M6 1h4v4H6zM1 11h4v4H1zm10-5h4v4h-4z\"/><path fill-opacity=\".25\" d=\"M11 1h4v4h-4zM1 6h4v4H1zm5 5h4v4H6z\"/>",
    "view": "vega",
    "synonyms": [
      "network",
      "heat map",
      "matrix",
      "pair",
      "source",
      "destination",
      "peer",
      "slow link"
    ],
    "topics": [
      "meta",
      "workers",
      "bandwidth",
      "transfers"
    ]
  },
  {
    "id": "bandwidth-types",
    "title": "Bandwidth by type",
    "caption": "how fast results of each type travel between workers",
    "group": "transfers",
    "icon": "<path d=\"M1 2h9V.500L13.500 3 10 5.500V4H1zm0 5h5V5.500L9.500 8 6 10.500V9H1zm0 5h1.500v-1.500L6 13l-3.500 2.500V14H1z\"/>",
    "view": "vega",
    "synonyms": [
      "network",
      "serialization",
      "typename",
      "dataframe",
      "array",
      "pickle"
    ],
    "topics": [
      "meta",
      "bandwidth"
    ]
  },
  {
    "id": "transfers",
    "title": "Transfer log",
    "caption": "every transfer between workers, and to clients: when, how much, how fast, which keys",
    "group": "transfers",
    "icon": "<path d=\"M1 3.200h8V1.500L12.500 4.200 9 6.900V5.200H1zM15 10.800H7V9.100l-3.500 2.700L7 14.500v-1.700h8z\"/>",
    "view": "table",
    "synonyms": [
      "network",
      "communication",
      "bandwidth",
      "peer",
      "incoming",
      "outgoing",
      "compressed",
      "gather",
      "dependencies"
    ],
    "topics": [
      "meta",
      "workers",
      "transfers"
    ]
  },
  {
    "id": "shuffle",
    "title": "Shuffle",
    "caption": "how far P2P shuffles and rechunks are, and what they send and store",
    "group": "transfers",
    "icon": "<path d=\"M1 3h3.500l6 8H12V9l3.500 3-3.500 3v-2H9.500l-6-8H1z\"/><path fill-opacity=\".5\" d=\"M1 13h2.500l2-2.700-1.200-1.600L2.500 11H1zM8.200 6.700L10.500 5H12v2l3.500-3L12 1v2H9.500L7 5.100z\"/>",
    "view": "vega",
    "synonyms": [
      "p2p",
      "rechunk",
      "merge",
      "join",
      "set_index",
      "exchange",
      "disk",
      "network",
      "partitions",
      "barrier"
    ],
    "topics": [
      "meta",
      "workers",
      "shuffles"
    ]
  },
  {
    "id": "advice",
    "title": "Advice",
    "caption": "what costs the time, how much, and what to do",
    "group": "diagnosis",
    "icon": "<path d=\"M8 1a5 5 0 0 1 2.800 9.100V12H5.200v-1.900A5 5 0 0 1 8 1zM5.200 13h5.600v1.200H5.200z\"/>",
    "view": "advice",
    "synonyms": [
      "why slow",
      "bottleneck",
      "adviser",
      "recommendations",
      "slow",
      "diagnosis",
      "reasons",
      "verdict"
    ],
    "topics": [
      "meta",
      "tasks",
      "workers",
      "running",
      "attempts",
      "errors",
      "computations",
      "prefixes",
      "groups",
      "series",
      "events",
      "steals",
      "activities",
      "profile",
      "logs"
    ]
  },
  {
    "id": "errors",
    "title": "Errors",
    "caption": "exceptions by function and message, with their tracebacks",
    "group": "diagnosis",
    "icon": "<path fill-rule=\"evenodd\" d=\"M8 1.200a6.800 6.800 0 1 0 0 13.600A6.800 6.800 0 1 0 8 1.200zm0 1.300a5.500 5.500 0 1 1 0 11A5.500 5.500 0 1 1 8 2.500z\"/><path d=\"M5.300 6.200l.9-.9L8 7.100l1.800-1.800.9.9L8.900 8l1.800 1.800-.9.9L8 8.900l-1.800 1.800-.9-.9L7.100 8z\"/>",
    "view": "table",
    "synonyms": [
      "exceptions",
      "erred",
      "traceback",
      "failed",
      "failures",
      "KilledWorker",
      "retries",
      "retried"
    ],
    "topics": [
      "meta",
      "prefixes",
      "workers",
      "errors"
    ]
  },
  {
    "id": "events",
    "title": "Events",
    "caption": "what the scheduler logs of workers, clients and itself",
    "group": "diagnosis",
    "icon": "<path d=\"M1 7.300h14v1.400H1z\"/><circle cx=\"4\" cy=\"8\" r=\"2.200\"/><circle cx=\"9\" cy=\"8\" r=\"2.200\"/><path d=\"M12.500 3h1.400v10h-1.400z\"/>",
    "view": "table",
    "synonyms": [
      "log_event",
      "add-worker",
      "remove-worker",
      "restart",
      "topics",
      "journal",
      "history"
    ],
    "topics": [
      "meta",
      "events"
    ]
  },
  {
    "id": "logs",
    "title": "Logs",
    "caption": "what scheduler and workers write into their logs, by level",
    "group": "diagnosis",
    "icon": "<path d=\"M1 2h2v2H1zm3.500 0H15v2H4.500zM1 6h2v2H1zm3.500 0H12v2H4.500zM1 10h2v2H1zm3.500 0H14v2H4.500z\"/>",
    "view": "table",
    "synonyms": [
      "get_worker_logs",
      "get_scheduler_logs",
      "warning",
      "error",
      "traceback",
      "messages",
      "logging"
    ],
    "topics": [
      "meta",
      "workers",
      "logs"
    ]
  },
  {
    "id": "system",
    "title": "Scheduler system",
    "caption": "CPU, memory, network and event loop of the scheduler's process, beside its workers",
    "group": "system",
    "icon": "<path d=\"M1 1.500h1.200v11.300H15V14H1z\"/><path d=\"M3 4.500l3-2 3 1.500 5.500-2v1.300L9 5.400 6 4 3 5.800zM3 10l4-2.500 3 1.500 4.500-3v1.400l-4.500 3-3-1.500-4 2.500z\"/>",
    "view": "vega",
    "synonyms": [
      "scheduler",
      "system monitor",
      "cpu",
      "memory",
      "network",
      "bandwidth",
      "file descriptors",
      "event loop",
      "overloaded"
    ],
    "topics": [
      "meta",
      "events",
      "computations",
      "series"
    ]
  },
  {
    "id": "contention",
    "title": "Contention",
    "caption": "how late event loops turn and how much threads wait for the GIL, of scheduler and workers",
    "group": "system",
    "icon": "<path d=\"M8 1.500a6.500 6.500 0 1 1 0 13 6.500 6.500 0 0 1 0-13zm0 1.300a5.200 5.200 0 1 0 0 10.400A5.200 5.200 0 0 0 8 2.800z\"/><path d=\"M7.400 4h1.200v3.700l2.600 2.100-.8.900-3-2.500z\"/>",
    "view": "vega",
    "synonyms": [
      "event loop",
      "tick",
      "gil",
      "gilknocker",
      "lock",
      "blocked",
      "unresponsive",
      "latency"
    ],
    "topics": [
      "meta",
      "events",
      "computations",
      "series"
    ]
  },
  {
    "id": "hardware",
    "title": "Hardware bandwidth",
    "caption": "what memory, disk and network of the workers reach, measured when you ask for it",
    "group": "system",
    "icon": "<path fill-rule=\"evenodd\" d=\"M1 2h14v5H1zm1.300 1.300v2.400h11.400V3.300zM1 9h14v5H1zm1.300 1.300v2.400h11.400v-2.400z\"/><path d=\"M10.500 4h2v1h-2zm0 7h2v1h-2z\"/>",
    "view": "vega",
    "synonyms": [
      "benchmark",
      "bandwidth",
      "disk speed",
      "network speed",
      "throughput",
      "memory bandwidth",
      "iops"
    ],
    "topics": [
      "meta",
      "workers",
      "hardware"
    ]
  },
  {
    "id": "local-tasks",
    "title": "Local tasks",
    "caption": "what each thread or process did, without a Client",
    "group": "local",
    "icon": "<path d=\"M1 1.500h14v9H1zm1.200 1.200v6.600h11.600V2.700zM5 12h6v1.200h1.500v1.300h-9v-1.300H5z\"/><path d=\"M3.500 4H8v1.500H3.500zM9 4h3.500v1.500H9zM3.500 6.500h2.200V8H3.500zm3.300 0h5.700V8H6.800z\"/>",
    "view": "timeline",
    "about": "local",
    "synonyms": [
      "local scheduler",
      "threads",
      "processes",
      "synchronous",
      "profiler",
      "compute",
      "gantt",
      "dask.diagnostics"
    ],
    "topics": [
      "meta",
      "tasks"
    ]
  },
  {
    "id": "local-resources",
    "title": "Local resources",
    "caption": "CPU and memory of the kernel and its processes while they compute",
    "group": "local",
    "icon": "<path d=\"M1 1.500h1.200v11.300H15V14H1z\"/><path d=\"M14 1.500h1v11h-1z\"/><path d=\"M3 10.500l3-4 2 2 4.500-5v1.900L8 10.400l-2-2-3 4z\"/>",
    "view": "vega",
    "about": "local",
    "synonyms": [
      "local scheduler",
      "cpu",
      "memory",
      "resource profiler",
      "gil",
      "cores",
      "ram"
    ],
    "topics": [
      "meta",
      "tasks",
      "series"
    ]
  },
  {
    "id": "local-cache",
    "title": "Local cache",
    "caption": "results that a local scheduler holds, by function, over time",
    "group": "local",
    "icon": "<path d=\"M1 1.500h1.200v11.300H15V14H1z\"/><path d=\"M3 11h2V8h2V5h2V3h2.200v6H14v1.200H10V4.200h-.800v2H8v3H6.200v3H3z\"/>",
    "view": "vega",
    "about": "local",
    "synonyms": [
      "local scheduler",
      "cache profiler",
      "held",
      "results",
      "intermediate",
      "reduction",
      "memory"
    ],
    "topics": [
      "meta",
      "tasks",
      "cache"
    ]
  },
  {
    "id": "gpu-memory",
    "title": "GPU memory",
    "caption": "memory in use on the GPU of each worker",
    "group": "gpu",
    "icon": "<path fill-rule=\"evenodd\" d=\"M1 3h14v8H1zm1.300 1.300v5.400h11.400V4.300z\"/><path d=\"M3.500 5.500h5v3h-5zM3 12h1.300v2H3zm3 0h1.300v2H6zm3 0h1.300v2H9z\"/>",
    "view": "vega",
    "needs": "gpu",
    "synonyms": [
      "cuda",
      "nvidia",
      "nvml",
      "vram",
      "device memory",
      "pynvml"
    ],
    "topics": [
      "meta",
      "workers"
    ]
  },
  {
    "id": "gpu-utilization",
    "title": "GPU utilization",
    "caption": "how busy the GPU of each worker is",
    "group": "gpu",
    "icon": "<path fill-rule=\"evenodd\" d=\"M1 3h14v8H1zm1.300 1.300v5.400h11.400V4.300z\"/><path d=\"M3.500 7.500h1.500V9H3.500zm2.500-1h1.500V9H6zm2.500-1H10V9H8.500zM3 12h1.300v2H3zm3 0h1.300v2H6zm3 0h1.300v2H9z\"/>",
    "view": "vega",
    "needs": "gpu",
    "synonyms": [
      "cuda",
      "nvidia",
      "nvml",
      "gpu load",
      "utilisation",
      "percent",
      "kernels"
    ],
    "topics": [
      "meta",
      "workers"
    ]
  },
  {
    "id": "rmm-memory",
    "title": "RMM memory",
    "caption": "GPU memory of each worker that RMM has allocated, holds in its pool, and the rest",
    "group": "gpu",
    "icon": "<path fill-rule=\"evenodd\" d=\"M1 3h14v8H1zm1.300 1.300v5.400h11.400V4.300z\"/><path d=\"M3.500 5.500H6v3H3.500zM3 12h1.300v2H3zm3 0h1.300v2H6zm3 0h1.300v2H9z\"/><path fill-opacity=\".45\" d=\"M6.500 5.500h2.500v3H6.500z\"/>",
    "view": "vega",
    "needs": "gpu",
    "synonyms": [
      "rapids memory manager",
      "cuda",
      "nvidia",
      "pool",
      "cudf",
      "spill",
      "vram",
      "device memory"
    ],
    "topics": [
      "meta",
      "workers"
    ]
  }
];
