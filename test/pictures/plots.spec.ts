/**
 * A picture of every plot on real work, and a small one, light and dark, for "How to read this plot";
 * `UPDATE_SCREENSHOTS=1` writes those of the documentation and of the extension.
 */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/environment.mjs';
import type { Lab } from '../e2e/harness/lab';
import type { Notebook } from '../e2e/harness/notebook';
import { expect, test } from '../e2e/harness/test';
import { makeSmall, takeSmall } from './examples';
import { CLUSTER, EARLIER, LOCAL, WORK } from './work';

const FOLDER = join(...(process.env.UPDATE_SCREENSHOTS ? [ROOT, 'docs', 'pictures'] : [ROOT, 'test-results', 'pictures']));
/** The plots that are asked for; all if none is. */
const ASKED = (process.env.DASK_PANES_TEST_PLOTS ?? '').split(',').filter(Boolean);

/** In CSS pixels: a pane beside the notebook has about half of the width. */
const SCREEN = { width: 1440, height: 560 };
/** The plots whose time axis is that of the run: their pictures are the first. */
const TIMED = /-timeseries$|^(task-stream|computations|group-progress|work-stealing|events|system|contention|memory-sampler)$/;
/** The plots whose details fill the pane: the picture is in the dark theme, too. */
const DENSE = ['task-stream', 'profile', 'task-graph', 'critical-path'];
/** Plots that a cluster of this machine has nothing for: those of a local scheduler, and of GPUs. */
const WITHOUT = /^(local-|gpu-|rmm-)/;
/** The plots of GPUs with their titles, on a recording from a real one. */
const GPU = { 'gpu-memory': 'GPU memory', 'gpu-utilization': 'GPU utilization', 'rmm-memory': 'RMM memory' };
const GPU_RECORDING = join(ROOT, 'test', 'fixtures', 'gpu.dask-run');

const MINUTE = 60_000;

/** The plots of the sidebar. */
async function listed(lab: Lab): Promise<string[]> {
  const sidebar = await lab.sidebar();
  const rows = sidebar.locator('.dp-Plot');
  await expect(rows.filter({ hasText: 'Task stream' })).not.toHaveCount(0);
  const plots = await rows.evaluateAll(all => all.map(row => (row as HTMLElement).dataset.plot ?? ''));
  await lab.command('application:toggle-left-area');
  return [...new Set(plots)].filter(plot => ASKED.length === 0 || ASKED.includes(plot));
}

/** Get the page and the folder ready: no notification is over a pane. */
async function prepare(lab: Lab): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  await lab.page.setViewportSize(SCREEN);
  await lab.page.addStyleTag({ content: '.Toastify { display: none }' });
}

/** Wait until a pane has what it shows. */
async function settled(lab: Lab, plot: string): Promise<void> {
  const pane = lab.pane(plot);
  await lab.paneIs(plot, 'live', 'idle', 'limited', 'paused', 'recorded');
  await expect(pane.locator('canvas, svg, .dp-Table, .dp-Details, .dp-Advice').first()).toBeVisible();
  // What is gathered from workers, and axes that move to their place.
  await expect
    .poll(async () => (await pane.screenshot()).equals(await later(lab, plot)), { intervals: [200], timeout: 5000 })
    .toBe(true)
    .catch(() => undefined);
  // No ring of the focus.
  await lab.page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
}

/** Stop a pane at what it shows: a time axis does not get longer while the other pictures are taken. */
async function pause(lab: Lab, plot: string): Promise<void> {
  await settled(lab, plot);
  await lab.pane(plot).getByRole('button', { name: 'Pause', exact: true }).click();
}

/** Take the picture of a pane. */
async function take(lab: Lab, plot: string, name = plot): Promise<void> {
  await settled(lab, plot);
  await lab.pane(plot).screenshot({ path: join(FOLDER, `${name}.png`) });
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

/** Take the small pictures of panes that are open. */
async function examples(lab: Lab, plots: readonly string[], show: (plot: string) => Promise<unknown>): Promise<void> {
  await show(plots[0] ?? '');
  await makeSmall(lab, plots[0] ?? '');
  for (const scheme of ['dark', 'light'] as const) {
    await lab.theme(scheme === 'dark' ? 'Dark' : 'Light');
    for (const plot of plots) {
      await show(plot);
      await settled(lab, plot);
      await takeSmall(lab, plot, scheme);
    }
  }
}

test('plots of a cluster', async ({ lab }) => {
  test.setTimeout(40 * MINUTE);
  await prepare(lab);
  const notebook = await lab.openNotebook([CLUSTER, EARLIER, ...WORK]);
  await notebook.run(0);
  // No event loop is sampled on Python 3.11.
  const sampled = await notebook.value<boolean>('sys.version_info[:2] != (3, 11)', 'import sys');
  const all = (await listed(lab)).filter(plot => !WITHOUT.test(plot) && (sampled || plot !== 'profile-server'));
  const plots = [...all.filter(plot => TIMED.test(plot)), ...all.filter(plot => !TIMED.test(plot))];
  if (plots.length === 0) {
    // None of these is asked for.
    return;
  }
  if (plots.includes('hardware')) {
    // While no thread is busy: workers without a free one are left out.
    const hardware = await lab.openPlot('hardware');
    await hardware.getByRole('button', { name: 'Measure hardware…' }).click();
    await lab.page.locator('.jp-Dialog').getByRole('button', { name: 'Measure', exact: true }).click();
    await lab.paneIs('hardware', 'live', 'idle');
  }
  await lab.openPlot('task-stream');
  for (let cell = 1; cell <= 1 + WORK.length; cell++) {
    await notebook.run(cell);
  }
  for (const plot of plots) {
    await open(lab, notebook, plot);
    await take(lab, plot);
    await pause(lab, plot);
  }
  await lab.theme('Dark');
  for (const plot of plots.filter(each => DENSE.includes(each))) {
    await open(lab, notebook, plot);
    await take(lab, plot, `${plot}-dark`);
  }
  await examples(lab, plots, plot => open(lab, notebook, plot));
});

test('plots of a local scheduler', async ({ lab }) => {
  test.setTimeout(5 * MINUTE);
  await prepare(lab);
  const notebook = await lab.openNotebook([LOCAL]);
  const plots = (await listed(lab)).filter(each => each.startsWith('local-'));
  if (plots.length === 0) {
    // None of these is asked for.
    return;
  }
  // What no visible pane wants while the work runs is not known afterwards.
  for (const plot of plots) {
    await lab.openPlot(plot);
    await notebook.run(0);
    await take(lab, plot);
  }
  await examples(lab, plots, async plot => {
    await lab.openPlot(plot);
    await notebook.run(0);
  });
});

test('plots of GPUs', async ({ lab }) => {
  test.setTimeout(5 * MINUTE);
  const plots = Object.entries(GPU).filter(([plot]) => ASKED.length === 0 || ASKED.includes(plot));
  if (plots.length === 0) {
    // None of these is asked for.
    return;
  }
  await prepare(lab);
  mkdirSync(join(lab.root, lab.name), { recursive: true });
  const file = `${lab.name}/gpu.dask-run`;
  copyFileSync(GPU_RECORDING, join(lab.root, file));
  await lab.command('dask-panes:open-recording', { path: file });
  const recording = lab.page.locator('.dp-Recording:visible');
  await expect(recording).toHaveAttribute('data-state', 'ready');
  // In the middle of it, the GPU multiplies.
  const slider = recording.getByRole('slider');
  await slider.press('Home');
  for (let step = 0; step < 5; step++) {
    await slider.press('PageUp');
  }
  for (const [plot, title] of plots) {
    await lab.page.locator('.lm-TabBar-tab', { hasText: 'gpu.dask-run' }).click();
    await recording.getByRole('button', { name: title, exact: true }).click();
    await take(lab, plot);
  }
  await examples(
    lab,
    plots.map(([plot]) => plot),
    plot => lab.page.getByRole('tab', { name: GPU[plot as keyof typeof GPU] }).click()
  );
});
