/** The Status layout, as a person places it. */
import type { Lab } from './harness/lab';
import { expect, test } from './harness/test';

/** Ids of all panes that are open, by the element of the dock that they stand in. */
async function places(lab: Lab): Promise<Record<string, { left: number; top: number; width: number }>> {
  return lab.page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll<HTMLElement>('.dp-Pane:not(.lm-mod-hidden)')].map(pane => {
        const { left, top, width } = pane.getBoundingClientRect();
        return [pane.id, { left: Math.round(left), top: Math.round(top), width: Math.round(width) }];
      })
    )
  );
}

test('the Status layout is placed in one action, and again without a second pane', async ({ lab }) => {
  await lab.openNotebook(['1']);
  const sidebar = await lab.sidebar();
  const button = sidebar.getByRole('button', { name: 'Status' });
  await button.click();
  await expect(lab.pane('task-stream')).toBeVisible();
  const first = await places(lab);
  expect(Object.keys(first).sort()).toEqual([
    'dask-panes:cluster-memory:1',
    'dask-panes:nprocessing:1',
    'dask-panes:progress:1',
    'dask-panes:task-stream:1',
    'dask-panes:workers-memory:1'
  ]);
  const [left, right] = [first['dask-panes:cluster-memory:1'], first['dask-panes:task-stream:1']];
  expect(left.left).toBeLessThan(right.left);
  expect(left.width / (left.width + right.width)).toBeGreaterThan(0.25);
  expect(left.width / (left.width + right.width)).toBeLessThan(0.35);

  await button.click();
  expect(await places(lab)).toEqual(first);
  await expect(lab.page.locator('.dp-Pane')).toHaveCount(8);
});
