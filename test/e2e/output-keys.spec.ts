/** Keys inside an output of ours do nothing to the notebook, which is in command mode all the time. */
import type { Locator } from '@playwright/test';
import type { Lab } from './harness/lab';
import { expect, test } from './harness/test';

const CLIENT = `from distributed import Client
client = Client(processes=False, n_workers=1, threads_per_worker=1, dashboard_address=None)
client`;
const PROFILE = `import dask, dask_panes
from dask.diagnostics import Profiler
with Profiler() as prof:
    dask.delayed(sum)([1, 2]).compute(scheduler='sync')
dask_panes.visualize([prof])`;

/** An output of the notebook: cells have no number of their own before JupyterLab 4.2. */
function outputOf(lab: Lab, cell: number): Locator {
  return lab.page.locator('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell').nth(cell).locator('.jp-Cell-outputArea');
}

test('a card and a finished profile keep the keys that are pressed in them', async ({ lab }) => {
  const notebook = await lab.openNotebook([CLIENT, PROFILE]);
  await notebook.runAll();
  const card = outputOf(lab, 0).locator('.dp-ClientView');
  await expect(card).toHaveAttribute('data-state', /^(live|idle|empty)$/);
  const cells = (): Promise<string[]> =>
    lab.page.evaluate(
      path => window.daskPanesTest.panel(path).content.widgets.map(cell => `${cell.model.type} ${cell.model.sharedModel.source}`),
      notebook.path
    );
  const before = await cells();
  for (const part of [
    card.getByRole('button').first(),
    outputOf(lab, 1).locator('.dp-Profile').locator('button, [tabindex="0"]').first()
  ]) {
    await part.focus();
    // In command mode these delete, cut and add cells, change their type and restart the kernel.
    for (const key of ['d', 'd', '0', '0', 'a', 'b', 'x', 'm', 'y', 'ArrowDown']) {
      await part.press(key);
    }
    expect(await cells()).toEqual(before);
    await expect(lab.page.locator('.jp-Dialog')).toHaveCount(0);
  }
  expect(await notebook.value<number>('client.submit(abs, -30).result()')).toBe(30);
});
