/**
 * How long after its end a task is on the screen: at 100 tasks/s on a two-worker LocalCluster with the Status layout
 * open, from the end of the task (scheduler clock) to the first frame after which the canvas pixel of that lane and
 * time, read back, has the function's colour. Rows p50_ms and p95_ms; the baseline is what Bokeh's data source was
 * measured to need (52-71 and 89-101 ms), which is before its paint: compare it with arrived_p50_ms and arrived_p95_ms,
 * when the frame with the task is decoded in the page. Rows busy_kernel_…: the same while the kernel's
 * main thread runs a loop in Python, and another thread submits; busy_kernel_p95_ms has the bar 150. The scheduler of a
 * LocalCluster is in that process too and waits for the GIL as well: busy_kernel_dask_… is what passes from the end of
 * a task until that scheduler itself has heard of it, in the same run. Rows busy_kernel_remote_…: the scheduler is in
 * another process, as that of a hosted cluster is.
 */
import type { Lab } from '../e2e/harness/lab';
import type { Notebook } from '../e2e/harness/notebook';
import { expect, test } from '../e2e/harness/test';
import { percentile, reporter } from './_rows';

const TASKS = 600;
const RATE = 100;
/** Seconds in view: a task of 30 ms is then some pixels wide and has its own colour. */
const IN_VIEW = { least: 1.5, most: 2.5 };
const MOST_ZOOM_STEPS = 60;
/** Middle of what Bokeh's task stream needed until the data was in the page. */
const BOKEH = { p50_ms: 62, p95_ms: 97 };

const LOCAL = `Client(n_workers=2, threads_per_worker=2, dashboard_address=":0")`;

const REMOTE_CLUSTER = `
import sys
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=2, dashboard_address=":0") as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
`;
const START_REMOTE = `
import subprocess, sys
cluster = subprocess.Popen([sys.executable, "_cluster.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
address = cluster.stdout.readline().strip()`;
const REMOTE = 'Client(address)';

const setup = (client: string): string => `
from time import sleep, time
from distributed import Client
from distributed.diagnostics.plugin import SchedulerPlugin
client = ${client}
def even(x): sleep(0.03)
def odd(x): sleep(0.03)
client.gather([client.submit(even, -1), client.submit(odd, -1)])
# Older than what is zoomed to, so that the picture scrolls.
sleep(3)
client`;

const LOAD = `
begin = time()
futures = []
for i in range(${TASKS}):
    futures.append(client.submit(odd if i % 2 else even, i, pure=False))
    sleep(max(0, begin + (i + 1) / ${RATE} - time()))
client.gather(futures);`;

/** How long after their end the scheduler hears of tasks: Dask's own part, where the scheduler is in this process. */
const HEAR = `
heard = []
class Hear(SchedulerPlugin):
    def transition(self, key, start, finish, *args, startstops=None, **kwargs):
        if start == "processing" and startstops:
            heard.append(time() - startstops[-1]["stop"])
client.cluster.scheduler.add_plugin(Hear())`;

const BUSY_LOAD = `
from threading import Thread
def submit():
    begin = time()
    futures = []
    for i in range(${TASKS}):
        futures.append(client.submit(odd if i % 2 else even, i, pure=False))
        sleep(max(0, begin + (i + 1) / ${RATE} - time()))
    client.gather(futures)
thread = Thread(target=submit)
thread.start()
turns = 0
while thread.is_alive():
    turns += 1`;

const report = reporter('latency');

/** Watch the task stream from inside the page; resolves with the latency of every task that was seen, in ms. */
async function watch(count: number): Promise<{ seen: number[]; arrived: number[]; missed: number }> {
  interface Task {
    readonly lane: number;
    readonly prefix: number;
    readonly start: number;
    readonly end: number;
  }
  interface Point {
    readonly x: number;
    readonly y: number;
  }
  interface Body {
    readonly columns: Readonly<Record<'lane' | 'prefix' | 'start' | 'duration', ArrayLike<number>>>;
  }
  interface FrameSignal {
    connect(slot: (sender: unknown, frame: { readonly topics: { readonly tasks?: Body } }) => void): void;
  }
  const widgets = [...window.jupyterapp.shell.widgets('main')];
  const pane = widgets.find(widget => widget.node.dataset.plot === 'task-stream') as unknown as {
    readonly node: HTMLElement;
    readonly live: { readonly run: { readonly prefixNames: readonly string[] }; readonly feed: { readonly frame: FrameSignal } };
  };
  const timeline = pane.node.querySelector<HTMLElement>('.dp-Timeline');
  const canvas = timeline?.querySelector<HTMLCanvasElement>('canvas.dp-Timeline-data');
  const context = canvas?.getContext('2d');
  if (!timeline || !canvas || !context) {
    throw new Error('the task stream has no canvas');
  }
  /** Pixels on each side of the middle of a task: less than half of the shortest task, and of a row. */
  const ASIDE = 3;
  const swatches = [...pane.node.querySelectorAll<HTMLElement>('.dp-Legend-item')];
  const colours = new Map<number, readonly number[]>();
  const waiting = new Set<Task>();
  const seen: number[] = [];
  const arrived: number[] = [];
  let missed = 0;
  let total = 0;
  const since = (end: number): number => performance.timeOrigin + performance.now() - end * 1000;
  pane.live.feed.frame.connect((_, frame) => {
    const tasks = frame.topics.tasks;
    for (let i = 0; i < (tasks?.columns.lane.length ?? 0); i++) {
      const { lane, prefix, start, duration } = (tasks as Body).columns;
      const end = start[i] + duration[i];
      waiting.add({ lane: lane[i], prefix: prefix[i], start: start[i], end });
      arrived.push(since(end));
      total += 1;
    }
  });
  // A long block has its name on it: the pixels around its middle, which may be of a letter.
  const pixels = (task: Task): readonly (readonly number[])[] => {
    let at: Point | null = null;
    const reply = (found: { readonly pixel: Point } | null): void => {
      at = found?.pixel ?? null;
    };
    const detail = { lane: task.lane, time: (task.start + task.end) / 2, reply };
    timeline.dispatchEvent(new CustomEvent('dp-locate', { detail }));
    const place = at as Point | null;
    const data = place ? [...context.getImageData(place.x - ASIDE, place.y - ASIDE, 2 * ASIDE + 1, 2 * ASIDE + 1).data] : [];
    return Array.from({ length: data.length / 4 }, (_, i) => data.slice(4 * i, 4 * i + 3));
  };
  const colourOf = (prefix: number): readonly number[] => {
    const known = colours.get(prefix);
    if (known) {
      return known;
    }
    const item = swatches.find(swatch => swatch.textContent === pane.live.run.prefixNames[prefix]);
    const hex = item?.querySelector<HTMLElement>('.dp-Swatch')?.style.getPropertyValue('--dp-swatch') ?? '';
    const found = (hex.match(/[0-9a-f]{2}/gi) ?? []).map(digits => Number.parseInt(digits, 16));
    colours.set(prefix, found);
    return found;
  };
  return new Promise(resolve => {
    const look = (): void => {
      for (const task of waiting) {
        const wanted = colourOf(task.prefix);
        if (wanted.length === 3 && pixels(task).some(found => found.every((value, i) => Math.abs(value - wanted[i]) <= 2))) {
          seen.push(since(task.end));
          waiting.delete(task);
        } else if (since(task.end) > 5000) {
          missed += 1;
          waiting.delete(task);
        }
      }
      if (total >= count && waiting.size === 0) {
        resolve({ seen, arrived, missed });
      } else {
        // After the frame, not in it: what is read back has been painted, no matter which painted first.
        requestAnimationFrame(() => setTimeout(look, 0));
      }
    };
    look();
  });
}

/** The key that brings the period in view nearer to the one wanted (seconds); `null` when it is there. */
async function zoomKey(wanted: { readonly least: number; readonly most: number }): Promise<'w' | 's' | null> {
  await new Promise(painted => requestAnimationFrame(() => setTimeout(painted, 0)));
  const timeline = document.querySelector('[data-plot="task-stream"] .dp-Timeline');
  const shows = (age: number): boolean => {
    let inView = false;
    const reply = (found: unknown): void => {
      inView = found !== null;
    };
    const detail = { lane: 0, time: performance.timeOrigin / 1000 + performance.now() / 1000 - age, reply };
    timeline?.dispatchEvent(new CustomEvent('dp-locate', { detail }));
    return inView;
  };
  if (!shows(wanted.least)) {
    return 's';
  }
  return shows(wanted.most) ? 'w' : null;
}

/** Run a cell that makes tasks and report how late they were seen. */
async function measure(lab: Lab, notebook: Notebook, cell: number, prefix = ''): Promise<void> {
  const watching = lab.page.evaluate(watch, TASKS);
  await notebook.start(cell);
  const { seen, arrived, missed } = await watching;
  await notebook.finished(cell);
  expect(seen.length).toBeGreaterThanOrEqual(500);
  report(`${prefix}p50_ms`, percentile(seen, 0.5), 'ms', BOKEH.p50_ms);
  report(`${prefix}p95_ms`, percentile(seen, 0.95), 'ms', BOKEH.p95_ms);
  report(`${prefix}arrived_p50_ms`, percentile(arrived, 0.5), 'ms');
  report(`${prefix}arrived_p95_ms`, percentile(arrived, 0.95), 'ms');
  report(`${prefix}tasks_seen`, seen.length, 'tasks', TASKS);
  report(`${prefix}tasks_missed`, missed, 'tasks');
}

/** Open the layout and zoom until tasks of some milliseconds have pixels of their own. */
async function showStatus(lab: Lab): Promise<void> {
  await lab.command('dask-panes:layout', { name: 'status' });
  await lab.paneIs('task-stream', 'live', 'idle');
  await expect(lab.pane('task-stream').locator('.dp-Legend-item')).not.toHaveCount(0);
  await lab.pane('task-stream').locator('.dp-Timeline-plot').focus();
  for (let step = 0; ; step++) {
    const key = await lab.page.evaluate(zoomKey, IN_VIEW);
    if (key === null) {
      break;
    }
    expect(step, 'the zoom ends').toBeLessThan(MOST_ZOOM_STEPS);
    await lab.page.keyboard.press(key);
  }
}

test('latency', async ({ lab }) => {
  test.setTimeout(300_000);
  const notebook = await lab.openNotebook([setup(LOCAL), LOAD, HEAR, BUSY_LOAD]);
  await notebook.run(0);
  await showStatus(lab);
  await measure(lab, notebook, 1);
  await notebook.run(2);
  await measure(lab, notebook, 3, 'busy_kernel_');
  const heard = await notebook.value<readonly number[]>('[1000 * seconds for seconds in heard]');
  report('busy_kernel_dask_p50_ms', percentile(heard, 0.5), 'ms');
  report('busy_kernel_dask_p95_ms', percentile(heard, 0.95), 'ms');
});

test('latency with a busy kernel and the scheduler elsewhere', async ({ lab }) => {
  test.setTimeout(300_000);
  const notebook = await lab.openNotebook([
    `%%writefile _cluster.py${REMOTE_CLUSTER}`,
    START_REMOTE,
    setup(REMOTE),
    BUSY_LOAD,
    'client.close()\ncluster.communicate();'
  ]);
  for (const cell of [0, 1, 2]) {
    await notebook.run(cell);
  }
  await showStatus(lab);
  await measure(lab, notebook, 3, 'busy_kernel_remote_');
  await notebook.run(4);
});
