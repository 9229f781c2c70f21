/** 1 Mbit/s and 200 ms between the browser and Jupyter: the Status layout stays live, also while a reload fills it again. */
import { rmSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { freePort } from '../e2e/harness/jupyter-process';
import { Lab } from '../e2e/harness/lab';
import { Relay } from '../e2e/harness/relay';
import { startOn } from '../e2e/harness/server';
import { tasksInTitle } from '../e2e/harness/stream';
import { expect, homeOf, test } from './smoke';

const BYTES_PER_SECOND = 1e6 / 8;
const LATENCY = 200;
/** Milliseconds for which the layout is watched over the slow link. */
const WATCHED = 60_000;
/** Tasks that a reload has to fetch again: about a second of the link, besides all that JupyterLab asks for. */
const HISTORY = 8_000;
/** Milliseconds that a busy machine may take to do them. */
const FILLED = 300_000;

const CLIENT = `from distributed import Client
client = Client(processes=False, n_workers=2, threads_per_worker=1, dashboard_address=':0')`;
const FILL = `for _ in range(${HISTORY / 2000}):
    client.gather(client.map(abs, range(2000), pure=False))`;
const WORK = `import threading, time
def work(x):
    time.sleep(0.05)
stop = threading.Event()
def feed():
    while not stop.is_set():
        client.gather(client.map(work, range(20), pure=False))
feeder = threading.Thread(target=feed)
feeder.start()`;

declare global {
  interface Window {
    daskPanesStates: string[];
  }
}

/** Notes every state that a pane or card of ours ever has in this page. Playwright sends the text, so it stands alone. */
function watchStates(): void {
  const states: string[] = [];
  window.daskPanesStates = states;
  const note = (node: Node): void => {
    const shows = node instanceof HTMLElement && node.matches('[data-plot], .dp-ClientView');
    const state = shows ? node.dataset.state : undefined;
    if (state !== undefined && states.at(-1) !== state) {
      states.push(state);
    }
  };
  new MutationObserver(records => {
    for (const { target, addedNodes } of records) {
      note(target);
      addedNodes.forEach(note);
    }
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-state'] });
}

function states(page: Page): Promise<string[]> {
  return page.evaluate(() => window.daskPanesStates);
}

test('the Status layout stays live over 1 Mbit/s and 200 ms, also after a reload', async ({ page, afterwards }) => {
  test.setTimeout(1_200_000);
  const home = homeOf('slow');
  rmSync(home, { recursive: true, force: true });
  const port = await freePort();
  afterwards(await startOn(port, home));
  const relay = await Relay.start(`http://127.0.0.1:${port}`);
  afterwards(() => relay.close());

  const lab = new Lab(page, 'slow', relay.url);
  await page.addInitScript(watchStates);
  await lab.open();
  const notebook = await lab.openNotebook([CLIENT, FILL, WORK, 'client']);
  await notebook.run(0);
  await lab.command('dask-panes:layout', { name: 'status' });
  const stream = lab.pane('task-stream');
  await notebook.start(1);
  await notebook.finished(1, FILLED);
  await expect.poll(() => tasksInTitle(stream), { timeout: 60_000 }).toBe(HISTORY);
  await notebook.run(2);
  await notebook.run(3);
  await lab.sidebar();
  await lab.paneIs('task-stream', 'live');

  relay.slow(BYTES_PER_SECOND, LATENCY);
  const before = (await states(page)).length;
  const seen = await tasksInTitle(stream);
  await page.waitForTimeout(WATCHED);
  expect((await states(page)).slice(before).filter(state => state !== 'live')).toEqual([]);
  expect(await tasksInTitle(stream)).toBeGreaterThan(seen);

  await lab.settled();
  await page.reload({ timeout: 300_000 });
  await expect(stream).toHaveAttribute('data-state', 'live', { timeout: 300_000 });
  await expect.poll(() => tasksInTitle(stream), { timeout: 120_000 }).toBeGreaterThan(HISTORY);
  const after = await states(page);
  expect(after).not.toContain('disconnected');
  expect(after).not.toContain('silent');
  await expect(page.locator('body')).not.toContainText('disconnected from the Jupyter server');
  await page.evaluate(path => window.daskPanesTest.printed(path, 'stop.set(); feeder.join()'), notebook.path);
  expect(lab.ownErrors()).toEqual([]);
});
