import type { Lab } from './harness/lab';
import { expect, test } from './harness/test';

/** Where all panes are that are in front, by their ids. */
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

test('JupyterLab starts with the extension enabled, a notebook runs, and the Status layout is placed beside it', async ({
  lab
}) => {
  const listed = await lab.page.evaluate(() => {
    const plugins = window.jupyterapp.listPlugins().filter(id => id.startsWith('dask-panes'));
    return { plugins, active: plugins.filter(id => window.jupyterapp.isPluginActivated(id)) };
  });
  expect(listed.plugins.length).toBeGreaterThan(0);
  expect(listed.active).toEqual(listed.plugins);

  const notebook = await lab.openNotebook(['print(6 * 7)', 'import time\nprint("asleep", flush=True)\ntime.sleep(600)']);
  await test.step('a notebook runs; its file is what Jupyter would have written', async () => {
    await notebook.run(0);
    expect(await notebook.outputs(0)).toEqual([{ name: 'stdout', output_type: 'stream', text: '42\n' }]);
    expect(await notebook.value<number>('x + 1', 'x = 1')).toBe(2);

    await notebook.start(1);
    // A kernel is busy before its cell has begun, and an interrupt at that moment may interrupt nothing.
    await expect.poll(async () => JSON.stringify(await notebook.outputs(1))).toContain('asleep');
    await notebook.interrupt();
    await notebook.finished(1);
    await notebook.restartKernel();
    expect(await notebook.value<boolean>("'x' in globals()")).toBe(false);

    const saved = await notebook.save();
    expect(saved.cells).toHaveLength(2);
    expect(JSON.stringify(saved.metadata)).not.toContain('dask');
  });

  await test.step('the Status layout is placed in one action, and again without a second pane', async () => {
    const sidebar = await lab.sidebar();
    const button = sidebar.getByRole('button', { name: 'Status' });
    await button.click();
    await expect(lab.pane('task-stream')).toBeVisible();
    let first: Awaited<ReturnType<typeof places>> = {};
    await expect(async () => {
      first = await places(lab);
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
    }).toPass();

    await button.click();
    // A click does not say when it has been done; this comes after it.
    await lab.command('dask-panes:layout', { name: 'status' });
    await expect.poll(() => places(lab)).toEqual(first);
    await expect(lab.page.locator('.dp-Pane')).toHaveCount(8);
  });
});
