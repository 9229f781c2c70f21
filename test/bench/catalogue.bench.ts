/**
 * What twelve visible panes cost the browser at 2560 × 1440, with 1,000 workers of a farm in other processes and 1,000
 * tasks/s; the rows of the scheduler are those of `catalogue.py`.
 *
 * - main_thread_share: CPU time of the page's main thread over that of the clock. The bar is 0.30.
 * - fps, long_tasks: animation frames a second, and tasks above 50 ms, in the same time.
 * - browser_tasks_per_second: what arrived meanwhile: on a busy machine the cluster does not reach its rate.
 */
import { expect, test } from '../e2e/harness/test';
import { reporter } from './_rows';
import { meter, watch, WATCHED_MS, withCluster } from './_watch';

/** Fewer to try it out. */
const WORKERS = process.env.BENCH_WORKERS ?? '1000';
const RATE = 1000;
const SETTLE_MS = 10_000;
const BAR = 0.3;
const SIZE = { width: 2560, height: 1440 };
/** A pane of each way of drawing, those that are renewed most often first. */
const PANES = [
  ...['task-stream', 'progress', 'workers-memory', 'cpu'],
  ...['nprocessing', 'workers', 'workers-map', 'cpu-timeseries'],
  ...['group-progress', 'task-groups', 'tasks', 'system']
] as const;
const COLUMNS = 4;

const report = reporter('catalogue');

test('catalogue', async ({ lab }) => {
  test.setTimeout(400_000);
  const { page } = lab;
  await page.setViewportSize(SIZE);
  const session = await meter(page);
  await withCluster(
    async address => {
      const notebook = await lab.openNotebook([`from distributed import Client; client = Client("${address}")`]);
      await notebook.run(0);
      for (const plot of PANES) {
        await lab.openPlot(plot);
      }
      // Beside and below each other, without the notebook.
      await page.evaluate(
        ([plots, columns]) => {
          const { shell } = window.jupyterapp;
          const panes = plots.map(plot => window.daskPanesTest.pane(plot));
          for (const [i, pane] of panes.entries()) {
            const above = panes[i - columns];
            const before = panes[i - 1];
            const ref = above ?? before;
            if (ref !== undefined) {
              shell.add(pane, 'main', { mode: above === undefined ? 'split-right' : 'split-bottom', ref: ref.id });
            }
          }
        },
        [PANES, COLUMNS] as const
      );
      for (const plot of PANES) {
        await lab.paneIs(plot, 'live');
        await expect(lab.pane(plot)).toBeVisible();
      }
      await page.waitForTimeout(SETTLE_MS);
      const rows = (): Promise<number> => page.evaluate(() => window.daskPanesTest.run('task-stream').tasks.count);
      const [first, begin] = [await rows(), performance.now()];
      const { share, fps, longTasks } = await watch(page, session);
      const rate = (((await rows()) - first) * 1000) / (performance.now() - begin);
      expect(rate).toBeGreaterThan(0);
      report('main_thread_share', share, 'cores', BAR, { panes: PANES.length });
      report('fps', fps, '1/s', 60);
      report('long_tasks', longTasks, 'tasks', null, { seconds: WATCHED_MS / 1000 });
      report('browser_tasks_per_second', rate, '1/s', RATE);
    },
    WORKERS,
    '2'
  );
});
