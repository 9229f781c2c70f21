/** What must work over every network: open plots from the sidebar, run work in a real kernel, live panes, a reload. */
import { join } from 'node:path';
import { test as base, expect, type Page } from '@playwright/test';
import { ROOT } from '../../scripts/lib/environment.mjs';
import { Lab } from '../e2e/harness/lab';
import type { Notebook } from '../e2e/harness/notebook';
import { tasksInTitle } from '../e2e/harness/stream';

/** Makes a client whose cluster lives in the kernel. */
const CLIENT = `from distributed import Client
client = Client(n_workers=2, threads_per_worker=1, dashboard_address=':0')`;
const WORK = 'results = client.gather(client.map(abs, range(30), pure=False))';
/** The last one is in front of the others. */
const PLOTS = ['progress', 'workers', 'task-stream'];

/** Calls back, in turn from the last to the first, when a test has ended. */
export type Afterwards = (end: () => Promise<void> | void) => void;

/** Playwright's test with a place where tests name what has to be ended. */
export const test = base.extend<{ afterwards: Afterwards }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern
  afterwards: async ({}, use) => {
    const ends: (() => Promise<void> | void)[] = [];
    await use(end => ends.push(end));
    for (const end of ends.reverse()) {
      await end();
    }
  }
});

export { expect };

/** Folder of a row of the table, for its servers and their logs. */
export function homeOf(row: string): string {
  return join(ROOT, 'test-results', 'networks', row);
}

/**
 * The value of a variable that `npm run test:networks` sets.
 *
 * @throws Error where it is not set
 */
export function given(name: string): string {
  const value = process.env[name];
  if (value === undefined) {
    throw new Error(`${name} is not set: start this test with npm run test:networks`);
  }
  return value;
}

/** Wait until something comes true that no page shows. */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  await expect.poll(async () => condition(), { message: what, timeout: 60_000 }).toBe(true);
}

/** Every origin that the page asks anything of, by HTTP or by websocket. */
function originsOf(page: Page): Set<string> {
  const origins = new Set<string>();
  const note = (url: string): void => {
    if (/^(http|ws)s?:/.test(url)) {
      origins.add(new URL(url.replace(/^ws/, 'http')).origin);
    }
  };
  page.on('request', request => note(request.url()));
  page.on('websocket', socket => note(socket.url()));
  return origins;
}

/**
 * Do all of it. Nothing but the address of JupyterLab may be asked for anything: no port of a scheduler or a dashboard.
 *
 * @param page - in which JupyterLab has let the user in
 * @param url - where JupyterLab is found over this network
 * @param client - source that makes `client`
 * @param kernel - name of the kernel spec
 */
export async function smoke(
  page: Page,
  url: string,
  { client = CLIENT, kernel = 'python3' }: { readonly client?: string; readonly kernel?: string } = {}
): Promise<{ lab: Lab; notebook: Notebook }> {
  const origins = originsOf(page);
  const lab = new Lab(page, 'networks', url);
  await lab.open();
  const opened = await lab.openNotebook([client, 'client', WORK], 'notebook', kernel);
  await opened.run(0);
  await opened.run(1);
  await expect(opened.output(1).locator('.dp-ClientView')).toHaveAttribute('data-state', /^(live|idle)$/);
  const sidebar = await lab.sidebar();
  for (const plot of PLOTS) {
    await sidebar.locator(`.dp-Plot[data-plot="${plot}"]`).click();
    await expect(lab.pane(plot)).toBeVisible();
  }
  await opened.run(2);
  await shows(lab, 30);

  await lab.reload();
  const notebook = await lab.notebook(opened.path);
  await shows(lab, 30);
  await notebook.runAgain(2);
  await shows(lab, 60);
  expect(lab.ownErrors()).toEqual([]);
  expect([...origins]).toEqual([new URL(url).origin]);
  return { lab, notebook };
}

/** Look at each pane, which may be a tab behind another one, until it is up to date and the task stream has this many tasks. */
export async function shows(lab: Lab, tasks: number): Promise<void> {
  for (const plot of PLOTS) {
    await lab.openPlot(plot);
    await lab.paneIs(plot, 'live', 'idle');
  }
  await expect.poll(() => tasksInTitle(lab.pane('task-stream')), { timeout: 60_000 }).toBe(tasks);
}
