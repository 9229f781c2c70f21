/** Hours of tasks with the Status layout open: a line of memory for every minute. `npm run test:soak` judges them. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { CDPSession } from '@playwright/test';
import { tool } from '../../scripts/lib/environment.mjs';
import { expect, test } from '../e2e/harness/test';

const MINUTES = Number(process.env.SOAK_MINUTES);
const FILE = process.env.SOAK_FILE ?? '';
const SEED = Number(process.env.SOAK_SEED);
/** Tasks per second. */
const RATE = 200;
const MINUTE = 60_000;

/** Scheduler and worker are processes of their own, so that each has its own memory. */
const CLUSTER = `
import ctypes, os, subprocess, sys, tempfile
from distributed import Client
where = os.path.join(tempfile.mkdtemp(), 'scheduler.json')
def begin(*command):
    # However the kernel ends, Linux ends these with it.
    return subprocess.Popen([sys.executable, '-m', *command, '--scheduler-file', where, '--no-dashboard'],
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                            preexec_fn=lambda: ctypes.CDLL(None).prctl(1, 9)).pid
scheduler = begin('distributed.cli.dask_scheduler', '--port', '0', '--host', '127.0.0.1')
worker = begin('distributed.cli.dask_worker', '--no-nanny', '--nthreads', '8')
client = Client(scheduler_file=where)
client.wait_for_workers(1)
client`;

/**
 * Log-normal durations of 20 ms in the middle and 200 ms at most, Zipf over 30 functions; the newest results are held.
 * Twenty tasks at a time. One batch in four is a layer of an array: tuple keys and a new group. One in forty has numbered keys:
 * twenty new functions, which Dask keeps forever.
 */
const WORK = `
import collections, math, random, time, uuid
chance = random.Random(${SEED})
functions = []
for i in range(30):
    def work(seconds):
        time.sleep(seconds)
        return seconds
    work.__name__ = f'work_{i:02}'
    functions.append(work)
weights = [1 / (i + 1) for i in range(30)]
held = collections.deque(maxlen=1000)
begin, count = time.time(), 0
print_count = globals().get('print_count', lambda count: None)
def batch(seconds):
    function, number = chance.choices(functions, weights)[0], count // 20
    if number % 4 == 1:
        name = f'{function.__name__}-{uuid.uuid4().hex}'
        layer = {(name, i // 5, i % 5): (function, value) for i, value in enumerate(seconds)}
        return client.get(layer, list(layer), sync=False)
    if number % 40 == 2:
        return client.map(function, seconds, key=[f'load_{count + i}' for i in range(20)])
    return client.map(function, seconds, pure=False)
while time.time() - begin < ${MINUTES * 60 + 30}:
    seconds = [min(0.2, max(50e-6, chance.lognormvariate(math.log(0.02), 1))) for _ in range(20)]
    held.extend(batch(seconds))
    count += 20
    print_count(count)
    time.sleep(max(0, begin + count / ${RATE} - time.time()))`;

/** The same work on a cluster that Dask Panes does not observe, in a process of its own. */
class Neighbour {
  /** Tasks that it was given. */
  tasks = 0;
  scheduler = 0;

  constructor() {
    const printing = 'print(scheduler, flush=True)\ndef print_count(count):\n    print(count, flush=True)\n';
    this.process = spawn(tool('python'), ['-c', `${CLUSTER}\n${printing}${WORK}`], { stdio: ['ignore', 'pipe', 'inherit'] });
    createInterface({ input: this.process.stdout as NodeJS.ReadableStream }).on('line', line => {
      if (this.scheduler === 0) {
        this.scheduler = Number(line);
      } else {
        this.tasks = Number(line);
      }
    });
  }

  end(): void {
    this.process.kill();
  }

  private readonly process: ChildProcess;
}

/** Bytes of a process in memory. */
function resident(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024;
}

/** Bytes that the page's own objects and their buffers take after a collection. */
async function heap(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const usage = (await session.send('Runtime.getHeapUsage')) as {
    readonly usedSize: number;
    readonly backingStorageSize?: number;
  };
  return usage.usedSize + (usage.backingStorageSize ?? 0);
}

test('memory stays within its bounds', async ({ lab }) => {
  test.setTimeout((MINUTES + 15) * MINUTE);
  const notebook = await lab.openNotebook([CLUSTER, WORK]);
  await notebook.run(0);
  const [kernel, scheduler] = await notebook.value<readonly [number, number]>('[os.getpid(), scheduler]');
  await lab.command('dask-panes:layout', { name: 'status' });
  await lab.paneIs('task-stream', 'live', 'idle', 'empty');
  const session = await lab.page.context().newCDPSession(lab.page);
  const neighbour = new Neighbour();
  await notebook.start(1);
  const begin = Date.now();
  for (let minute = 0; minute <= MINUTES; minute++) {
    await lab.page.waitForTimeout(Math.max(0, begin + minute * MINUTE - Date.now()));
    const tasks = await lab.page.evaluate(() => window.daskPanesTest.run('task-stream').tasks.count);
    if (minute > 0) {
      const bare = { bare: resident(neighbour.scheduler), bareTasks: neighbour.tasks };
      const sample = { minute, kernel: resident(kernel), scheduler: resident(scheduler), tab: await heap(session), tasks };
      appendFileSync(FILE, `${JSON.stringify({ begin, ...sample, ...bare })}\n`);
      await lab.paneIs('task-stream', 'live');
    }
  }
  await notebook.interrupt();
  neighbour.end();
  expect(lab.ownErrors()).toEqual([]);
});
