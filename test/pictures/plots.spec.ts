/** A picture of every plot on real work; `UPDATE_SCREENSHOTS=1` writes those of the documentation. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/environment.mjs';
import type { Lab } from '../e2e/harness/lab';
import type { Notebook } from '../e2e/harness/notebook';
import { expect, test } from '../e2e/harness/test';
import { CLUSTER, EARLIER, LOCAL, WORK } from './work';

const FOLDER = join(...(process.env.UPDATE_SCREENSHOTS ? [ROOT, 'docs', 'pictures'] : [ROOT, 'test-results', 'pictures']));

/** In CSS pixels: a pane beside the notebook has about half of the width. */
const SCREEN = { width: 1440, height: 560 };
/** The plots whose details fill the pane: the picture is in the dark theme, too. */
const DENSE = ['task-stream', 'profile', 'task-graph', 'critical-path'];
/** GPUs are needed, and nothing that pretends to be one is real work; event loops are not sampled on Python 3.11. */
const WITHOUT = /^(gpu-|rmm-|profile-server$)/;

const MINUTE = 60_000;

/** The plots of the sidebar. */
async function listed(lab: Lab): Promise<string[]> {
  const sidebar = await lab.sidebar();
  const rows = sidebar.locator('.dp-Plot');
  await expect(rows.filter({ hasText: 'Task stream' })).not.toHaveCount(0);
  const plots = await rows.evaluateAll(all => all.map(row => (row as HTMLElement).dataset.plot ?? ''));
  await lab.command('application:toggle-left-area');
  return [...new Set(plots)];
}

/** Wait until a pane has what it shows, and take its picture. */
async function take(lab: Lab, plot: string, name = plot): Promise<void> {
  const pane = lab.pane(plot);
  await lab.paneIs(plot, 'live', 'idle', 'limited');
  await expect(pane.locator('canvas, svg, .dp-Table, .dp-Details, .dp-Advice').first()).toBeVisible();
  // What is gathered from workers, and axes that move to their place.
  await expect
    .poll(async () => (await pane.screenshot()).equals(await later(lab, plot)), { intervals: [200], timeout: 8000 })
    .toBe(true)
    .catch(() => undefined);
  await pane.screenshot({ path: join(FOLDER, `${name}.png`) });
}

async function later(lab: Lab, plot: string): Promise<Buffer> {
  await lab.frames();
  return lab.pane(plot).screenshot();
}

/** Open a plot. The task is one that failed: the call stack of one that runs names folders of this machine. */
async function open(lab: Lab, notebook: Notebook, plot: string): Promise<void> {
  if (plot === 'task') {
    const key = await notebook.value<string>('parsed[0].key');
    await lab.command('dask-panes:open', { plot, number: 1, saved: { key, number: -1 } });
  } else if (plot === 'worker') {
    const worker = await notebook.value<string>('sorted(client.scheduler_info()["workers"])[0]');
    await lab.command('dask-panes:open', { plot, number: 1, options: { worker } });
  }
  await lab.openPlot(plot);
}

test('plots of a cluster', async ({ lab }) => {
  test.setTimeout(20 * MINUTE);
  mkdirSync(FOLDER, { recursive: true });
  await lab.page.setViewportSize(SCREEN);
  const notebook = await lab.openNotebook([CLUSTER, EARLIER, WORK]);
  await notebook.run(0);
  const plots = (await listed(lab)).filter(plot => !plot.startsWith('local-') && !WITHOUT.test(plot));
  // While no thread is busy: workers without a free one are left out.
  const hardware = await lab.openPlot('hardware');
  await hardware.getByRole('button', { name: 'Measure hardware…' }).click();
  await lab.page.locator('.jp-Dialog').getByRole('button', { name: 'Measure', exact: true }).click();
  await lab.paneIs('hardware', 'live', 'idle');
  await lab.openPlot('task-stream');
  await notebook.run(1);
  await notebook.run(2);
  for (const plot of plots) {
    await open(lab, notebook, plot);
    await take(lab, plot);
  }
  await lab.theme('Dark');
  for (const plot of plots.filter(each => DENSE.includes(each))) {
    await open(lab, notebook, plot);
    await take(lab, plot, `${plot}-dark`);
  }
  await lab.theme('Light');
});

test('plots of a local scheduler', async ({ lab }) => {
  test.setTimeout(5 * MINUTE);
  mkdirSync(FOLDER, { recursive: true });
  await lab.page.setViewportSize(SCREEN);
  const notebook = await lab.openNotebook([LOCAL]);
  // What no visible pane wants while the work runs is not known afterwards.
  for (const plot of (await listed(lab)).filter(each => each.startsWith('local-'))) {
    await lab.openPlot(plot);
    await notebook.run(0);
    await take(lab, plot);
  }
});
