import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/environment.mjs';
import type { Lab } from './harness/lab';
import { tasksInTitle } from './harness/stream';
import { expect, test } from './harness/test';
import { type Drawn, drawnTasks, pausedTask, stillTask } from './harness/timeline';

const CLIENT = `
from time import sleep
from dask.distributed import Client
client = Client(n_workers=2, threads_per_worker=2, processes=False, dashboard_address=None)
_ = client.get_task_stream()`;

const NAMES = ['load', 'clean', 'join', 'fit', 'score', 'save'];

/** Functions that follow each other, so that the order of their first appearance is known; results are kept. */
const FUNCTIONS = `
def nap(i):
    sleep(0.05 + i / 100)
    return bytes(i * 1000)

kept = []
for name in ${JSON.stringify(NAMES)}:
    kept += client.map(nap, range(1, 9), key=name)
    _ = client.gather(kept)`;

/** Dask takes a leading bracket off a name. */
const HOSTILE = 'a <img src=x onerror=window.hacked=1>';

const palette = JSON.parse(readFileSync(join(ROOT, 'src', 'base', 'palette.json'), 'utf8')) as {
  readonly prefix: Readonly<Record<'light' | 'dark', readonly string[]>>;
};

/**
 * The tasks over whose middle no other one of their lane is. Clocks of workers are estimated, the better the longer a cluster
 * runs: two tasks of a thread may overlap on a loaded machine.
 */
function uncovered(drawn: readonly Drawn[]): readonly Drawn[] {
  const covers = (other: Drawn, { lane, row, start, duration }: Drawn): boolean => {
    const middle = start + duration / 2;
    return other.lane === lane && other.row !== row && other.start <= middle && other.start + other.duration >= middle;
  };
  return drawn.filter(task => !drawn.some(other => covers(other, task)));
}

/** Colours of the middles of all blocks, by function; a middle may lie on the edge between two blocks of one pixel. */
function coloursOf(drawn: readonly Drawn[]): Record<string, (string | null)[]> {
  const colours: Record<string, Set<string | null>> = {};
  for (const { prefix, colour } of drawn) {
    colours[prefix] ??= new Set();
    colours[prefix].add(colour);
  }
  return Object.fromEntries(Object.entries(colours).map(([prefix, found]) => [prefix, [...found]]));
}

/** Colours that cover some of the canvas of Progress, from top to bottom. */
function barColours(lab: Lab, colours: readonly string[]): Promise<string[]> {
  return lab.page.evaluate(wanted => {
    const canvas = window.daskPanesTest.pane('progress').node.querySelector<HTMLCanvasElement>('.dp-VegaView canvas');
    const pixels = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height);
    if (!canvas || !pixels) {
      return [];
    }
    const rows = new Map<string, number[]>();
    for (let i = 0; i < pixels.data.length; i += 4) {
      const [red, green, blue] = pixels.data.slice(i, i + 3);
      const colour = `#${[red, green, blue].map(value => value.toString(16).padStart(2, '0')).join('')}`;
      if (wanted.includes(colour)) {
        const found = rows.get(colour) ?? [];
        found.push(Math.floor(i / 4 / canvas.width));
        rows.set(colour, found);
      }
    }
    const mean = (found: readonly number[]): number => found.reduce((sum, y) => sum + y, 0) / found.length;
    return [...rows]
      .filter(([, found]) => found.length > 200)
      .sort(([, a], [, b]) => mean(a) - mean(b))
      .map(([colour]) => colour);
  }, colours);
}

test('a function has one colour in task stream and progress, light and dark', async ({ lab }) => {
  const notebook = await lab.openNotebook([CLIENT, FUNCTIONS]);
  await notebook.run(0);
  await lab.command('dask-panes:layout', { name: 'status' });
  await notebook.run(1);
  for (const scheme of ['light', 'dark'] as const) {
    await lab.theme(scheme === 'light' ? 'Light' : 'Dark');
    const colours = palette.prefix[scheme].slice(0, NAMES.length);
    const wanted = Object.fromEntries(NAMES.map((name, i) => [name, [colours[i]]]));
    await expect.poll(async () => coloursOf(uncovered(await drawnTasks(lab)))).toEqual(wanted);
    await expect.poll(() => barColours(lab, colours)).toEqual(colours);
  }
});

interface Recorded {
  readonly key: string;
  readonly worker: string;
  readonly nbytes: number;
  readonly start: number;
  readonly duration: number;
}

const RECORDED = `(lambda names: [
  {"key": t["key"], "worker": names[t["worker"]],
   "nbytes": t["nbytes"], "start": s["start"], "duration": s["stop"] - s["start"]}
  for t in client.get_task_stream() for s in t["startstops"] if s["action"] == "compute"
])(client.run(lambda dask_worker: str(dask_worker.name)))`;

/** 0:03.25 */
function elapsed(seconds: number): string {
  return `0:${seconds.toFixed(2).padStart(5, '0')}`;
}

test('the tooltip of a task has its key, worker, thread, start, duration and bytes, as text', async ({ lab }) => {
  const notebook = await lab.openNotebook([
    CLIENT,
    FUNCTIONS,
    'running = client.submit(sleep, 600, key="running-1")',
    `result = client.submit(sleep, 0.3, key=${JSON.stringify(HOSTILE)}).result()`
  ]);
  await notebook.run(0);
  const stream = await lab.openPlot('task-stream');
  await notebook.run(1);
  await expect.poll(() => tasksInTitle(stream)).toBe(NAMES.length * 8);
  await stream.getByRole('button', { name: 'Pause' }).click();
  await lab.paneIs('task-stream', 'paused');
  const recorded = await notebook.value<Recorded[]>(RECORDED);
  const tooltip = lab.page.getByRole('tooltip');
  for (const name of ['clean', 'save']) {
    const task = await stillTask(lab, ({ prefix }) => prefix === name);
    const truth = recorded[task.row];
    await lab.page.mouse.move(task.at.x, task.at.y);
    await expect(tooltip.locator('.dp-Tooltip-title')).toHaveText(name);
    await expect(tooltip.locator('.dp-Tooltip-key')).toHaveText(truth.key);
    const says = (term: string): Promise<string | null> => tooltip.locator(`dt:text-is("${term}") + dd`).textContent();
    const lanes = await lab.page.evaluate(() => window.daskPanesTest.run('task-stream').laneNames.map(([worker]) => worker));
    const thread = lanes.slice(0, task.lane + 1).filter(worker => worker === lanes[task.lane]).length;
    expect(await says('Worker')).toContain(`${truth.worker} · thread ${thread} · `);
    expect(await says('Start')).toContain(elapsed(truth.start - Math.min(...recorded.map(({ start }) => start))));
    expect(await says('Duration')).toBe(`${Number((truth.duration * 1000).toPrecision(3))} ms`);
    expect(await says('Result')).toBe(`${(truth.nbytes / 1024).toPrecision(3)} KiB`);
  }

  // A click keeps it, so that its text can be selected; Escape unpins it.
  await lab.page.mouse.down();
  await lab.page.mouse.up();
  await lab.page.mouse.move(5, 5);
  await expect(tooltip).toHaveAttribute('data-pinned', 'true');
  await lab.page.keyboard.press('Escape');
  await expect(tooltip).toBeHidden();

  // What has not ended has a row of its own below the lanes of its worker, up to now.
  await stream.getByRole('button', { name: 'Follow live', exact: true }).click();
  await notebook.run(2);
  await expect(async () => {
    const now = await stream.locator('.dp-Timeline-now').boundingBox();
    const titles: (string | null)[] = [];
    for (const worker of await stream.locator('.dp-Timeline-worker').all()) {
      const box = await worker.boundingBox();
      await lab.page.mouse.move(5, 5);
      await lab.page.mouse.move((now?.x ?? 0) - 3, (box?.y ?? 0) + (box?.height ?? 0) - 3);
      const seen = await tooltip.waitFor({ timeout: 1500 }).then(
        () => true,
        () => false
      );
      titles.push(seen ? await tooltip.textContent() : '');
    }
    expect(titles.join()).toMatch(/running-1/);
  }).toPass();

  await test.step('the line of now stands beside the right edge, and moves without new layers of the page', async () => {
    const line = stream.locator('.dp-Timeline-now');
    const { fromRight, animations, transform } = await line.evaluate(node => ({
      fromRight: (node.parentElement?.getBoundingClientRect().right ?? Number.NaN) - node.getBoundingClientRect().left,
      animations: node.getAnimations().length,
      transform: (node as HTMLElement).style.transform
    }));
    expect({ animations, transform }).toEqual({ animations: 1, transform: '' });
    expect(fromRight).toBeGreaterThan(8);
    expect(fromRight).toBeLessThan(20);
  });

  await test.step('a key with markup is text wherever it stands', async () => {
    await lab.command('dask-panes:layout', { name: 'status' });
    await notebook.run(3);
    await expect(stream.locator('.dp-Legend-item')).toContainText([HOSTILE]);
    const { at } = await pausedTask(lab, ({ prefix, at }) => prefix === HOSTILE && at !== null);
    await lab.page.mouse.move(at.x, at.y);
    await expect(tooltip.locator('.dp-Tooltip-title')).toHaveText(HOSTILE);
    await expect(tooltip.locator('.dp-Tooltip-key')).toHaveText(HOSTILE);

    for (const plot of ['task-stream', 'progress']) {
      await lab.choose(plot, 'Show as table');
      await expect(lab.pane(plot).locator('.dp-Table-text', { hasText: HOSTILE }).first()).toBeVisible();
    }
    await expect(lab.page.locator('img[src="x"]')).toHaveCount(0);
    expect(await lab.page.evaluate(() => 'hacked' in window)).toBe(false);
  });
});
