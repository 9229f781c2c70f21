/** Everyday faults, each on a real cluster: what panes say, what they keep, and that they work again. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { Gate } from './harness/gate';
import { Lab } from './harness/lab';
import { type Notebook, writeNotebook } from './harness/notebook';
import { blocks, coloursOf, legendColour, tasksInTitle } from './harness/stream';
import { expect, test } from './harness/test';
import { drawnTasks } from './harness/timeline';

/** Workers are threads of the kernel where no test needs their processes. */
const CLIENT = `from distributed import Client
client = Client(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None)`;
const PROCESSES = `from distributed import Client
client = Client(n_workers=2, threads_per_worker=1, memory_limit='512MiB', dashboard_address=None)`;
const WORK = `import time
def slow(x):
    time.sleep(0.05)
    return x
results = client.gather(client.map(slow, range(40), pure=False))`;

async function clientOf(pane: Locator): Promise<string> {
  return (await pane.getAttribute('data-client')) ?? '';
}

/** Addresses of the workers in the table of workers, as a user reads them. */
async function addresses(lab: Lab): Promise<readonly string[]> {
  return lab.pane('workers').locator('.dp-Table-body .dp-Table-row [role=gridcell]:last-child').allTextContents();
}

/** A task stream beside the notebook, once it shows the work of the second cell. */
async function withWork(lab: Lab, notebook: Notebook): Promise<Locator> {
  await notebook.run(0);
  const stream = await lab.openPlot('task-stream');
  await notebook.run(1);
  await expect.poll(() => tasksInTitle(stream)).toBe(40);
  return stream;
}

/** Whether the canvas shows a block in the colour of a function. */
async function isDrawn(lab: Lab, stream: Locator, name: string): Promise<boolean> {
  const [first] = await blocks(lab.page);
  return (await coloursOf(stream, first)).includes(await legendColour(stream, name));
}

test('a closed client keeps its picture; panes that follow go on with the next one, pinned ones offer it', async ({ lab }) => {
  const notebook = await lab.openNotebook([
    CLIENT,
    WORK,
    'client.close()',
    CLIENT,
    'results = client.gather(client.map(abs, range(7)))'
  ]);
  const stream = await withWork(lab, notebook);
  const first = await clientOf(stream);
  const binding = { path: notebook.path, client: first };
  const pinned = await lab.openPlot('progress', { binding, mode: 'split-bottom' });
  await expect(pinned.locator('.dp-Pane-counts')).toContainText('40 / 40');
  const other = await lab.openPlot('memory-by-key', { binding, mode: 'split-bottom' });
  await expect.poll(() => clientOf(other)).toBe(first);
  await expect.poll(() => isDrawn(lab, stream, 'slow')).toBe(true);

  await notebook.run(2);
  for (const plot of ['task-stream', 'progress']) {
    await lab.paneIs(plot, 'closed');
    await expect(lab.pane(plot).locator('.dp-Pane-status')).toContainText(/closed \d\d?:\d\d/);
    await expect(lab.pane(plot).locator('.dp-Banner')).toContainText('Its data stays here.');
  }
  expect(await tasksInTitle(stream)).toBe(40);
  expect(await blocks(lab.page)).toHaveLength(40);
  await expect.poll(() => isDrawn(lab, stream, 'slow')).toBe(true);
  await expect(pinned.locator('.dp-Pane-counts')).toContainText('40 / 40');

  await notebook.run(3);
  await lab.paneIs('task-stream', 'empty');
  await expect.poll(() => clientOf(stream)).not.toBe(first);
  await lab.paneIs('progress', 'closed');
  expect(await clientOf(pinned)).toBe(first);
  await notebook.run(4);
  await expect.poll(() => tasksInTitle(stream)).toBe(7);
  await expect(pinned.locator('.dp-Pane-counts')).toContainText('40 / 40');

  await pinned.locator('.dp-Banner').getByRole('button', { name: 'Show notebook.ipynb' }).click();
  await lab.paneIs('progress', 'live', 'idle');
  await expect(pinned.locator('.dp-Pane-counts')).toContainText('7 / 7');
  await expect.poll(() => clientOf(pinned)).toBe(await clientOf(stream));
  // One click is enough for all panes of the closed client.
  await expect.poll(() => clientOf(other)).toBe(await clientOf(stream));
  await expect(other.locator('.dp-Chip')).toHaveAttribute('data-pinned', 'false');
});

test('a kernel that restarts, alone or to run all cells, or is killed: panes keep what it did, and work with the next one', async ({
  lab
}) => {
  const [go, die] = [new Gate(lab, 'go'), new Gate(lab, 'die')];
  // The last cell waits, and kills the kernel where that was asked for.
  const notebook = await lab.openNotebook([
    CLIENT,
    WORK,
    `${go.wait}\nif ${die.isOpen}: __import__('os').kill(__import__('os').getpid(), 9)`
  ]);
  const stream = await withWork(lab, notebook);
  let client = await clientOf(stream);
  const gone = async (): Promise<void> => {
    await lab.paneIs('task-stream', 'closed');
    await expect(stream.locator('.dp-Banner')).toContainText('The kernel ended at');
    await expect(stream.locator('.dp-Banner')).toContainText('Its data stays here.');
    expect(await tasksInTitle(stream)).toBe(40);
  };
  const withNext = async (): Promise<void> => {
    await notebook.runAgain(0);
    await lab.paneIs('task-stream', 'empty');
    await expect.poll(() => clientOf(stream)).not.toBe(client);
    await notebook.runAgain(1);
    await expect.poll(() => tasksInTitle(stream)).toBe(40);
    client = await clientOf(stream);
  };

  await test.step('a restarted kernel: panes say that its client is gone, and work with the new one', async () => {
    const restarted = lab.command('kernelmenu:restart');
    await lab.page.locator('.jp-Dialog .jp-mod-accept').click();
    await restarted;
    await gone();
    await withNext();
  });

  await test.step('"Restart kernel and run all cells": panes show the run while it goes on', async () => {
    // The promise of the command lasts until the last cell has run.
    await lab.page.evaluate(() => void window.jupyterapp.commands.execute('notebook:restart-run-all'));
    await lab.page.locator('.jp-Dialog .jp-mod-accept').click();
    // The last cell waits for the file: whatever is shown is shown while the kernel is busy. For a frame, the title line
    // has the count of the client before, so the run itself is asked.
    await expect(async () => {
      expect(await clientOf(stream)).not.toBe(client);
      expect(await blocks(lab.page)).toHaveLength(40);
    }).toPass();
    await expect.poll(() => tasksInTitle(stream)).toBe(40);
    // Between two cells it is idle for a moment.
    await expect.poll(() => notebook.kernelStatus()).toBe('busy');
    expect(await tasksInTitle(stream)).toBe(40);
    go.open();
    await notebook.finished(2);
    client = await clientOf(stream);
  });

  await test.step('a killed kernel: panes keep what it did, and work with the client of the next one', async () => {
    die.open();
    await notebook.start(2);
    await lab.page.locator('.jp-Dialog', { hasText: 'appears to have died' }).getByRole('button', { name: 'Ok' }).click();
    await gone();
    await withNext();
  });
});

/** A wrong clock of the computer that the browser runs on. */
function anHourAhead(): void {
  const hour = 3_600_000;
  const now = Date.now.bind(Date);
  Date.now = () => now() + hour;
  window.Date = new Proxy(Date, {
    construct: (target, args: [number?]) => (args.length === 0 ? new target(now() + hour) : new target(args[0] ?? 0))
  });
}

/** By how many seconds the "now" of a task stream is beside that of the scheduler, which has the clock of this machine. */
async function clockError(page: Page): Promise<number> {
  const before = Date.now() / 1000;
  const now = await page.evaluate(() => window.daskPanesTest.run('task-stream').clock.at(performance.now()));
  // The page was asked at some moment between the two.
  return Math.max(before - now, now - Date.now() / 1000, 0);
}

test('two tabs on one kernel: both say that it does not answer while the GIL is held, and that another tab restarted it', async ({
  lab,
  context
}) => {
  // A call of a PyDLL keeps the GIL: no thread of the kernel runs until there is something to read.
  const hold = `import ctypes, os
os.mkfifo('hold')
pipe = os.open('hold', os.O_RDWR)
ctypes.PyDLL(None).read(pipe, ctypes.create_string_buffer(1), 1)`;
  const gate = new Gate(lab);
  const notebook = await lab.openNotebook([PROCESSES, WORK, hold]);
  const stream = await withWork(lab, notebook);
  const other = new Lab(await context.newPage(), `${lab.name}-other`);
  await other.page.addInitScript(anHourAhead);
  await other.open();
  const same = await other.openFile(notebook.path);
  await other.openPlot('task-stream');
  await expect.poll(() => tasksInTitle(other.pane('task-stream'))).toBe(40);
  // The clock of the other browser is an hour ahead, and nothing that it shows is.
  expect(await other.page.evaluate(() => Date.now() / 1000)).toBeGreaterThan(Date.now() / 1000 + 3500);
  expect(await blocks(other.page)).toEqual(await blocks(lab.page));
  await notebook.execute('beside = client.submit(abs, -1).result()');
  await expect.poll(() => clockError(other.page)).toBeLessThan(0.05);

  // A task that runs keeps the cluster from idling: an idle one is asked seldom.
  await notebook.execute(`def running():\n    ${gate.wait}\nrunning = client.submit(running, pure=False)`);
  for (const tab of [lab, other]) {
    await tab.paneIs('task-stream', 'live');
  }
  await same.start(2);
  for (const tab of [lab, other]) {
    await tab.paneIs('task-stream', 'silent');
    await expect(tab.pane('task-stream').locator('.dp-Status-text')).toContainText(/no answer for \d+ s · as of \d/);
  }
  writeFileSync(join(lab.root, lab.name, 'hold'), 'x');
  for (const tab of [lab, other]) {
    await tab.paneIs('task-stream', 'live', 'idle');
  }
  gate.open();
  await notebook.runAgain(1);
  for (const tab of [lab, other]) {
    await expect.poll(() => tasksInTitle(tab.pane('task-stream'))).toBe(82);
  }

  // Dask recomputes a result that is lost with a worker, also while a cluster closes.
  await notebook.execute(`running = None
while client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)):
    time.sleep(0.01)`);

  await same.restartKernel();
  for (const tab of [lab, other]) {
    await tab.paneIs('task-stream', 'closed');
    expect(await tasksInTitle(tab.pane('task-stream'))).toBe(82);
  }
  await notebook.runAgain(0);
  await notebook.runAgain(1);
  for (const tab of [lab, other]) {
    await expect.poll(() => tasksInTitle(tab.pane('task-stream'))).toBe(40);
  }
  await expect(stream).toBeVisible();
  expect(other.ownErrors()).toEqual([]);
  await other.page.close();
});

test('a killed worker loses its row to its replacement, an added one gets a row, and history stays', async ({ lab }) => {
  const notebook = await lab.openNotebook([PROCESSES, WORK]);
  const stream = await withWork(lab, notebook);
  await lab.openPlot('workers', { mode: 'split-bottom' });
  await expect.poll(async () => (await addresses(lab)).length).toBe(2);
  const before = await blocks(lab.page);
  const gutter = stream.locator('.dp-Timeline-worker');
  await expect(gutter).toHaveCount(2);

  const killed = await notebook.value<string>(
    '_victim',
    ['import os, signal', '_victim, _pid = sorted(client.run(os.getpid).items())[0]', 'os.kill(_pid, signal.SIGKILL)'].join('\n')
  );
  await expect.poll(() => addresses(lab)).not.toContain(killed);
  await expect.poll(async () => (await addresses(lab)).length).toBe(2);
  await expect(gutter).toHaveCount(3);
  await expect(gutter.filter({ hasText: 'lost' })).toHaveCount(1);
  expect(await blocks(lab.page)).toEqual(before);

  await notebook.execute('client.cluster.scale(3)');
  await expect.poll(async () => (await addresses(lab)).length).toBe(3);
  await expect(gutter).toHaveCount(4);

  await notebook.runAgain(1);
  await expect.poll(() => tasksInTitle(stream)).toBe(80);
  const after = await blocks(lab.page);
  expect(after.slice(0, 40)).toEqual(before);
  // The replacement and the added worker did their share in rows of their own.
  expect(new Set(after.map(({ lane }) => lane)).size).toBe(4);
});

test('a browser that is reloaded during a run has its history from the first task', async ({ lab }) => {
  const gate = new Gate(lab);
  const work = `def last(x):
    ${gate.wait}
results.append(client.submit(last, results, pure=False).result())`;
  const notebook = await lab.openNotebook([CLIENT, `client.get_task_stream()\n${WORK}\n${work}`]);
  await notebook.run(0);
  const stream = await lab.openPlot('task-stream');
  await notebook.start(1);
  await expect.poll(() => tasksInTitle(stream)).toBeGreaterThan(10);
  await lab.reload();
  await expect.poll(() => tasksInTitle(stream)).toBe(40);
  expect((await notebook.onServer()).execution_state).toBe('busy');
  gate.open();

  const again = await lab.notebook(notebook.path);
  const starts = await again.value<number[]>(
    "sorted(s['start'] for task in client.get_task_stream() for s in task['startstops'] if s['action'] == 'compute')"
  );
  expect(starts).toHaveLength(41);
  await expect.poll(() => tasksInTitle(stream)).toBe(41);
  expect((await blocks(lab.page)).map(({ start }) => start).sort((a, b) => a - b)).toEqual(starts);
});

test('a task that raises is counted as erred and drawn in the colour of errors', async ({ lab }) => {
  const fail = `import time
def fail(x):
    time.sleep(0.5)
    raise ValueError(x)
futures = [client.submit(fail, i, pure=False) for i in range(2)] + client.map(abs, range(5))
from distributed import wait
wait(futures)`;
  const notebook = await lab.openNotebook([CLIENT, fail]);
  await notebook.run(0);
  const stream = await lab.openPlot('task-stream');
  const progress = await lab.openPlot('progress', { mode: 'split-bottom' });
  await notebook.run(1);

  await expect(stream.locator('.dp-Pane-counts')).toContainText('7 executions · 2 erred');
  await expect(progress.locator('.dp-Pane-counts')).toContainText('2 erred');
  const erred = (await blocks(lab.page)).filter(block => block.erred);
  expect(erred).toHaveLength(2);
  const black = await legendColour(stream, 'erred');
  expect(black).toBe('#111111');
  for (const block of erred) {
    await expect.poll(() => coloursOf(stream, block)).toContain(black);
  }
});

test('names, keys, errors and metrics with HTML and script are text everywhere', async ({ lab }) => {
  // Dask takes a key that begins with < for the repr of an object, and cuts its prefix to a word.
  const HOSTILE = 'a<img src=x onerror=window.hacked=1>';
  const script = 'b<script>window.hacked=1</script>';
  const cluster = `from distributed import Client, Worker, wait
hostile = ${JSON.stringify(HOSTILE)}
client = Client(n_workers=0, processes=False, dashboard_address=None)
async def join():
    global worker
    worker = await Worker(client.scheduler.address, name=hostile, nthreads=1, dashboard_address=None, metrics={hostile: lambda worker: hostile})
client.sync(join)
client`;
  const work = `def fail(x):
    raise ValueError(hostile + x)
fail.__name__ = ${JSON.stringify(script)}
futures = [client.submit(fail, ${JSON.stringify(script)}), client.submit(abs, -1, key=hostile), client.submit(abs, -2, key=(hostile, 1))]
wait(futures)`;
  const notebook = await lab.openNotebook([cluster, work], HOSTILE);
  await notebook.run(0);
  const sidebar = await lab.sidebar();
  const stream = await lab.openPlot('task-stream');
  await notebook.run(1);
  await expect.poll(() => tasksInTitle(stream)).toBe(3);
  await expect(stream.locator('.dp-Legend')).toContainText(HOSTILE);
  await expect(stream.locator('.dp-Legend')).toContainText(script);
  await expect(stream.locator('.dp-Timeline-gutter')).toContainText(HOSTILE);
  await expect(stream.locator('.dp-Chip')).toContainText(HOSTILE);
  // A key moves to what is drawn.
  await expect.poll(async () => (await drawnTasks(lab)).some(({ at }) => at !== null)).toBe(true);
  await stream.locator('.dp-Timeline-plot').press('ArrowRight');
  await stream.locator('.dp-Timeline-plot').press('Enter');
  await expect(lab.page.locator('.dp-Tooltip')).toContainText(HOSTILE);
  await lab.page.keyboard.press('Escape');

  // All other panes: catalogue.spec.ts.
  await expect(sidebar).toContainText(HOSTILE);
  expect(await lab.page.evaluate(() => 'hacked' in window)).toBe(false);
  await expect(lab.page.locator('img[src="x"]')).toHaveCount(0);
  // What was proven to be harmless as text is not harmless in itself.
  await lab.page.evaluate(html => {
    document.createElement('div').innerHTML = html;
  }, HOSTILE);
  await expect.poll(() => lab.page.evaluate(() => 'hacked' in window)).toBe(true);
});

/** Let a page begin as on a server that lacks this extension: its list of extensions is in a script of the page. */
async function withoutExtension(page: Page): Promise<void> {
  await page.addInitScript(() => {
    // The deferred scripts of JupyterLab read the list after this.
    document.addEventListener('readystatechange', () => {
      const script = document.getElementById('jupyter-config-data');
      if (script !== null && document.readyState === 'interactive') {
        const config = JSON.parse(script.textContent ?? '') as { federated_extensions: { name: string }[] };
        config.federated_extensions = config.federated_extensions.filter(({ name }) => name !== 'dask-panes');
        script.textContent = JSON.stringify(config);
      }
    });
  });
}

/** Run all cells of a notebook and save it; the file's text. */
async function ranAndSaved(notebook: Notebook): Promise<string> {
  // On a slow machine Matplotlib says in the cell that it makes its list of fonts.
  await notebook.execute('import matplotlib.font_manager');
  await notebook.runAll();
  await notebook.save();
  return notebook.onDisk();
}

test('the saved notebook is byte for byte what it is without us', async ({ lab, context }) => {
  const cells = [
    // A cluster keeps Dask's log quiet, but only until it closes; what its streams say of the end comes in no fixed order.
    // A worker whose heartbeat is under way at that moment says so as an error.
    'import logging\nlogging.getLogger("distributed").setLevel(logging.WARNING)\nlogging.getLogger("distributed.worker").setLevel(logging.CRITICAL)',
    CLIENT,
    WORK,
    'import threading\nprint(sum(results))\nthread = threading.Thread(target=print, args=("from a thread",))\nthread.start()\nthread.join()',
    'import matplotlib.pyplot as plt\nplt.plot(results)\nplt.show()\nlen(results)',
    'client.submit(abs, -3).result() / 0',
    'client.close()'
  ];
  const path = (who: Lab): string => `${who.name}/notebook.ipynb`;
  const plain = new Lab(await context.newPage(), `${lab.name}-plain`);
  writeNotebook(join(lab.root, path(lab)), cells);
  mkdirSync(join(lab.root, plain.name), { recursive: true });
  copyFileSync(join(lab.root, path(lab)), join(lab.root, path(plain)));

  const notebook = await lab.openFile(path(lab));
  await lab.command('dask-panes:layout', { name: 'status' });
  const withUs = await ranAndSaved(notebook);
  await expect.poll(async () => (await blocks(lab.page)).length).toBe(41);
  await lab.page.goto('about:blank');
  await lab.shutdownKernels();

  // A page without the extension: its kernel is left as it is.
  await withoutExtension(plain.page);
  await plain.open();
  expect(await plain.page.evaluate(() => window.jupyterapp.listPlugins().filter(id => id.startsWith('dask-panes')))).toEqual([]);
  const bare = await plain.openFile(path(plain));
  const without = await ranAndSaved(bare);
  expect(await bare.value("'dask_panes' in sys.modules", 'import sys')).toBe(false);
  expect(without).toContain('ZeroDivisionError');
  expect(without).toContain('image/png');
  expect(withUs).toBe(without);
});
