/** Panes leave the user's cells alone: all that follows happens while the Status layout streams a real cluster's work. */
import type { Locator } from '@playwright/test';
import { Gate } from './harness/gate';
import type { Lab } from './harness/lab';
import type { Notebook } from './harness/notebook';
import { tasksInTitle } from './harness/stream';
import { expect, test } from './harness/test';

/** Work for minutes that needs no further cell. */
const WORK = `import time
from distributed import Client
client = Client(n_workers=2, threads_per_worker=1, memory_limit='512MiB', dashboard_address=None)
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
  await expect.poll(() => tasksInTitle(stream)).toBeGreaterThan(20);
  return { notebook, stream };
}

/** Wait until panes were fed more: what goes on meanwhile would prove nothing without it. */
async function fed(stream: Locator): Promise<void> {
  const before = await tasksInTitle(stream);
  await expect.poll(() => tasksInTitle(stream)).toBeGreaterThan(before + 10);
}

/** Run a cell that waits for a gate in its middle: panes are fed before it opens. */
async function runWhileFed({ notebook, stream }: Streaming, cell: number, gate: Gate): Promise<void> {
  await notebook.start(cell);
  await fed(stream);
  gate.open();
  await notebook.finished(cell);
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

test('while panes are fed, a kernel is busy as long as its cell runs, and figures, threads and widgets work', async ({ lab }) => {
  const [long, drawing, talking, sliding] = ['long', 'drawing', 'talking', 'sliding'].map(name => new Gate(lab, name));
  const seen = await streaming(lab, [
    long.wait,
    `import matplotlib.pyplot as plt
plt.plot([1, 2])
${drawing.wait}
plt.plot([2, 1])
print(len(plt.gca().lines))`,
    `import threading
def talk():
    for i in range(10):
        print('line', i)
        if i == 4:
            ${talking.wait}
thread = threading.Thread(target=talk)
thread.start()
thread.join()`,
    `import ipywidgets
slider = ipywidgets.IntSlider(value=1, max=100)
seen = []
slider.observe(lambda change: seen.append(change.new), 'value')
slider`,
    'slider.value = 7',
    `slider.value = 20\n${sliding.wait}`
  ]);
  const { notebook, stream } = seen;

  await test.step('the kernel stays busy as long as its cell runs, and idle afterwards', async () => {
    await record(notebook);
    await notebook.start(1);
    await expect.poll(() => recorded(notebook)).toEqual(['busy']);
    const before = await tasksInTitle(stream);
    const states: string[] = [];
    await expect(async () => {
      states.push((await notebook.onServer()).execution_state);
      expect(states.length).toBeGreaterThanOrEqual(8);
      expect(await tasksInTitle(stream)).toBeGreaterThan(before + 10);
    }).toPass({ intervals: [300] });
    expect(new Set(states)).toEqual(new Set(['busy']));
    expect(await recorded(notebook)).toEqual(['busy']);
    long.open();
    await notebook.finished(1);
    await expect.poll(() => recorded(notebook)).toEqual(['busy', 'idle']);
  });

  await test.step('a culler goes by this: panes neither keep the kernel alive nor make it look alive', async () => {
    await expect.poll(async () => (await notebook.onServer()).execution_state).toBe('idle');
    const { last_activity } = await notebook.onServer();
    await fed(stream);
    // Longer than anything that a page does now and then.
    await lab.page.waitForTimeout(6000);
    await fed(stream);
    expect(await notebook.onServer()).toMatchObject({ execution_state: 'idle', last_activity });
    expect(await recorded(notebook)).toEqual(['busy', 'idle']);
  });

  await test.step('a figure that is drawn across a cell stays one', async () => {
    // On a slow machine Matplotlib says in the cell that it makes its list of fonts.
    await notebook.execute('import matplotlib.font_manager');
    await runWhileFed(seen, 2, drawing);
    expect(await notebook.outputs(2)).toEqual([
      { name: 'stdout', output_type: 'stream', text: '2\n' },
      expect.objectContaining({ output_type: 'display_data', data: expect.objectContaining({ 'image/png': expect.any(String) }) })
    ]);
  });

  await test.step('a thread keeps its prints', async () => {
    await runWhileFed(seen, 3, talking);
    const lines = Array.from({ length: 10 }, (_, i) => `line ${i}\n`).join('');
    expect(await notebook.outputs(3)).toEqual([{ name: 'stdout', output_type: 'stream', text: lines }]);
  });

  await test.step('a slider of ipywidgets works in both directions', async () => {
    await notebook.run(4);
    await notebook.reveal(4);
    const readout = notebook.output(4).locator('.widget-readout');
    const handle = notebook.output(4).locator('.noUi-handle');
    await fed(stream);
    await notebook.run(5);
    await expect(readout).toHaveText('7');
    await fed(stream);
    await handle.press('ArrowRight');
    await expect(readout).toHaveText('8');
    await expect.poll(() => notebook.value<number>('slider.value')).toBe(8);

    await notebook.start(6);
    await expect(readout).toHaveText('20');
    expect(await notebook.kernelStatus()).toBe('busy');
    await handle.press('ArrowRight');
    await fed(stream);
    sliding.open();
    await notebook.finished(6);
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
  await expect.poll(() => notebook.kernelStatus()).toBe('busy');
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
