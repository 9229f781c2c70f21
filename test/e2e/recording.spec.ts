/** A recording: made in a notebook, opened from the file browser, looked at with a clock. */
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/environment.mjs';
import type { Lab } from './harness/lab';
import { expect, test } from './harness/test';

const FIXTURE = join(ROOT, 'test', 'fixtures', 'run.dask-run');
const SCREENSHOTS = join(ROOT, 'test-results', 'screenshots');

const RECORD = `import dask_panes, time
from distributed import Client, wait
client = Client(n_workers=2, threads_per_worker=2, processes=False, dashboard_address=None)
def inc(x):
    time.sleep(0.02)
    return x + 1
def double(x):
    return 2 * x`;
const BLOCK = `client.get_task_stream()
with dask_panes.record("run.dask-run"):
    kept = client.map(inc, range(100), pure=False)
    wait(kept)
    more = client.map(double, kept, pure=False)
    wait(more)
stream = client.get_task_stream(count=200)
computed = [s for r in stream for s in r["startstops"] if s["action"] == "compute"]
print('computed', len(computed), round(sum(s["stop"] - s["start"] for s in computed), 3))`;

/** What the run of a pane holds; `busy` is the time of all its computations. */
function held(lab: Lab, plot: string): Promise<{ tasks: number; end: number; latest: number; busy: number }> {
  return lab.page.evaluate(id => {
    const { tasks, clock } = window.daskPanesTest.run(id);
    const chunks = tasks.lanes.flatMap(lane => lane?.compute.chunks ?? []);
    const busy = chunks.reduce(
      (sum, chunk) => sum + Array.from({ length: chunk.length }, (_, i) => chunk.durationOf(i)).reduce((a, b) => a + b, 0),
      0
    );
    return { tasks: tasks.count, end: tasks.lastEnd, latest: clock.latest, busy };
  }, plot);
}

test('a recording made in a notebook opens from the file browser, with a clock', async ({ lab }) => {
  const notebook = await lab.openNotebook([RECORD, BLOCK]);
  await notebook.run(0);
  await notebook.run(1);
  // The dialog shows folders and recordings only.
  await lab.command('filebrowser:open-path', { path: lab.name });
  const opened = lab.page.evaluate(() => void window.jupyterapp.commands.execute('dask-panes:open-recording'));
  const dialog = lab.page.getByRole('dialog');
  await dialog.locator('.jp-DirListing-item', { hasText: 'run.dask-run' }).click();
  await expect(dialog.locator('.jp-DirListing-item', { hasText: 'ipynb' })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Select' }).click();
  await opened;
  await expect(lab.page.locator('.dp-Recording')).toHaveAttribute('data-state', 'ready');
  await lab.command('filebrowser:refresh');
  await lab.page.locator('.jp-DirListing-item', { hasText: 'run.dask-run' }).dblclick();
  const document = lab.page.locator('.dp-Recording');
  await expect(document).toHaveAttribute('data-state', 'ready');
  // Nothing failed, and that is worth a look as well.
  await expect(document.getByRole('button', { name: 'Errors', exact: true })).toBeVisible();
  await document.getByRole('button', { name: 'Status layout' }).click();
  await lab.paneIs('task-stream', 'recorded');
  await lab.paneIs('progress', 'recorded');
  const [count, seconds] =
    JSON.stringify(await notebook.outputs(1))
      .match(/computed (\d+) ([\d.]+)/)
      ?.slice(1)
      .map(Number) ?? [];
  await expect.poll(async () => (await held(lab, 'task-stream')).tasks).toBe(count);
  const whole = await held(lab, 'task-stream');
  expect(whole.busy).toBeCloseTo(seconds, 2);

  const slider = document.getByRole('slider');
  await slider.focus();
  await slider.press('Home');
  await expect.poll(async () => (await held(lab, 'task-stream')).tasks).toBeLessThan(10);
  // On a busy machine, the first tasks of the block may take half of its time.
  let half = await held(lab, 'task-stream');
  await expect(async () => {
    await slider.press('PageUp');
    half = await held(lab, 'task-stream');
    expect(half.tasks).toBeGreaterThan(20);
  }).toPass({ intervals: [1000] });
  expect(half.tasks).toBeLessThan(200);
  expect(half.end).toBeLessThanOrEqual(half.latest);
  await expect(lab.pane('task-stream').locator('.dp-Status-text')).toHaveText(/recording · paused at 0:0\d\.\d/);

  // Slowly first: words of a pane follow a few times a second, and this recording is short.
  const speed = document.getByRole('combobox', { name: 'Speed' });
  const said = await lab.witness('[data-plot="task-stream"][data-state] .dp-Status-text');
  await speed.selectOption('0.1');
  await document.getByRole('button', { name: 'Play' }).click();
  await expect.poll(async () => (await said()).some(text => text.includes('recording · playing'))).toBe(true);
  await speed.selectOption('2');
  await expect.poll(async () => (await held(lab, 'task-stream')).tasks).toBe(200);
  await expect(document.getByRole('button', { name: 'Play' })).toBeVisible();
  mkdirSync(SCREENSHOTS, { recursive: true });
  for (const scheme of ['Light', 'Dark'] as const) {
    await lab.theme(scheme);
    await expect(document).toHaveAttribute('data-scheme', scheme.toLowerCase());
    await lab.page.screenshot({ path: join(SCREENSHOTS, `recording-${scheme.toLowerCase()}.png`) });
  }
  await lab.reload();
  await lab.paneIs('task-stream', 'recorded');
  await expect.poll(async () => (await held(lab, 'task-stream')).tasks).toBe(200);
  const sidebar = await lab.sidebar();
  await expect(sidebar.getByText('run.dask-run')).toBeVisible();
});

test('in a small window the clock of a recording and the options of its panes are whole', async ({ lab }) => {
  await lab.page.setViewportSize({ width: 1100, height: 700 });
  mkdirSync(join(lab.root, lab.name), { recursive: true });
  copyFileSync(FIXTURE, join(lab.root, lab.name, 'good.dask-run'));
  await lab.command('dask-panes:open-recording', { path: `${lab.name}/good.dask-run` });
  const document = lab.page.locator('.dp-Recording');
  await expect(document).toHaveAttribute('data-state', 'ready');
  await document.locator('[data-plot="group-progress"]').click();
  await lab.paneIs('group-progress', 'recorded');
  const options = lab.pane('group-progress').locator('.dp-Option');
  await expect(options.first()).toBeInViewport({ ratio: 1 });
  await lab.page.setViewportSize({ width: 760, height: 700 });
  const outside = (selector: string, within: string): Promise<string[]> =>
    lab.page.locator(selector).evaluateAll(
      (all, ancestor) =>
        all
          .filter(each => {
            const [inner, outer] = [each, each.closest(ancestor) ?? each].map(node => node.getBoundingClientRect());
            const seen = inner.width > 0 && inner.top < outer.bottom - 1;
            return seen && (inner.right > outer.right || inner.left < outer.left);
          })
          .map(each => each.textContent ?? ''),
      within
    );
  // JupyterLab follows a change of the window a moment later.
  await expect.poll(async () => (await document.boundingBox())?.width).toBeLessThan(300);
  await expect.poll(() => outside('.dp-Clock > *', '.dp-Clock')).toEqual([]);
  for (const width of [700, 760, 820, 880, 940]) {
    await lab.page.setViewportSize({ width, height: 700 });
    await expect.poll(() => outside('.dp-Status-options .dp-Option', '.dp-Status-rest'), `at ${width}`).toEqual([]);
  }
  await lab.page.setViewportSize({ width: 760, height: 700 });
  // What has no room is in the menu.
  await lab.choose('group-progress', 'whole run');
  await expect(options.first()).toHaveText(/whole run/);
});

test('a file that is no recording says so, and a recording is not saved over', async ({ lab }) => {
  mkdirSync(join(lab.root, lab.name), { recursive: true });
  copyFileSync(join(ROOT, 'package.json'), join(lab.root, lab.name, 'odd.dask-run'));
  copyFileSync(FIXTURE, join(lab.root, lab.name, 'good.dask-run'));
  await lab.command('dask-panes:open-recording', { path: `${lab.name}/odd.dask-run` });
  await expect(lab.page.locator('.dp-Recording:visible')).toContainText('This is not a recording of Dask Panes.');
  await lab.command('dask-panes:open-recording', { path: `${lab.name}/good.dask-run` });
  const good = lab.page.locator('.dp-Recording:visible');
  await expect(good).toContainText('tasks: 83');
  // It offers what it has something of: no GPU, no measurement of the hardware, nothing that asks a scheduler, and no
  // errors, since the file was written before these were recorded.
  const offered = good.locator('.dp-Recording-plot:visible');
  await expect(good).toHaveAttribute('data-state', 'ready');
  const ids = await offered.evaluateAll(all => all.map(each => (each as HTMLElement).dataset.plot));
  expect(ids).toEqual(expect.arrayContaining(['progress', 'task-stream', 'advice', 'events']));
  const missing = ['errors', 'gpu-memory', 'rmm-memory', 'hardware', 'task', 'local-tasks'];
  expect(ids.filter(id => missing.includes(id ?? ''))).toEqual([]);
  // What has no content here must not be saved over the file.
  const toasts = await lab.witness('.Toastify');
  await lab.page.keyboard.press('Control+s');
  await expect.poll(async () => (await toasts()).join()).toContain('A recording cannot be changed: it was not saved.');
  expect(readFileSync(join(lab.root, lab.name, 'good.dask-run')).equals(readFileSync(FIXTURE))).toBe(true);
  await expect(lab.page.getByText('Saving failed')).toBeVisible();
});
