/** Every pane of the catalogue on one cluster: says at once that there is nothing, then shows what there is, as text. */
import { leftovers } from './harness/leftovers';
import { expect, test } from './harness/test';
import { FREEZE, ORIGINALS, parityOf } from '../plots/gallery';
import { Sights } from '../plots/sights';
import { CLUSTER, EARLIER, HOSTILE, NAMES, NOTHING, QUICK, WORK } from '../plots/work';

test('every pane says that there is nothing, then shows what there is, as text', async ({ lab }) => {
  // Fifty panes, three times.
  test.setTimeout(600_000);
  const sights = new Sights(lab);
  await sights.begin();
  const notebook = await lab.openNotebook([`${CLUSTER}${ORIGINALS}`, EARLIER, WORK, QUICK]);
  await notebook.run(0);
  const sidebar = await lab.sidebar();
  let plots: string[] = [];
  await expect(async () => {
    const rows = await sidebar.locator('.dp-Plot').evaluateAll(all => all.map(row => (row as HTMLElement).dataset.plot ?? ''));
    // Those of local schedulers have a test of their own.
    plots = rows.filter(plot => !plot.startsWith('local-'));
    expect(rows).toEqual(expect.arrayContaining([...Object.keys(NOTHING), ...Object.keys(NAMES)]));
    // Of workers that report a GPU.
    expect(plots).toEqual(expect.arrayContaining(['gpu-memory', 'gpu-utilization', 'rmm-memory']));
  }).toPass();
  // No event loop is watched on Python 3.11: that pane says so with and without work.
  const watched = await notebook.value<boolean>('sys.version_info[:2] != (3, 11)', 'import sys');

  for (const plot of plots) {
    const pane = await lab.openPlot(plot);
    const said = NOTHING[plot];
    if (said !== undefined) {
      await lab.paneIs(plot, 'empty');
      await expect(pane.locator('.dp-Message-head')).toContainText(said);
      await expect(pane.locator('.dp-Message-body')).not.toBeEmpty();
    } else if (plot !== 'profile-server') {
      await lab.paneIs(plot, 'live', 'idle');
    }
    await lab.command('application:close');
    await expect(pane).toHaveCount(0);
  }

  // Before the work, of which a task keeps a thread.
  await notebook.run(3);
  const bench = await lab.openPlot('hardware');
  await bench.getByRole('button', { name: 'Measure hardware…' }).click();
  const question = lab.page.locator('.jp-Dialog');
  await expect(question).toContainText('about 12 seconds');
  await question.getByRole('button', { name: 'Measure', exact: true }).click();
  await lab.paneIs('hardware', 'live', 'idle');
  await lab.command('application:close');
  await expect(bench).toHaveCount(0);

  await notebook.run(1);
  await notebook.run(2);
  const full = plots.filter(id => id !== 'task' && id !== 'worker' && (watched || id !== 'profile-server'));
  for (const plot of full) {
    // As a layout brings it back: behind what is in front.
    await lab.command('dask-panes:open', { plot, number: 1, table: true });
    const pane = await lab.openPlot(plot);
    await lab.paneIs(plot, 'live', 'idle');
    const grid = pane.getByRole('grid');
    await expect(grid.locator('.dp-Table-body .dp-Table-row').first()).toBeVisible();
    if (NAMES[plot] !== undefined) {
      await expect(grid).toContainText(NAMES[plot]);
    }
  }
  await lab.command('dask-panes:open', { plot: 'task', number: 1, saved: { key: HOSTILE, number: -1 } });
  const details = await lab.openPlot('task');
  await expect(details).toContainText(`ValueError('${HOSTILE}')`);

  const worker = await notebook.value<string>('workers[0].address');
  await lab.command('dask-panes:open', { plot: 'worker', number: 1, options: { worker } });
  const one = await lab.openPlot('worker');
  await expect(one.locator('.dp-Worker-name')).toHaveText(HOSTILE);
  // Which worker has the task that is held is not known; the metric is of both.
  await expect(one.locator('dt', { hasText: HOSTILE })).toBeVisible();

  // The numbers are the original's, and in a narrow column every label can be read; further sights: scripts/plots.mjs.
  await lab.command('application:toggle-left-area');
  await sights.take('narrow', 'worker');
  await notebook.execute(FREEZE);
  const unreadable: { readonly plot: string; readonly cut: readonly string[] }[] = [];
  for (const plot of full) {
    const drawn = await lab.page.evaluate(id => window.daskPanesTest.pane(id).plot.view !== 'table', plot);
    if (drawn) {
      await lab.command('dask-panes:open', { plot, number: 1, table: false });
    }
    await lab.openPlot(plot);
    const { compared, missing } = await parityOf(lab, notebook, plot);
    expect({ plot, missing }).toEqual({ plot, missing: [] });
    expect(compared).toBeGreaterThan(0);
    if (drawn) {
      const { marks, cut } = await sights.look(plot);
      unreadable.push(...(cut.length > 0 ? [{ plot, cut }] : []));
      expect(marks).toBeGreaterThan(0);
    }
  }
  expect(unreadable).toEqual([]);
  await sights.end();

  await lab.page.evaluate(id => {
    const panes = [...window.jupyterapp.shell.widgets('main')].filter(({ node }) => node.matches('.dp-Pane'));
    Object.assign(window, { paneClass: window.daskPanesTest.pane(id).constructor, panesOpen: panes.length });
    for (const pane of panes) {
      pane.close();
    }
  }, full[0]);
  expect(await lab.page.evaluate(() => Reflect.get(window, 'panesOpen'))).toBeGreaterThan(40);
  await expect.poll(() => leftovers(lab.page, 'window.paneClass.prototype')).toEqual({ panes: 0, frames: 0 });

  expect(await lab.page.evaluate(() => 'hacked' in window)).toBe(false);
  await expect(lab.page.locator('img[src="x"]')).toHaveCount(0);
});
