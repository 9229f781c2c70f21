/** Documents that are opened while a pane is current: they go to the other documents, and cover no pane. */
import type { Page } from '@playwright/test';
import { type Area, closeLaunchers, dockLayout } from './harness/dock';
import type { Lab } from './harness/lab';
import { expect, test } from './harness/test';

/**
 * Every tab bar of the main area: its tabs in order, the front one in brackets. Without a launcher behind them: JupyterLab
 * opens one where nothing else is open yet, sooner or later.
 */
async function bars(lab: Lab): Promise<string[]> {
  const flat = (area: Area): string[] =>
    'tabs' in area
      ? [area.tabs.map((name, i) => (i === area.current ? `[${name}]` : name)).join(' ')]
      : area.children.flatMap(flat);
  const layout = await dockLayout(lab);
  const all = layout === null ? [] : flat(layout);
  return all.map(bar => bar.replaceAll(/(^| )Launcher(?= |$)/g, '').trim()).filter(bar => bar !== '');
}

/** Make a pane the current widget as a user does: by a click into it. */
async function use(lab: Lab, plot: string): Promise<void> {
  await lab.pane(plot).click({ position: { x: 5, y: 60 } });
  await expect.poll(() => current(lab.page)).toBe(plot);
}

/** Plot or name of the current widget. */
function current(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const { currentWidget } = window.jupyterapp.shell;
    return currentWidget?.node.dataset.plot ?? currentWidget?.title.label;
  });
}

/** Close a document without a question. */
async function close(lab: Lab, path: string): Promise<void> {
  await lab.page.evaluate(at => window.daskPanesTest.panel(at).dispose(), path);
}

test('a document opened while a pane is current goes to the documents, not over the pane', async ({ lab }) => {
  await lab.openNotebook(['1'], 'first');
  const stream = await lab.openPlot('task-stream');
  expect(await bars(lab)).toEqual(['[first.ipynb]', '[task-stream]']);

  await use(lab, 'task-stream');
  await lab.openNotebook(['2'], 'second');
  await expect.poll(() => bars(lab)).toEqual(['first.ipynb [second.ipynb]', '[task-stream]']);
  expect(await current(lab.page)).toBe('second.ipynb');
  await expect(stream).toBeVisible();

  // The second time, after another notebook had the focus; and from a layout of many panes.
  await lab.page.locator('.lm-TabBar-tab', { hasText: 'first.ipynb' }).click();
  await use(lab, 'task-stream');
  await lab.openNotebook(['3'], 'third');
  await expect.poll(() => bars(lab)).toEqual(['first.ipynb [third.ipynb] second.ipynb', '[task-stream]']);
  await lab.command('dask-panes:layout', { name: 'profile' });
  const placed = await bars(lab);
  await use(lab, 'profile');
  await lab.command('launcher:create');
  await expect.poll(() => bars(lab)).toEqual([expect.stringContaining('[Launcher]'), ...placed.slice(1)]);
  await expect(stream).toBeVisible();
  await expect(lab.pane('profile')).toBeVisible();
  // JupyterLab does not restore launchers, of which it may have opened one of its own.
  await closeLaunchers(lab);
  await expect(lab.page.locator('.jp-Launcher')).toHaveCount(0);

  // After a reload, which keeps the positions and the current widget.
  await use(lab, 'task-stream');
  const before = await bars(lab);
  await lab.reload();
  await expect.poll(() => bars(lab)).toEqual(before);
  await use(lab, 'task-stream');
  await lab.openNotebook(['4'], 'fourth');
  await expect.poll(() => bars(lab)).toEqual([expect.stringContaining('[fourth.ipynb]'), ...placed.slice(1)]);
});

test('a document that is opened at a place chosen for it goes there', async ({ lab }) => {
  const first = await lab.openNotebook(['1'], 'first');
  await lab.openPlot('task-stream');
  await use(lab, 'task-stream');
  const ref = await lab.page.evaluate(() => window.daskPanesTest.pane('task-stream').id);
  await lab.command('docmanager:open', { path: first.path, factory: 'Editor', options: { ref, mode: 'tab-before' } });
  await expect.poll(() => bars(lab)).toEqual(['[first.ipynb]', '[first.ipynb] task-stream']);

  // And with documents among its tabs, the tab bar of a pane is a place of documents.
  await lab.page.locator('.lm-TabBar-tab.dp-Tab', { hasText: 'Task stream' }).click();
  await use(lab, 'task-stream');
  await lab.openNotebook(['2'], 'second');
  await expect.poll(() => bars(lab)).toEqual(['[first.ipynb]', 'first.ipynb task-stream [second.ipynb]']);
});

test('where only panes are open, a document opens beside all of them', async ({ lab }) => {
  const first = await lab.openNotebook(['1'], 'first');
  await lab.openPlot('task-stream');
  await lab.openPlot('progress', { mode: 'split-bottom' });
  await closeLaunchers(lab);
  await close(lab, first.path);
  expect(await bars(lab)).toEqual(['[task-stream]', '[progress]']);
  await use(lab, 'progress');
  await lab.openNotebook(['2'], 'second');
  await expect.poll(() => bars(lab)).toEqual(['[second.ipynb]', '[task-stream]', '[progress]']);
  const box = await lab.page.locator('.jp-NotebookPanel').boundingBox();
  expect(box?.width).toBeGreaterThan(400);
  for (const plot of ['task-stream', 'progress']) {
    await expect(lab.pane(plot)).toBeVisible();
    const { x = 0 } = (await lab.pane(plot).boundingBox()) ?? {};
    expect(x).toBeGreaterThanOrEqual((box?.x ?? 0) + (box?.width ?? 0));
  }

  // In a window too narrow for both side by side, above them.
  await close(lab, `${lab.name}/second.ipynb`);
  await lab.page.setViewportSize({ width: 900, height: 800 });
  await use(lab, 'progress');
  await lab.openNotebook(['3'], 'third');
  await expect.poll(() => bars(lab)).toEqual(['[third.ipynb]', '[task-stream]', '[progress]']);
  const above = await lab.page.locator('.jp-NotebookPanel').boundingBox();
  const { y = 0 } = (await lab.pane('task-stream').boundingBox()) ?? {};
  expect(y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0));
});

test('a document opened after the only one was closed, while nothing is current, is no tab of a low pane', async ({ lab }) => {
  const first = await lab.openNotebook(['1'], 'first');
  await lab.command('dask-panes:layout', { name: 'status' });
  await closeLaunchers(lab);
  await lab.page.locator('.lm-TabBar-tab', { hasText: 'first.ipynb' }).click();
  const [, ...placed] = await bars(lab);
  await close(lab, first.path);
  await expect.poll(() => bars(lab)).toEqual(placed);
  await lab.openNotebook(['2'], 'second');
  await expect.poll(() => bars(lab)).toEqual(['[second.ipynb]', ...placed]);
});
