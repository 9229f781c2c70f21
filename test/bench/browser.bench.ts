/**
 * What the layout Status costs the browser at 1,000 tasks/s (8 workers with 8 threads each, of a farm in other processes).
 *
 * - main_thread_share: CPU time of the page's main thread over that of the clock (bar 0.15; the baseline is Bokeh's
 *   status page, 0.41).
 * - idle_main_thread_share: the same for JupyterLab before the layout is opened.
 * - fps, long_tasks: animation frames a second, and tasks above 50 ms, in the same time.
 * - tasks_per_second: what arrived meanwhile: on a busy machine the cluster does not reach its rate.
 * - replay_main_thread_share, replay_fps, replay_long_tasks, replay_tasks_per_second: the same for a recording of that cluster,
 *   played at its own speed with the layout Status when cluster and kernel have gone: the page has the machine to itself.
 */
import { expect, test } from '../e2e/harness/test';
import { reporter } from './_rows';
import { meter, watch, WATCHED_MS, withCluster } from './_watch';

const RATE = 1000;
const SETTLE_MS = 8000;
const BOKEH_SHARE = 0.41;
const RECORDED_SECONDS = 25;

const report = reporter('browser');

test('browser', async ({ lab }) => {
  test.setTimeout(300_000);
  const { page } = lab;
  const session = await meter(page);
  await withCluster(async address => {
    const notebook = await lab.openNotebook([`from distributed import Client; client = Client("${address}")`]);
    await notebook.run(0);
    await page.waitForTimeout(SETTLE_MS);
    const idle = await watch(page, session);
    await lab.command('dask-panes:layout', { name: 'status' });
    await lab.paneIs('task-stream', 'live');
    await page.waitForTimeout(SETTLE_MS);
    const rows = (): Promise<number> => page.evaluate(() => window.daskPanesTest.run('task-stream').tasks.kept);
    const [first, begin] = [await rows(), performance.now()];
    const { share, fps, longTasks } = await watch(page, session);
    const rate = (((await rows()) - first) * 1000) / (performance.now() - begin);
    expect(rate).toBeGreaterThan(0);
    report('main_thread_share', share, 'cores', BOKEH_SHARE);
    report('idle_main_thread_share', idle.share, 'cores');
    report('fps', fps, '1/s', 60);
    report('long_tasks', longTasks, 'tasks', null, { seconds: WATCHED_MS / 1000 });
    report('tasks_per_second', rate, '1/s', RATE);
  });
});

test('replay', async ({ lab }) => {
  test.setTimeout(300_000);
  const { page } = lab;
  const session = await meter(page);
  await withCluster(async address => {
    const notebook = await lab.openNotebook([
      `import dask_panes, time; from distributed import Client; client = Client("${address}")`,
      `time.sleep(5)\nwith dask_panes.record("replay.dask-run"):\n    time.sleep(${RECORDED_SECONDS})`
    ]);
    await notebook.run(0);
    await notebook.run(1);
  });
  await lab.shutdownKernels();
  await lab.command('docmanager:open', { path: `${lab.name}/replay.dask-run` });
  const document = page.locator('.dp-Recording');
  await document.getByRole('button', { name: 'Status layout' }).click();
  await lab.paneIs('task-stream', 'recorded');
  await document.getByRole('slider').press('Home');
  await document.getByRole('button', { name: 'Play' }).click();
  await page.waitForTimeout(3000);
  const rows = (): Promise<number> => page.evaluate(() => window.daskPanesTest.run('task-stream').tasks.count);
  const [first, begin] = [await rows(), performance.now()];
  const { share, fps, longTasks } = await watch(page, session);
  const rate = (((await rows()) - first) * 1000) / (performance.now() - begin);
  await expect(lab.pane('task-stream').locator('.dp-Status-text')).toHaveText(/playing/);
  report('replay_main_thread_share', share, 'cores', BOKEH_SHARE);
  report('replay_fps', fps, '1/s', 60);
  report('replay_long_tasks', longTasks, 'tasks', null, { seconds: WATCHED_MS / 1000 });
  report('replay_tasks_per_second', rate, '1/s', RATE);
});
