/** A small cluster with hostile names that gives every plot of the catalogue something to show. */
export const HOSTILE = 'a<img src=x onerror=window.hacked=1>';
export const FUNCTION = 'b<script>window.hacked=1</script>';

/** A scheduler without workers: nearly nothing has anything to show. */
export const SCHEDULER = `
import asyncio, logging, time
from distributed import Client, Event, Worker, wait
from distributed.diagnostics import MemorySampler
hostile, function = ${JSON.stringify(HOSTILE)}, ${JSON.stringify(FUNCTION)}
client = Client(n_workers=0, processes=False, dashboard_address=None)`;

/** Its workers. */
export const JOIN = `
async def join():
    global workers
    # As workers with a GPU, RMM and cuDF tell of them.
    gpu = {'gpu': {'memory-used': 3 * 2**30, 'utilization': 41}, 'rmm': {'rmm-used': 2**30, 'rmm-total': 2 * 2**30}}
    metrics = {name: lambda worker, metric=metric: metric for name, metric in {hostile: hostile, **gpu}.items()}
    startup = {'gpu': lambda worker: {'memory-total': 8 * 2**30, 'name': hostile}}
    options = {'nthreads': 1, 'dashboard_address': ':0', 'metrics': metrics, 'startup_information': startup}
    workers = [await Worker(client.scheduler.address, name=name, **options) for name in (hostile, 'two')]
client.sync(join)`;

export const CLUSTER = `${SCHEDULER}${JOIN}`;

/** Results that move, an error, something that takes time, a run of the sampler, an event and a line in a log. */
export const WORK = `
logging.getLogger('distributed.worker').error(hostile)
workers[0].log_event(hostile, hostile)
def store(size):
    time.sleep(0.4)
    return bytes(size)
def fail(x):
    raise ValueError(hostile)
store.__name__ = store.__qualname__ = function
sampler = MemorySampler()
with sampler.sample(hostile, interval=0.1):
    kept = client.map(store, [3_000_000, 3_000_001], workers=[workers[0].address])
    moved = client.map(len, kept, workers=[workers[1].address])
    failed = client.submit(fail, 1, key=hostile)
    # More than one worker can do, which the other one steals of.
    stolen = client.map(store, range(12), workers=[workers[0].address], allow_other_workers=True)
    wait([*moved, failed, *stolen])
import dask.array
square = dask.array.ones((90, 90), chunks=(30, 90)).rechunk((90, 30), method='p2p').persist()
wait(square)
def hold():
    Event('never').wait()
held = client.submit(hold, key=hostile + '-runs')`;

/** What the benchmarks of workers answer, without their load. */
export const QUICK = `
import distributed.worker
async def network(*, rpc, address):
    return {'1 MiB': 1e9}
distributed.worker.benchmark_disk = lambda rootdir: {'1 MiB': 1e8}
distributed.worker.benchmark_memory = lambda: {'1 MiB': 1e10}
distributed.worker.benchmark_network = network`;

/** The same without a client, on threads of the kernel; long enough for its resources to be measured. */
export const LOCAL = `
import dask, dask_panes
from dask.diagnostics import CacheProfiler, Profiler, ResourceProfiler
def load(i):
    time.sleep(0.6)
    return bytes(1000)
load.__name__ = load.__qualname__ = function
with Profiler() as prof, ResourceProfiler(dt=0.1) as rprof, CacheProfiler() as cprof:
    loaded = [dask.delayed(load, pure=False)(i) for i in range(8)]
    _ = dask.delayed(len)(loaded).compute(scheduler='threads', num_workers=2)
truths.HELD.update(prof=prof, rprof=rprof, cprof=cprof)`;

/** Something to compare the work with. */
export const EARLIER = 'client.submit(len, "ab").result()';

/** What a pane without data says first, also where there are workers; all others have a row for each worker or host from the start. */
export const NOTHING: Readonly<Record<string, string>> = {
  'task-stream': 'No task has finished',
  computations: 'No computations',
  'compare-computations': 'No two computations',
  'critical-path': 'No critical path',
  progress: 'No tasks',
  'task-graph': 'No tasks',
  'task-groups': 'No task groups',
  task: 'No task chosen',
  worker: 'No worker chosen',
  'work-stealing': 'No steals',
  'memory-by-key': 'No results are held',
  'memory-sampler': 'No memory runs',
  'fine-metrics': 'No activities have been measured',
  'activity-timeseries': 'No activities have been measured',
  'group-progress': 'No task has finished',
  costs: 'No task has finished',
  'compute-time-per-key': 'No compute time',
  'aggregate-time-per-action': 'No task has taken time',
  profile: 'No samples',
  'bandwidth-workers': 'No transfers',
  'bandwidth-types': 'No bandwidth by type',
  transfers: 'No transfers',
  shuffle: 'No P2P shuffle has run',
  advice: 'No task has run',
  errors: 'No errors',
  hardware: 'No measurements',
  running: 'No running tasks',
  tasks: 'No tasks'
};

/** What all others say first on a scheduler without workers. */
export const NO_WORKERS: Readonly<Record<string, string>> = Object.fromEntries([
  ...['cluster-memory', 'workers-memory', 'workers', 'nprocessing', 'cpu', 'occupancy', 'workers-disk', 'workers-map'].map(id => [
    id,
    'No workers'
  ]),
  ...['workers-transfer-bytes', 'workers-network'].map(id => [id, 'No workers']),
  ...['cpu', 'memory', 'network', 'disk'].map(id => [`${id}-timeseries`, 'No measurements']),
  ...['gpu-memory', 'gpu-utilization', 'rmm-memory'].map(id => [id, 'No worker reports a GPU']),
  ...['local-tasks', 'local-resources', 'local-cache'].map(id => [id, 'No computation without a Client']),
  ['events', 'No events']
]);

/** Plots of the scheduler itself, of which there is something from the start. */
export const FROM_START: ReadonlySet<string> = new Set(['logs', 'system', 'contention', 'profile-server']);

/** Which hostile text the table of a pane has: that of the worker, of the function, or none. */
export const NAMES: Readonly<Record<string, string>> = Object.fromEntries([
  ...['workers', 'workers-memory', 'nprocessing', 'cpu', 'occupancy', 'workers-transfer-bytes'].map(id => [id, HOSTILE]),
  ...['gpu-memory', 'gpu-utilization', 'rmm-memory', 'workers-map', 'hardware'].map(id => [id, HOSTILE]),
  ...['bandwidth-workers', 'transfers', 'events', 'logs', 'errors', 'running', 'memory-sampler', 'task-stream'].map(id => [
    id,
    HOSTILE
  ]),
  ...['progress', 'task-graph', 'task-groups', 'memory-by-key', 'compute-time-per-key', 'group-progress', 'fine-metrics'].map(
    id => [id, FUNCTION]
  ),
  ...['tasks', 'local-tasks', 'local-cache'].map(id => [id, FUNCTION])
]);
