import { expect, test } from './harness/test';

test('JupyterLab starts with the extension enabled, and a notebook runs; its file is what Jupyter would have written', async ({
  lab
}) => {
  const listed = await lab.page.evaluate(() => {
    const plugins = window.jupyterapp.listPlugins().filter(id => id.startsWith('dask-panes'));
    return { plugins, active: plugins.filter(id => window.jupyterapp.isPluginActivated(id)) };
  });
  expect(listed.plugins.length).toBeGreaterThan(0);
  expect(listed.active).toEqual(listed.plugins);

  const notebook = await lab.openNotebook(['print(6 * 7)', 'import time; time.sleep(30)']);
  await notebook.run(0);
  expect(await notebook.outputs(0)).toEqual([{ name: 'stdout', output_type: 'stream', text: '42\n' }]);
  expect(await notebook.value<number>('x + 1', 'x = 1')).toBe(2);

  await notebook.start(1);
  await expect.poll(() => notebook.kernelStatus()).toBe('busy');
  await notebook.interrupt();
  await notebook.finished(1);
  await notebook.restartKernel();
  expect(await notebook.value<boolean>("'x' in globals()")).toBe(false);

  const saved = await notebook.save();
  expect(saved.cells).toHaveLength(2);
  expect(JSON.stringify(saved.metadata)).not.toContain('dask');
});
