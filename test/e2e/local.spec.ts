/** Local schedulers: live panes while the main thread computes without a Client, and finished profilers in an output. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import type { Lab } from './harness/lab';
import { expect, test } from './harness/test';
import { drawnTasks, pausedTask } from './harness/timeline';

const HOSTILE = '<img src=x onerror=window.hacked=1>';

const SETUP = `
import itertools, os, time
import dask, dask_panes
from dask.diagnostics import CacheProfiler, Profiler, ResourceProfiler

started = itertools.count()
def named(name):
    def function(*args):
        time.sleep(0.15)
        # All but the first twelve wait for the test.
        waits = next(started) >= 12
        while waits and not os.path.exists('go'):
            time.sleep(0.02)
        return bytes(1000)
    function.__name__ = name
    return dask.delayed(function, pure=False)

load, join = named('load'), named(${JSON.stringify(HOSTILE)})
work = join(*[load(i) for i in range(24)])`;

const COMPUTE = `
with Profiler() as prof, ResourceProfiler(dt=0.1) as rprof, CacheProfiler() as cprof:
    _ = work.compute(scheduler='threads', num_workers=2)`;

const RESULTS = `
import json
print(json.dumps([[str(t.key), t.end_time - t.start_time] for t in sorted(prof.results, key=lambda t: t.end_time)]))`;

const PLOTS = ['local-tasks', 'local-resources', 'local-cache'] as const;

/** What a cell printed. */
async function printed(outputs: Promise<unknown[]>): Promise<string> {
  const streams = (await outputs) as readonly { readonly text?: string | string[] }[];
  return streams.map(({ text }) => (Array.isArray(text) ? text.join('') : (text ?? ''))).join('');
}

/** Key and task that the tooltip names at a point in a timeline. */
async function tooltipAt(lab: Lab, timeline: Locator, x: number, y: number): Promise<Locator> {
  await timeline.page().mouse.move(x - 3, y);
  await timeline.page().mouse.move(x, y);
  const tooltip = lab.page.locator('.dp-Tooltip');
  await expect(tooltip).toBeVisible();
  return tooltip;
}

test('panes are live while the kernel computes without a Client, and show what its profilers report', async ({ lab }) => {
  const notebook = await lab.openNotebook([
    SETUP,
    'dask_panes.show("local")',
    COMPUTE,
    RESULTS,
    'dask_panes.visualize([prof, rprof, cprof])'
  ]);
  await notebook.run(0);
  await notebook.run(1);
  for (const plot of PLOTS) {
    await lab.paneIs(plot, 'none');
    await expect(lab.pane(plot)).toContainText('No computation without a Client yet');
  }
  const sidebar = await lab.sidebar();
  const row = sidebar.locator('.dp-Row[data-kind="local"]');
  await expect(row).toHaveCount(0);

  await notebook.start(2);
  await expect(row).toContainText('computing on 2 threads');
  await expect(row.locator('.dp-MiniBar-figure')).toHaveText('12 / 25');
  for (const plot of PLOTS) {
    await lab.paneIs(plot, 'live');
  }
  await expect(lab.pane('local-tasks').locator('.dp-Pane-counts')).toHaveText('12 of 25 tasks · 2 running on 2 threads');
  await expect(lab.pane('local-cache').locator('.dp-Pane-counts')).toHaveText('12 results held · ≥ 12.1 KiB');
  await expect(lab.pane('local-resources').locator('.dp-Pane-counts')).toContainText(/% CPU · \d+ MiB/);
  writeFileSync(join(lab.root, lab.name, 'go'), '');
  await notebook.finished(2);

  await expect(row).toContainText('2 threads · done');
  await expect(row.locator('.dp-MiniBar-figure')).toHaveText('25 / 25');
  await expect.poll(async () => (await drawnTasks(lab, 'local-tasks')).length).toBe(25);
  const drawn = await drawnTasks(lab, 'local-tasks');
  await notebook.run(3);
  const results = JSON.parse(await printed(notebook.outputs(3))) as [string, number][];
  expect(drawn).toHaveLength(results.length);
  // The callbacks are called one after the other: between two of them the machine may do something else, but hardly ever.
  const apart = results.map(([, duration], i) => Math.abs(drawn[i].duration - duration)).filter(seconds => !(seconds < 0.05));
  expect(apart.length).toBeLessThanOrEqual(1);
  expect(new Set(drawn.map(task => task.prefix)).size).toBe(2);
  // Both threads, each in a lane, and both charts on the timeline's own axis.
  expect(new Set(drawn.map(task => task.lane)).size).toBe(2);
  // The picture moves on with time until the kernel has been idle for a while.
  const { at } = await pausedTask(lab, task => task.row === drawn[5].row, 'local-tasks');
  const tooltip = await tooltipAt(lab, lab.pane('local-tasks'), at.x, at.y);
  await expect(tooltip).toContainText(results[5][0]);
  await expect(tooltip).toContainText('load(…)');

  await notebook.run(4);
  const cards = lab.page.locator('.jp-OutputArea .dp-Profile-card');
  await expect(cards).toHaveCount(3);
  await expect(cards.nth(0).locator('.dp-Pane-counts')).toHaveText('25 tasks');
  await expect(cards.nth(2).locator('.dp-Pane-counts')).toContainText('metric: count');
  await expect(cards.nth(2).locator('.dp-Legend')).toContainText('load');
  await expect(cards.nth(0).locator('canvas.dp-Timeline-data')).toBeVisible();
  await cards.nth(2).getByRole('button', { name: 'Local cache as table' }).click();
  await expect(cards.nth(2).locator('.dp-Table')).toContainText('24');
  expect(await lab.page.evaluate(() => 'hacked' in window)).toBe(false);
});
