/** Every pane of the catalogue on one cluster: says at once that there is nothing, then shows what there is, as text. */
import { expect, test } from './harness/test';

const HOSTILE = 'a<img src=x onerror=window.hacked=1>';
const FUNCTION = 'b<script>window.hacked=1</script>';

const CLUSTER = `
import asyncio, logging, time
from distributed import Client, Event, Worker, wait
from distributed.diagnostics import MemorySampler
hostile, function = ${JSON.stringify(HOSTILE)}, ${JSON.stringify(FUNCTION)}
client = Client(n_workers=0, processes=False, dashboard_address=None)
async def join():
    global workers
    # As workers with a GPU, RMM and cuDF tell of them.
    gpu = {'gpu': {'memory-used': 3 * 2**30, 'utilization': 41}, 'rmm': {'rmm-used': 2**30, 'rmm-total': 2 * 2**30}}
    metrics = {name: lambda worker, told=told: told for name, told in {hostile: hostile, **gpu}.items()}
    startup = {'gpu': lambda worker: {'memory-total': 8 * 2**30, 'name': hostile}}
    options = {'nthreads': 1, 'dashboard_address': ':0', 'metrics': metrics, 'startup_information': startup}
    workers = [await Worker(client.scheduler.address, name=name, **options) for name in (hostile, 'two')]
client.sync(join)`;

/** Results that move, an error, something that takes time, a run of the sampler, an event and a line in a log. */
const WORK = `
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
const QUICK = `
import distributed.worker
async def network(*, rpc, address):
    return {'1 MiB': 1e9}
distributed.worker.benchmark_disk = lambda rootdir: {'1 MiB': 1e8}
distributed.worker.benchmark_memory = lambda: {'1 MiB': 1e10}
distributed.worker.benchmark_network = network`;

/** Something to compare the work with. */
const EARLIER = 'client.submit(len, "ab").result()';

/** What a pane without data says first; all others have a row for each worker or host from the start. */
const NOTHING: Readonly<Record<string, string>> = {
  'task-stream': 'No tasks yet',
  computations: 'No computations yet',
  'compare-computations': 'No two computations',
  progress: 'No tasks yet',
  'task-graph': 'No tasks yet',
  'task-groups': 'No task groups yet',
  task: 'No task chosen',
  worker: 'No worker chosen',
  'work-stealing': 'No steals yet',
  'memory-by-key': 'No results are held',
  'memory-sampler': 'No memory runs yet',
  'fine-metrics': 'No activities measured yet',
  'group-progress': 'No tasks yet',
  costs: 'No task has finished yet',
  'compute-time-per-key': 'No compute time yet',
  'aggregate-time-per-action': 'No task has taken time yet',
  profile: 'No samples yet',
  'bandwidth-workers': 'No transfers yet',
  'bandwidth-types': 'No bandwidth by type yet',
  transfers: 'No transfers yet',
  shuffle: 'No P2P shuffle has run',
  advice: 'No task has run yet',
  errors: 'No errors',
  hardware: 'No measurements yet',
  running: 'No running tasks',
  tasks: 'No tasks yet'
};

/** Which hostile text the table of a pane has: that of the worker, of the function, or none. */
const NAMES: Readonly<Record<string, string>> = Object.fromEntries([
  ...['workers', 'workers-memory', 'nprocessing', 'cpu', 'occupancy', 'workers-transfer-bytes'].map(id => [id, HOSTILE]),
  ...['gpu-memory', 'gpu-utilization', 'rmm-memory', 'workers-map', 'hardware'].map(id => [id, HOSTILE]),
  ...['bandwidth-workers', 'transfers', 'events', 'logs', 'errors', 'running', 'memory-sampler', 'task-stream'].map(id => [
    id,
    HOSTILE
  ]),
  ...['progress', 'task-graph', 'task-groups', 'memory-by-key', 'compute-time-per-key', 'group-progress', 'fine-metrics'].map(
    id => [id, FUNCTION]
  ),
  ['tasks', FUNCTION]
]);

test('every pane says that there is nothing, then shows what there is, as text', async ({ lab }) => {
  const notebook = await lab.openNotebook([CLUSTER, EARLIER, WORK, QUICK]);
  await notebook.run(0);
  const sidebar = await lab.sidebar();
  let plots: string[] = [];
  await expect(async () => {
    const rows = await sidebar.locator('.dp-Plot').evaluateAll(all => all.map(row => (row as HTMLElement).dataset.plot ?? ''));
    // Those of local schedulers have a test of their own.
    plots = rows.filter(plot => !plot.startsWith('local-'));
    expect(plots).toEqual(expect.arrayContaining([...Object.keys(NOTHING), ...Object.keys(NAMES)]));
    // Of workers that report a GPU.
    expect(plots).toEqual(expect.arrayContaining(['gpu-memory', 'gpu-utilization', 'rmm-memory']));
  }).toPass();
  // No event loop is watched on Python 3.11: that pane says so with and without work.
  const watched = await notebook.value<boolean>('sys.version_info[:2] != (3, 11)', 'import sys');

  for (const plot of plots) {
    const pane = await lab.openPlot(plot);
    const said = NOTHING[plot];
    if (said !== undefined) {
      await lab.paneIs(plot, 'empty');
      await expect(pane.locator('.dp-Message-head')).toContainText(said);
      await expect(pane.locator('.dp-Message-body')).not.toBeEmpty();
    } else if (plot !== 'profile-server') {
      await lab.paneIs(plot, 'live', 'idle');
    }
    await lab.command('application:close');
    await expect(pane).toHaveCount(0);
  }

  // Before the work, of which a task keeps a thread.
  await notebook.run(3);
  const bench = await lab.openPlot('hardware');
  await bench.getByRole('button', { name: 'Measure hardware…' }).click();
  const question = lab.page.locator('.jp-Dialog');
  await expect(question).toContainText('about 12 seconds');
  await question.getByRole('button', { name: 'Measure', exact: true }).click();
  await lab.paneIs('hardware', 'live', 'idle');
  await lab.command('application:close');
  await expect(bench).toHaveCount(0);

  await notebook.run(1);
  await notebook.run(2);
  for (const plot of plots.filter(id => watched || id !== 'profile-server')) {
    if (plot === 'task' || plot === 'worker') {
      continue;
    }
    // As a layout brings it back: behind what is in front.
    await lab.command('dask-panes:open', { plot, number: 1, table: true });
    const pane = await lab.openPlot(plot);
    await lab.paneIs(plot, 'live', 'idle');
    const grid = pane.getByRole('grid');
    await expect(grid.locator('.dp-Table-body .dp-Table-row').first()).toBeVisible();
    if (NAMES[plot] !== undefined) {
      await expect(grid).toContainText(NAMES[plot]);
    }
  }
  await lab.command('dask-panes:open', { plot: 'task', number: 1, saved: { key: HOSTILE, number: -1 } });
  const details = await lab.openPlot('task');
  await expect(details).toContainText(`ValueError('${HOSTILE}')`);

  const worker = await notebook.value<string>('workers[0].address');
  await lab.command('dask-panes:open', { plot: 'worker', number: 1, options: { worker } });
  const one = await lab.openPlot('worker');
  await expect(one.locator('.dp-Worker-name')).toHaveText(HOSTILE);
  // Which worker has the task that is held is not known; the metric is of both.
  await expect(one.locator('dt', { hasText: HOSTILE })).toBeVisible();

  expect(await lab.page.evaluate(() => 'hacked' in window)).toBe(false);
  await expect(lab.page.locator('img[src="x"]')).toHaveCount(0);
});
