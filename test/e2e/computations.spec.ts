import type { Lab } from './harness/lab';
import { expect, test } from './harness/test';
import { drawnTasks } from './harness/timeline';

const CLIENT = `
from dask.distributed import Client, wait
client = Client(processes=False, n_workers=1, threads_per_worker=2, dashboard_address=None)`;

const CELLS = [
  '_ = wait(client.map(abs, range(-10, 0), pure=False))',
  'for i in range(20): client.submit(abs, i, pure=False).result()',
  '_ = wait(client.map(len, ["a"] * 5, pure=False))',
  'failed = client.submit(int, "x", pure=False); _ = wait(failed)',
  'kept = client.persist(__import__("dask").delayed(sum)([1, 2])); _ = wait(kept)'
];

const rows = async (lab: Lab): Promise<string[]> =>
  (await lab.tableRows('computations')).map(({ code, tasks, state }) => `${code} | ${tasks} | ${state}`);

test('five cells are five computations: listed, counted, compared, run again, and led back to their cells', async ({ lab }) => {
  const notebook = await lab.openNotebook([CLIENT, ...CELLS]);
  await notebook.run(0);
  const pane = await lab.openPlot('computations');
  await lab.openPlot('progress', { mode: 'split-bottom' });
  const counts = (plot: string): ReturnType<typeof pane.locator> => lab.pane(plot).locator('.dp-Pane-counts');
  for (const [i] of CELLS.entries()) {
    await notebook.run(i + 1);
  }
  await expect(counts('computations')).toContainText('5 computations');
  await expect
    .poll(() => rows(lab))
    .toEqual([
      expect.stringMatching(/^\[6\] kept = .* \| 1 \| finished$/),
      '[5] failed = client.submit(int, "x", pure=False); _ = wait(failed) | 1 | with erred tasks',
      '[4] _ = wait(client.map(len, ["a"] * 5, pure=False)) | 5 | finished',
      '[3] for i in range(20): client.submit(abs, i, pure=False).result() | 20 | finished',
      '[2] _ = wait(client.map(abs, range(-10, 0), pure=False)) | 10 | finished'
    ]);
  await expect(counts('progress')).toContainText('1 / 1 done');
  await expect(counts('progress')).toContainText('[6] kept');

  // The second run of a cell is another computation, and progress starts over at once.
  await notebook.run(1);
  await expect(counts('computations')).toContainText('6 computations');
  await expect(counts('progress')).toContainText('10 / 10 done');
  await expect(counts('progress')).toContainText('[7] _ = wait');

  // The code leads to its cell, and says that it has run again.
  await pane.locator('.dp-Table-lead', { hasText: '[4]' }).click();
  await expect.poll(() => lab.page.evaluate(at => window.daskPanesTest.panel(at).content.activeCellIndex, notebook.path)).toBe(3);
  await pane.locator('.dp-Table-lead', { hasText: '[2]' }).click();
  await expect(lab.page.getByText('The cell has run again since then: its number is 7 now.').first()).toBeVisible();

  // From a cell to its computations.
  await lab.page.locator('.jp-Notebook .jp-CodeCell').nth(1).locator('.jp-InputArea-editor').click({ button: 'right' });
  await lab.page.getByRole('menuitem', { name: 'Show Dask computations of this cell' }).click();
  await expect.poll(async () => (await rows(lab)).map(row => row.slice(0, 3))).toEqual(['[7]', '[2]']);

  await lab.openPlot('compare-computations', { mode: 'split-bottom' });
  await expect(counts('compare-computations')).toContainText('B: [7] _ = wait');
  const compared = async (): Promise<Record<string, string> | undefined> =>
    (await lab.tableRows('compare-computations')).find(({ what }) => what === 'Tasks');
  await expect.poll(compared).toEqual({ what: 'Tasks', a: '1', b: '10', difference: expect.stringMatching(/^\+9 /) });
  await lab.choose('compare-computations', 'A: #0 [2]');
  await expect.poll(compared).toEqual({ what: 'Tasks', a: '10', b: '10', difference: expect.stringMatching(/^±0/) });

  // Two rows are picked, the newer one first, and compared; each click selects tasks, the first one in all panes.
  await lab.choose('computations', 'Cell: all cells');
  const row = (code: string): ReturnType<typeof pane.locator> =>
    pane.locator('.dp-Table-body .dp-Table-row', { hasText: code }).locator('[role="gridcell"]').nth(1);
  await row('[4] _ = wait').click();
  await row('[3] for i').click({ modifiers: ['ControlOrMeta'] });
  await expect(pane.locator('[aria-selected="true"]')).toHaveCount(2);
  // Of a computation of several graphs each is listed.
  await expect(pane.locator('.dp-Table-detail')).toContainText('Graphs of [3] for i in range(20)');
  await expect.poll(async () => (await pane.locator('.dp-Table-block').innerText()).split('\n').length).toBe(22);
  // In a pane of 300 px, three rows and some of the list are in view.
  const heights = (): Promise<number[]> =>
    pane.evaluate(node => [node, ...node.querySelectorAll('.dp-Table-scroll, .dp-Table-detail')].map(each => each.clientHeight));
  let height = 1600;
  do {
    height -= 20;
    await lab.page.setViewportSize({ width: 1280, height });
    await lab.frames();
  } while (((await heights())[0] ?? 0) > 300);
  const [low, table, list] = await heights();
  expect(low).toBeGreaterThan(280);
  expect(table).toBeGreaterThanOrEqual(4 * 24);
  expect(list).toBeGreaterThanOrEqual(70);
  await pane.getByRole('button', { name: 'Compare these two' }).click();
  await expect(counts('compare-computations')).toContainText('A: [3] for i');
  await expect(counts('compare-computations')).toContainText('B: [4] _ = wait');
  await expect.poll(compared).toEqual({ what: 'Tasks', a: '20', b: '5', difference: expect.stringMatching(/^−15 /) });

  // The stream folds a pause between computations, and shows the whole run or one of them.
  await lab.page.setViewportSize({ width: 1600, height: 2000 });
  const stream = await lab.openPlot('task-stream');
  const inView = async (): Promise<number> => (await drawnTasks(lab)).filter(({ at }) => at !== null).length;
  await notebook.execute('__import__("time").sleep(11)');
  await notebook.runAgain(3);
  await stream.getByRole('button', { name: 'Whole run' }).click();
  await expect.poll(inView).toBe(52);
  await expect(stream.locator('.dp-Timeline-foldLabels b').first()).toBeVisible();
  await lab.choose('task-stream', 'Idle time shown');
  await expect(stream.locator('.dp-Timeline-foldLabels b')).toHaveCount(0);
  await stream.locator('.dp-Timeline-computation', { hasText: '[3] for i' }).click();
  await expect.poll(inView).toBe(20);
  // A click on another one brings its time into view; once it is there, a click moves nothing.
  const places = async (): Promise<unknown> => (await drawnTasks(lab)).filter(({ row }) => row < 10).map(({ at }) => at);
  expect(await places()).toEqual(Array(10).fill(null));
  await row('[2] _ = wait').click();
  await expect.poll(places).not.toContain(null);
  // Progress counts it, although another one is newer.
  await expect(counts('progress')).toContainText('10 / 10 done');
  await expect(counts('progress')).toContainText('[2] _ = wait');
  const before = await places();
  await row('[2] _ = wait').click();
  await row('[2] _ = wait').click();
  await expect.poll(places).toEqual(before);

  // After a restart of the kernel the numbers begin again, and so does the list; what was chosen is not replaced by another one.
  await lab.page.evaluate(at => window.daskPanesTest.panel(at).sessionContext.restartKernel(), notebook.path);
  await notebook.runAgain(0);
  await notebook.runAgain(3);
  await expect.poll(() => rows(lab)).toEqual(['[2] _ = wait(client.map(len, ["a"] * 5, pure=False)) | 5 | finished']);
  await expect(counts('progress')).toContainText('5 / 5 done');
  await lab.openPlot('compare-computations');
  await expect(lab.pane('compare-computations')).toContainText('A chosen computation is not there any more.');
});
