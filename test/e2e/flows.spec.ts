/** What moves and what it costs: memory runs, transfers, bandwidth, costs, memory by function, logs; on one cluster. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/environment.mjs';
import type { Lab } from './harness/lab';
import { expect, test } from './harness/test';

const EXAMPLE = join(ROOT, 'docs', 'examples', 'memory-sampler.ipynb');

/** Two workers in processes of their own, with names that nobody should take for markup. */
const CLIENT = `
from dask.distributed import Client, Nanny, Scheduler, SpecCluster, wait
options = {"nthreads": 1, "memory_limit": "1 GiB"}
cluster = SpecCluster(
    scheduler={"cls": Scheduler, "options": {"dashboard": False, "dashboard_address": ":0"}},
    workers={name: {"cls": Nanny, "options": options} for name in ("<img src=x onerror=alert(1)>", "two")},
    silence_logs=False,
)
client = Client(cluster)`;

/** One worker keeps results, the other takes them: large ones, and one that is small. */
const MOVE = `
import logging
def store(size):
    return bytes(size)

def take(x):
    return len(x)

names = client.run(lambda dask_worker: str(dask_worker.name))
one, two = sorted(names, key=names.get)
kept = client.map(store, [3_000_000 + i for i in range(6)], workers=[one], pure=False)
small = client.submit(store, 1000, workers=[two], pure=False)
wait([*kept, small])
wait([*client.map(take, kept, workers=[two], pure=False), client.submit(take, small, workers=[one], pure=False)])
def log():
    logging.getLogger("distributed.worker").error("<script>window.hacked = 1</script> as asked")
client.run(log)`;

const RECORDED = `client.run_on_scheduler(lambda dask_scheduler: {
  "pairs": [[str(dask_scheduler.workers[a].name), str(dask_scheduler.workers[b].name), r]
            for (a, b), r in dask_scheduler.bandwidth_workers.items()],
  "store": sum(ts.nbytes for ts in dask_scheduler.tasks.values() if ts.prefix.name == "store" and ts.state == "memory"),
})`;

const INCOMING = `[
  {"receiver": names[worker], "total": entry["total"], "keys": entry["keys"]}
  for worker, log in client.run(
    lambda dask_worker: [{"total": e["total"], "keys": len(e["keys"])} for e in dask_worker.transfer_incoming_log]
  ).items() for entry in log
]`;

interface Recorded {
  readonly pairs: readonly (readonly [receiver: string, sender: string, rate: number])[];
  readonly store: number;
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB'];

/** Bytes that a figure of three digits means. */
function meant(text: string): number {
  const [figure = '', unit = ''] = text.replace('/s', '').split(' ');
  return Number(figure) * 1024 ** UNITS.indexOf(unit);
}

async function openTable(lab: Lab, plot: string): Promise<void> {
  await lab.openPlot(plot);
  await lab.choose(plot, 'Show as table');
}

test('transfers, bandwidth, costs, memory and logs are those of Dask', async ({ lab }) => {
  const notebook = await lab.openNotebook([CLIENT, MOVE]);
  await notebook.run(0);
  for (const [plot, head] of [
    ['transfers', 'No transfers.'],
    ['bandwidth-workers', 'No transfers.'],
    ['bandwidth-types', 'No bandwidth by type.'],
    ['memory-by-key', 'No results are held.'],
    ['costs', 'No task has finished.'],
    ['memory-sampler', 'No memory runs.']
  ]) {
    await lab.openPlot(plot);
    await expect(lab.pane(plot)).toContainText(head);
  }
  await notebook.run(1);
  expect((await notebook.outputs(1)).filter(output => JSON.stringify(output).includes('"ename"'))).toEqual([]);

  const incoming = await notebook.value<{ receiver: string; total: number; keys: number }[]>(INCOMING);
  await lab.openPlot('transfers');
  const totals = (rows: readonly { receiver: string; total: number }[]): string[] =>
    rows.map(({ receiver, total }) => `${receiver} ${(total / 1e4).toFixed(0)}`).sort();
  // The two workers of a transfer are read one after the other.
  await expect(async () => {
    const log = await lab.tableRows('transfers');
    expect(log.map(({ noted }) => noted)).toEqual(incoming.map(() => 'both'));
    expect(totals(log.map(row => ({ receiver: row.receiver, total: meant(row.total) })))).toHaveLength(incoming.length);
    expect(log.map(row => `${row.receiver} ${row.keys}`).sort()).toEqual(
      incoming.map(({ receiver, keys }) => `${receiver} ${keys}`).sort()
    );
    expect(log.map(row => row.sender)).toContain('<img src=x onerror=alert(1)>');
  }).toPass();

  await openTable(lab, 'bandwidth-workers');
  await expect(async () => {
    // The scheduler hears of it with a heartbeat of the worker.
    const { pairs } = await notebook.value<Recorded>(RECORDED);
    const rows = await lab.tableRows('bandwidth-workers');
    expect(pairs).not.toHaveLength(0);
    for (const [receiver, sender, rate] of pairs) {
      const row = rows.find(({ from, to }) => from === sender && to === receiver);
      expect(Math.abs(meant(row?.average ?? '') / rate - 1)).toBeLessThan(0.006);
    }
    // What was too small for Dask's average is there too.
    expect(rows).toHaveLength(2);
  }).toPass();

  await openTable(lab, 'memory-by-key');
  const recorded = await notebook.value<Recorded>(RECORDED);
  await expect(async () => {
    const stored = (await lab.tableRows('memory-by-key')).find(({ name }) => name === 'store');
    expect(Math.abs(meant(stored?.bytes ?? '') / recorded.store - 1)).toBeLessThan(0.006);
  }).toPass();
  await notebook.execute('del kept');
  await expect(async () => {
    const stored = (await lab.tableRows('memory-by-key')).find(({ name }) => name === 'store');
    expect(stored?.bytes).toBe('0.98 KiB');
  }).toPass();

  await openTable(lab, 'costs');
  await expect(async () => {
    const rows = await lab.tableRows('costs');
    expect(rows.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['computing', 'idle', 'Compute time', 'Memory bandwidth', 'Network bandwidth', 'Serialization'])
    );
    expect(rows.find(({ what }) => what === 'Memory bandwidth')?.figure).toBe('not measured');
    expect(rows.find(({ what }) => what === 'Network bandwidth')?.figure).toContain('/s');
  }).toPass();

  await lab.openPlot('logs');
  await expect(lab.pane('logs').locator('.dp-Table')).toContainText('<script>window.hacked = 1</script> as asked');
  await lab.pane('logs').getByRole('searchbox').fill('as asked');
  await expect(async () => expect(await lab.tableRows('logs')).toHaveLength(2)).toPass();
  expect(await lab.page.evaluate(() => 'hacked' in window)).toBe(false);
  await expect(lab.page.locator('.dp-Pane img')).toHaveCount(0);
});

/** An attempt that fails after 3 s, a worker whose event loop does nothing for 6 s while it has a task, and a task that waits. */
const SPEND = `
import threading
import time
from dask.distributed import Event, get_worker
one, two = client.run(lambda: None)
client.submit(sum, [1], workers=[one]).result()
def flaky():
    worker = get_worker()
    if not hasattr(worker, "tried"):
        worker.tried = True
        time.sleep(3)
        raise ValueError("at first")

client.submit(flaky, retries=1, workers=[one]).result()
blocking = threading.Thread(target=lambda: client.run(time.sleep, 6, workers=[two]))
blocking.start()
time.sleep(0.5)
client.submit(sum, [2], workers=[two]).result()
def hold():
    Event("spent").wait()

held = client.submit(hold, workers=[one])`;

const LASTS: Readonly<Record<string, number>> = { µs: 1e-6, ms: 1e-3, s: 1, m: 60 };

/** Seconds of a duration as it is shown: "118 µs", "1 m 5 s". */
function lasted(text: string): number {
  return [...text.matchAll(/([\d.]+) (µs|ms|s|m)\b/gu)].reduce(
    (sum, [, figure, unit]) => sum + Number(figure) * (LASTS[unit] ?? Number.NaN),
    0
  );
}

test('what failed, an event loop that is blocked and what still runs are parts of their own of where time goes', async ({
  lab
}) => {
  const notebook = await lab.openNotebook([CLIENT, SPEND]);
  await notebook.run(0);
  await lab.openPlot('costs');
  await notebook.run(1);
  await lab.choose('costs', 'Show as table');
  const seconds = async (): Promise<Readonly<Record<string, number>>> => {
    const rows = (await lab.tableRows('costs')).filter(({ of }) => of === 'threads');
    return Object.fromEntries(rows.map(({ what, time }) => [what, lasted(time)]));
  };
  await expect(async () => {
    const spent = await seconds();
    expect(spent['not observed']).toBeGreaterThan(2.9);
    expect(spent['scheduler, event loops']).toBeGreaterThan(2.5);
    expect(spent['running, not ended yet']).toBeGreaterThan(5);
    // The workers had nothing to do for most of the time, and nothing of that is blamed on the scheduler.
    expect(spent['scheduler, event loops']).toBeLessThan(8);
    expect(spent.computing).toBeLessThan(1);
  }).toPass({ timeout: 60_000 });
  await notebook.execute('Event("spent").set()\nwait(held)');
  await expect(async () => {
    const spent = await seconds();
    expect(spent.computing).toBeGreaterThan(5);
    expect(spent['running, not ended yet']).toBe(0);
  }).toPass();
});

test("the runs of the MemorySampler's example appear while they are sampled", async ({ lab }) => {
  const { cells } = JSON.parse(readFileSync(EXAMPLE, 'utf8')) as { cells: { cell_type: string; source: string[] }[] };
  const notebook = await lab.openNotebook(cells.filter(cell => cell.cell_type === 'code').map(cell => cell.source.join('')));
  await notebook.run(0);
  await notebook.run(1);
  await lab.openPlot('memory-sampler');
  await lab.paneIs('memory-sampler', 'empty', 'live', 'idle');
  const said = await lab.witness('[data-plot="memory-sampler"][data-state] .dp-Pane-counts');
  await notebook.run(2);
  const counts = lab.pane('memory-sampler').locator('.dp-Pane-counts');
  await expect(counts).toHaveText(/^2 runs$/);
  const latest = (await said()).flatMap(text => /collection \d, latest/.exec(text) ?? []);
  expect(latest.filter((text, i) => text !== latest[i - 1])).toEqual(['collection 1, latest', 'collection 2, latest']);
  await lab.choose('memory-sampler', 'Show as table');
  const samples = await notebook.value<Record<string, [number, number][]>>('ms.samples');
  await expect(async () => {
    const rows = await lab.tableRows('memory-sampler');
    expect(rows.map(({ name, samples: count, peak }) => [name, Number(count), peak])).toEqual(
      Object.entries(samples).map(([name, list]) => [name, list.length, expect.any(String)])
    );
    for (const [i, list] of Object.values(samples).entries()) {
      const peak = Math.max(...list.map(([, bytes]) => bytes));
      expect(Math.abs(meant(rows[i].peak) / peak - 1)).toBeLessThan(0.006);
    }
  }).toPass();
});
