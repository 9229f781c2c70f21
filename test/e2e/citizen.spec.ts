/** Panes leave the user's cells alone: all that follows happens while the Status layout streams a real cluster's work. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import type { Lab } from './harness/lab';
import type { Notebook } from './harness/notebook';
import { toldTasks } from './harness/stream';
import { expect, test } from './harness/test';

/** Work for minutes that needs no further cell. */
const WORK = `import time
from distributed import Client
client = Client(n_workers=2, threads_per_worker=1, memory_limit='512MiB', dashboard_address=':0')
futures = client.map(lambda x: time.sleep(0.05), range(10_000), pure=False)`;

interface Streaming {
  readonly notebook: Notebook;
  readonly stream: Locator;
}

/**
 * A notebook whose first cell gives a cluster work for minutes, with the Status layout beside it.
 *
 * @param cells - the other cells
 * @param prepare - done before the layout is placed
 */
async function streaming(lab: Lab, cells: readonly string[], prepare?: () => Promise<void>): Promise<Streaming> {
  const notebook = await lab.openNotebook([WORK, ...cells]);
  await notebook.run(0);
  await prepare?.();
  await lab.command('dask-panes:layout', { name: 'status' });
  const stream = lab.pane('task-stream');
  await expect.poll(() => toldTasks(stream)).toBeGreaterThan(20);
  return { notebook, stream };
}

/** Do something that takes seconds and make sure that panes were fed meanwhile, or it would prove nothing. */
async function whileFed(stream: Locator, act: () => Promise<void>): Promise<void> {
  const before = await toldTasks(stream);
  await act();
  expect(await toldTasks(stream)).toBeGreaterThan(before + 10);
}

/** Wait until panes were fed more. */
async function fed(stream: Locator): Promise<void> {
  const before = await toldTasks(stream);
  await expect.poll(() => toldTasks(stream)).toBeGreaterThan(before + 10);
}

/** Record every status of the kernel that JupyterLab shows; ask for them with {@link recorded}. */
async function record(notebook: Notebook): Promise<void> {
  await notebook.page.evaluate(path => {
    const seen: string[] = [];
    Object.assign(window, { daskPanesStatuses: seen });
    window.daskPanesTest.kernel(path).statusChanged.connect((_, status) => seen.push(status));
  }, notebook.path);
}

function recorded(notebook: Notebook): Promise<string[]> {
  return notebook.page.evaluate(() => (window as unknown as { daskPanesStatuses: string[] }).daskPanesStatuses);
}

test('the kernel stays busy as long as its cell runs, and idle afterwards', async ({ lab }) => {
  const gate = join(lab.root, lab.name, 'gate');
  const { notebook, stream } = await streaming(lab, [
    `import os\nwhile not os.path.exists(${JSON.stringify(gate)}):\n    time.sleep(0.05)`
  ]);
  await record(notebook);
  await notebook.start(1);
  await expect.poll(() => recorded(notebook)).toEqual(['busy']);
  const states: string[] = [];
  await whileFed(stream, async () => {
    while (states.length < 8) {
      states.push((await notebook.onServer()).execution_state);
      await lab.page.waitForTimeout(300);
    }
  });
  expect(new Set(states)).toEqual(new Set(['busy']));
  expect(await recorded(notebook)).toEqual(['busy']);
  writeFileSync(gate, '');
  await notebook.finished(1);
  await expect.poll(() => recorded(notebook)).toEqual(['busy', 'idle']);

  // A culler goes by this: panes must not keep a kernel alive, nor make it look alive.
  await expect.poll(async () => (await notebook.onServer()).execution_state).toBe('idle');
  const { last_activity } = await notebook.onServer();
  await whileFed(stream, async () => {
    await lab.page.waitForTimeout(6000);
  });
  expect(await notebook.onServer()).toMatchObject({ execution_state: 'idle', last_activity });
  expect(await recorded(notebook)).toEqual(['busy', 'idle']);
});

test('a figure that is drawn across a cell stays one, and a thread keeps its prints', async ({ lab }) => {
  const figure = `import matplotlib.pyplot as plt
plt.plot([1, 2])
time.sleep(2)
plt.plot([2, 1])
print(len(plt.gca().lines))`;
  const thread = `import threading
def talk():
    for i in range(10):
        print('line', i)
        time.sleep(0.2)
thread = threading.Thread(target=talk)
thread.start()
time.sleep(2.5)
thread.join()`;
  const { notebook, stream } = await streaming(lab, [figure, thread]);
  await whileFed(stream, () => notebook.run(1));
  expect(await notebook.outputs(1)).toEqual([
    { name: 'stdout', output_type: 'stream', text: '2\n' },
    expect.objectContaining({ output_type: 'display_data', data: expect.objectContaining({ 'image/png': expect.any(String) }) })
  ]);
  await whileFed(stream, () => notebook.run(2));
  const lines = Array.from({ length: 10 }, (_, i) => `line ${i}\n`).join('');
  expect(await notebook.outputs(2)).toEqual([{ name: 'stdout', output_type: 'stream', text: lines }]);
});

test('a slider of ipywidgets works in both directions', async ({ lab }) => {
  const slider = `import ipywidgets
slider = ipywidgets.IntSlider(value=1, max=100)
seen = []
slider.observe(lambda change: seen.append(change.new), 'value')
slider`;
  const { notebook, stream } = await streaming(lab, [slider, 'slider.value = 7', 'slider.value = 20\ntime.sleep(4)']);
  await notebook.run(1);
  const readout = notebook.output(1).locator('.widget-readout');
  const handle = notebook.output(1).locator('.noUi-handle');
  await fed(stream);
  await notebook.run(2);
  await expect(readout).toHaveText('7');
  await fed(stream);
  await handle.press('ArrowRight');
  await expect(readout).toHaveText('8');
  await expect.poll(() => notebook.value<number>('slider.value')).toBe(8);

  await whileFed(stream, async () => {
    await notebook.start(3);
    await expect(readout).toHaveText('20');
    expect(await notebook.kernelStatus()).toBe('busy');
    await handle.press('ArrowRight');
    await notebook.finished(3);
    await expect.poll(() => notebook.value<number[]>('seen')).toEqual([7, 8, 20, 21]);
  });
});

test('a breakpoint stops a cell and lets it go on, and panes answer meanwhile', async ({ lab }) => {
  const { notebook, stream } = await streaming(lab, ['total = 0\nfor i in range(3):\n    total += i\nprint(total)'], async () => {
    // Where the notebook is narrow, its tool bar has no room for the button. A cluster of processes has to be there
    // before: the debugger holds processes that are started under it, with and without us.
    const bug = lab.page.locator('.jp-NotebookPanel-toolbar .jp-DebuggerBugButton');
    await bug.click();
    await expect(bug).toHaveAttribute('aria-pressed', 'true');
  });
  await notebook.cell(1).locator('.cm-breakpoint-gutter .cm-gutterElement').nth(3).click();
  const breakpoint = notebook.cell(1).locator('.cm-breakpoint-icon').filter({ visible: true });
  await expect(breakpoint).toHaveCount(1);
  // The panel follows what the kernel has answered, the icon only the click.
  const answeredBreakpoints = lab.page.locator('.jp-DebuggerBreakpoint');
  await expect(answeredBreakpoints).toHaveCount(1);
  await notebook.start(1);
  await expect(lab.page.locator('.jp-DebuggerCallstackFrame').first()).toBeVisible();
  expect(await notebook.kernelStatus()).toBe('busy');
  // The debugger stops all threads of the kernel, Dask's and its scheduler's too; the control channel goes on, and says so.
  await lab.paneIs('task-stream', 'silent');
  await expect(stream).toContainText(/no answer for \d+ s · as of/);

  await breakpoint.click();
  await expect(answeredBreakpoints).toHaveCount(0);
  await lab.command('debugger:continue');
  await notebook.finished(1);
  expect(await notebook.outputs(1)).toEqual([{ name: 'stdout', output_type: 'stream', text: '3\n' }]);
  await fed(stream);
});
