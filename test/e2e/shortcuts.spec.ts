/** The keys of pictures are shortcuts: listed, changeable, and handled once. */
import type { Lab } from './harness/lab';
import { expect, test } from './harness/test';

const CLIENT = `from distributed import Client
client = Client(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None)
_ = client.gather(client.map(lambda i: i, range(10), pure=False))`;

const SHORTCUTS = '/lab/api/settings/@jupyterlab/shortcuts-extension:shortcuts';

/** The actions of keys that commands have carried out since the last call. */
async function countCommands(lab: Lab): Promise<() => Promise<string[]>> {
  await lab.page.evaluate(() => {
    const done: string[] = [];
    Object.assign(window, { keysDone: done });
    window.jupyterapp.commands.commandExecuted.connect((_, { id, args }) => {
      if (id === 'dask-panes:key') {
        done.push(`${String(args.view)} ${String(args.action)}`);
      }
    });
  });
  return () => lab.page.evaluate(() => (window as unknown as { keysDone: string[] }).keysDone.splice(0));
}

/** Share of the time that the task stream showed before that it shows after a key. */
async function zoomedBy(lab: Lab, key: string): Promise<number> {
  const plot = lab.pane('task-stream').locator('.dp-Timeline-plot');
  // A key that is a shortcut is handled before the press has ended.
  const span = (): Promise<number> =>
    lab.page.evaluate(() => Number(window.daskPanesTest.pane('task-stream').restoreArgs.saved.span ?? Number.NaN));
  await plot.press('s');
  const before = await span();
  await plot.press(key);
  return (await span()) / before;
}

/** Save the user's own shortcuts; a page reads them when it is loaded. */
function save(lab: Lab, shortcuts: readonly unknown[]): Promise<void> {
  return lab.page.evaluate(
    async ([url, raw]) => {
      await fetch(url, { method: 'PUT', body: JSON.stringify({ raw }) });
    },
    [SHORTCUTS, JSON.stringify({ shortcuts })] as const
  );
}

test('keys of pictures are shortcuts of JupyterLab, and each is handled once', async ({ lab }) => {
  const shortcut = {
    command: 'dask-panes:key',
    args: { view: 'timeline', action: 'zoom-in' },
    selector: "[data-keys='timeline']"
  };
  await save(lab, [
    { ...shortcut, keys: ['W'], disabled: true },
    { ...shortcut, keys: ['Q'] }
  ]);
  try {
    await lab.reload();
    const notebook = await lab.openNotebook([CLIENT]);
    await notebook.run(0);
    const stream = await lab.openPlot('task-stream', { mode: 'split-right' });
    await expect(stream.locator('.dp-Timeline-plot')).toBeVisible();
    await lab.paneIs('task-stream', 'live', 'idle');
    const done = await countCommands(lab);

    await test.step('a key zooms by one step; a changed one has its new key only', async () => {
      expect(await zoomedBy(lab, 'q')).toBeCloseTo(0.8, 3);
      expect(await done()).toEqual(['timeline zoom-out', 'timeline zoom-in']);
      expect(await zoomedBy(lab, 'w')).toBe(1);
      expect(await done()).toEqual(['timeline zoom-out']);
    });

    await test.step('with Shift, arrows select from task to task', async () => {
      const plot = stream.locator('.dp-Timeline-plot');
      await expect(stream.locator('.dp-Pane-title')).toContainText('10 executions');
      await plot.press('0');
      await plot.press('Shift+ArrowLeft');
      const statistics = stream.getByRole('region', { name: 'Statistics of the selection' });
      await expect(statistics).toContainText('× 1 thread');
      expect(await done()).toEqual(['timeline show-all', 'timeline select-left']);
      // The first leaves the task.
      await plot.press('Escape');
      await plot.press('Escape');
      await expect(statistics).toBeHidden();
      await done();
    });

    await test.step('keys in a search field stay there', async () => {
      await stream.locator('.dp-Timeline-plot').press('f');
      const field = stream.locator('input:focus');
      await expect(field).toHaveCount(1);
      await field.press('s');
      await expect(field).toHaveValue('s');
      expect(await done()).toEqual(['timeline search']);
      await field.press('Escape');
    });

    await test.step('the settings list them by name', async () => {
      await lab.command('settingeditor:open', { query: 'Keyboard Shortcuts' });
      await lab.page.locator('.jp-Shortcuts-TopNav input').fill('Task stream: zoom');
      const rows = lab.page.locator('.jp-Shortcuts-Row');
      await expect(rows.filter({ hasText: 'Task stream: zoom in' })).toContainText('Q');
      await expect(rows.filter({ hasText: 'Task stream: zoom out' })).toContainText('S');
    });
  } finally {
    await save(lab, []);
  }
});
