import type { Lab } from './harness/lab';
import type { Notebook } from './harness/notebook';
import { expect, test } from './harness/test';

/** Workers whose memory is their own. */
const PROCESSES = 'memory_limit="1 GiB"';
/** Workers that are there at once. */
const THREADS = 'processes=False';

function clientOf(workers: string): string {
  return `
import random
from time import sleep
from dask.distributed import Client, Event
client = Client(n_workers=2, threads_per_worker=2, ${workers}, dashboard_address=None)
_ = client.get_task_stream()  # Dask records executions from the first call on`;
}

/** The example of Dask's own documentation, with shorter naps. */
const SEED = `
def inc(x):
    sleep(random.random() / 20)
    return x + 1

def dec(x):
    sleep(random.random() / 20)
    return x - 1

def add(x, y):
    sleep(random.random() / 20)
    return x + y

incs = client.map(inc, range(100))
decs = client.map(dec, range(100))
adds = client.map(add, incs, decs)
total = client.submit(sum, adds)

del incs, decs, adds
total.result()`;

/** A moment that lasts: every thread waits for an event, other tasks wait for those, and results lie in memory. */
const FREEZE = `
def store(i):
    return bytes(i * 1_000_000)

def fail():
    raise ValueError("on purpose")

def hold(i):
    Event("go on").wait()

def after(x):
    return x

stored = client.map(store, range(1, 9))
failed = client.submit(fail)
_ = client.gather([*stored, failed], errors="skip")
held = client.map(hold, range(10))
later = client.map(after, held)`;

/** One execution, as Dask or as a pane reports it. */
interface Execution {
  readonly prefix: string;
  readonly worker: string;
  /** Thread ids have up to 53 bits and more: compared as text. */
  readonly thread: string;
  readonly status: string;
  readonly nbytes: number;
  readonly start: number;
  readonly duration: number;
}

const TASK_STREAM = `[
  {"prefix": key_split(t["key"]), "worker": t["worker"], "thread": str(t["thread"]), "status": t["status"],
   "nbytes": t["nbytes"] if t["status"] == "OK" else 0,
   "start": s["start"], "duration": s["stop"] - s["start"]}
  for t in client.get_task_stream() for s in t["startstops"] if s["action"] == "compute"
]`;

const MOVES = `sum(1 for t in client.get_task_stream() for s in t["startstops"] if s["action"] != "compute")`;

const PREFIXES = `client.run_on_scheduler(
  lambda dask_scheduler: {name: dict(prefix.states) for name, prefix in dask_scheduler.task_prefixes.items()}
)`;

const MEMORY = `client.run_on_scheduler(lambda dask_scheduler: {
  ws.address: {
    "name": str(ws.name), "limit": ws.memory_limit, "process": ws.memory.process, "managed": ws.memory.managed,
    "unmanaged": ws.memory.unmanaged_old, "recent": ws.memory.unmanaged_recent, "spilled": ws.memory.spilled,
    "last_seen": ws.last_seen,
  } for ws in dask_scheduler.workers.values()
})`;

const IMPORTS = 'from distributed.utils import key_split';

/** Bytes of a worker, and when it last said so. */
interface Memory {
  readonly name: string;
  readonly limit: number;
  readonly process: number;
  readonly managed: number;
  readonly unmanaged: number;
  readonly recent: number;
  readonly spilled: number;
  readonly last_seen: number;
}

/** Every execution that the task stream holds, in the order of the scheduler. */
function held(lab: Lab): Promise<Execution[]> {
  return lab.page.evaluate(() => {
    const run = window.daskPanesTest.run('task-stream');
    const rows: (Execution & { readonly row: number })[] = [];
    for (const [number, lane] of run.tasks.lanes.entries()) {
      const [worker, thread] = run.laneNames[number] ?? [];
      for (const chunk of lane?.compute.chunks ?? []) {
        for (let i = 0; i < chunk.length; i++) {
          const { row, label, flags, detail, start, duration } = chunk.at(i);
          rows.push({
            row,
            prefix: run.prefixNames[label],
            worker: run.workerNames[worker ?? -1]?.address ?? '',
            thread: String(thread),
            status: flags & 1 ? 'error' : 'OK',
            nbytes: detail,
            start,
            duration
          });
        }
      }
    }
    return rows.sort((a, b) => a.row - b.row).map(({ row, ...execution }) => execution);
  });
}

async function openStatus(lab: Lab, workers: string, cells: readonly string[]): Promise<Notebook> {
  const notebook = await lab.openNotebook([clientOf(workers), ...cells]);
  await notebook.run(0);
  await lab.command('dask-panes:layout', { name: 'status' });
  await expect(lab.pane('task-stream')).toBeVisible();
  return notebook;
}

/** Tasks by state as Dask counts them, in the words of the table of progress. */
async function statesOf(notebook: Notebook): Promise<Readonly<Record<string, string>>[]> {
  const prefixes = await notebook.value<Record<string, Record<string, number>>>(PREFIXES);
  const rows = Object.entries(prefixes).map(([name, states]) => {
    const count = (state: string): number => states[state] ?? 0;
    const done = count('released') + count('forgotten') + count('memory');
    const all = done + count('erred') + count('processing') + count('queued') + count('no-worker') + count('waiting');
    const figures = {
      done,
      all,
      released: count('released') + count('forgotten'),
      memory: count('memory'),
      erred: count('erred'),
      processing: count('processing'),
      queued: count('queued'),
      'no-worker': count('no-worker'),
      waiting: count('waiting')
    };
    return { function: name, ...Object.fromEntries(Object.entries(figures).map(([id, n]) => [id, String(n)])) };
  });
  return byFunction(rows);
}

function byFunction(rows: readonly Readonly<Record<string, string>>[]): Readonly<Record<string, string>>[] {
  return [...rows].sort((a, b) => (a.function < b.function ? -1 : 1));
}

/** The same from the table that a user sees, without what Dask does not report. */
async function progressRows(lab: Lab): Promise<Readonly<Record<string, string>>[]> {
  const rows = await lab.tableRows('progress');
  return byFunction(rows.map(row => Object.fromEntries(Object.entries(row).filter(([id]) => !/^(rate|left|ever-.*)$/.test(id)))));
}

test('the panes hold what Dask says at the end of its own example, and while tasks wait and results lie in memory', async ({
  lab
}) => {
  const notebook = await openStatus(lab, PROCESSES, [SEED, FREEZE]);
  await notebook.run(1);
  expect(await notebook.outputs(1)).toMatchObject([{ data: { 'text/plain': '9900' } }]);

  const recorded = await notebook.value<Execution[]>(TASK_STREAM, IMPORTS);
  expect(recorded).toHaveLength(301);
  await expect(lab.pane('task-stream').locator('.dp-Pane-counts')).toContainText('301 executions');
  const found = await held(lab);
  const names = ({ start, duration, ...rest }: Execution): unknown => rest;
  expect(found.map(names)).toEqual(recorded.map(names));
  const error = (pick: (execution: Execution) => number): number =>
    recorded.reduce((most, execution, i) => Math.max(most, Math.abs(pick(execution) - pick(found[i]))), 0);
  expect(error(execution => execution.start)).toBe(0);
  // Durations travel in single precision.
  expect(error(execution => execution.duration)).toBeLessThan(1e-7);
  expect(new Set(found.map(({ thread }) => thread)).size).toBe(4);

  const moves = await notebook.value<number>(MOVES);
  await expect.poll(() => lab.page.evaluate(() => window.daskPanesTest.run('task-stream').tasks.moveCount)).toBe(moves);

  await lab.choose('progress', 'Show as table');
  // Dask counts all functions, not only those of the last cell.
  await lab.choose('progress', 'Count: all functions, each since its last idle time');
  await expect(async () => {
    const states = await progressRows(lab);
    expect(states).toEqual(await statesOf(notebook));
    expect(states).toContainEqual(expect.objectContaining({ function: 'add', done: '100', released: '100' }));
  }).toPass();

  await notebook.run(2);
  for (const plot of ['workers-memory', 'cluster-memory']) {
    await lab.choose(plot, 'Show as table');
  }

  await expect(async () => expect(await progressRows(lab)).toEqual(await statesOf(notebook))).toPass();
  await expect(async () => {
    const states = await progressRows(lab);
    expect(states).toContainEqual(expect.objectContaining({ function: 'store', memory: '8', done: '8', all: '8' }));
    expect(states).toContainEqual(expect.objectContaining({ function: 'fail', erred: '1' }));
    expect(states).toContainEqual(expect.objectContaining({ function: 'after', waiting: '10', done: '0' }));
    const holding = states.find(row => row.function === 'hold');
    expect(Number(holding?.processing) + Number(holding?.queued)).toBe(10);
    expect(Number(holding?.queued)).toBeGreaterThan(0);
  }).toPass();

  // Memory is reported with the heartbeats of workers, twice a second: two looks see the same once there are no more.
  await notebook.execute('client.run(lambda dask_worker: dask_worker.periodic_callbacks["heartbeat"].stop())');
  await expect(async () => {
    const recorded = await notebook.value<Record<string, Memory>>(MEMORY);
    const [exact, workers, cluster] = await Promise.all([
      exactMemory(lab),
      lab.tableRows('workers-memory'),
      lab.tableRows('cluster-memory')
    ]);
    expect(exact).toEqual(recorded);
    // The panes order by name, Dask by arrival.
    const all = Object.values(recorded).sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
    expect(workers.map(({ name }) => name)).toEqual(all.map(({ name }) => name));
    for (const part of PARTS) {
      expectAbout(
        workers.map(row => row[part]),
        all.map(memory => memory[part])
      );
    }
    expectAbout(
      cluster.slice(0, PARTS.length).map(({ bytes }) => bytes),
      PARTS.map(part => all.reduce((sum, memory) => sum + memory[part], 0))
    );
  }).toPass();
  const last = Object.values(await notebook.value<Record<string, Memory>>(MEMORY));
  // What is stored, and the earlier total.
  const total = await notebook.value<number>('sys.getsizeof(total.result())', 'import sys');
  expect(last.reduce((sum, { managed }) => sum + managed, 0)).toBe(36_000_000 + total);

  await notebook.execute('Event("go on").set()\n_ = client.gather(later)');
  await expect(async () => expect(await progressRows(lab)).toEqual(await statesOf(notebook))).toPass();
});

test('a second run of a function begins at zero, and only the tooltip has the tasks of both', async ({ lab }) => {
  const notebook = await openStatus(lab, THREADS, [
    `from distributed import wait
def inc(x): return x + 1
for _ in range(3): wait(client.map(inc, range(100), pure=False))`,
    `from distributed import Event
gate = client.submit(lambda: Event("second run").wait(), pure=False)
second = client.map(inc, [gate] * 40, pure=False)`,
    'Event("second run").set(); _ = wait(second)'
  ]);
  const counts = lab.pane('progress').locator('.dp-Pane-counts');
  await notebook.run(1);
  await expect(counts).toContainText('300 / 300 done');
  // The function has had nothing to do for longer than a pause within one run.
  await expect.poll(() => resting(lab, 'inc')).toBeGreaterThan(3);

  await notebook.run(2);
  await lab.choose('progress', 'Show as table');
  const row = async (): Promise<Readonly<Record<string, string>> | undefined> =>
    (await lab.tableRows('progress')).find(each => each.function === 'inc');
  await expect.poll(row).toMatchObject({ done: '0', all: '40', waiting: '40', 'ever-all': '340', 'ever-done': '300' });
  await expect(counts).toContainText('0 / 41 done');
  await notebook.run(3);
  await expect.poll(row).toMatchObject({ done: '40', all: '40', 'ever-done': '340' });
});

/** For how long a function has had nothing to do, seconds on the scheduler's clock. */
function resting(lab: Lab, name: string): Promise<number> {
  return lab.page.evaluate(name => {
    const { prefixes, prefixNames, clock } = window.daskPanesTest.run('progress');
    return clock.at(performance.now()) - (prefixes.get(prefixNames.indexOf(name), 'until') || Number.POSITIVE_INFINITY);
  }, name);
}

/** Memory as the pane of each worker holds it, to the byte. */
function exactMemory(lab: Lab): Promise<Record<string, Memory>> {
  return lab.page.evaluate(() => {
    const { workers, workerNames } = window.daskPanesTest.run('workers-memory');
    return Object.fromEntries(
      workers.ids.map(id => {
        const { address, name } = workerNames[id];
        const memory: Memory = {
          name: String(name),
          limit: workers.get(id, 'memory_limit'),
          process: workers.get(id, 'process'),
          managed: workers.get(id, 'managed'),
          unmanaged: workers.get(id, 'unmanaged_old'),
          recent: workers.get(id, 'unmanaged_recent'),
          spilled: workers.get(id, 'spilled'),
          last_seen: workers.get(id, 'last_seen')
        };
        return [address, memory] as const;
      })
    );
  });
}

/** Columns of the table of workers, and rows of the table of the cluster. */
const PARTS = ['process', 'managed', 'unmanaged', 'recent', 'spilled', 'limit'] as const;

const UNITS = ['B', 'KiB', 'MiB', 'GiB'];

/** Expect figures of three significant digits to mean these bytes. */
function expectAbout(texts: readonly string[], bytes: readonly number[]): void {
  expect(texts).toHaveLength(bytes.length);
  for (const [i, text] of texts.entries()) {
    const [figure = '', unit = ''] = text.split(' ');
    const meant = Number(figure) * 1024 ** UNITS.indexOf(unit);
    expect(Math.abs(meant - bytes[i]), `${text} for ${bytes[i]} B`).toBeLessThanOrEqual(0.0051 * bytes[i]);
  }
}
