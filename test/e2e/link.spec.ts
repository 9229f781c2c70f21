/** The way from the browser to the kernel breaks: what panes, card and sidebar say, how soon, and that they go on. */
import type { Locator } from '@playwright/test';
import { Lab } from './harness/lab';
import type { Notebook } from './harness/notebook';
import { Relay } from './harness/relay';
import { URL_VARIABLE } from './harness/server';
import { tasksInTitle } from './harness/stream';
import { expect, test as base } from './harness/test';

/**
 * Milliseconds within which a user is informed, and what a busy machine may add to each: the page counts its own time, which it
 * gets late there. Unit tests have the exact limits.
 */
const HALF_OPEN = 6_000;
const CLOSED = 3_000;
const AIR = 15_000;

const CLIENT = `from distributed import Client
client = Client(processes=False, n_workers=1, threads_per_worker=2, dashboard_address=None)`;
/** Ends when it is asked to; until then there is always something new to see. */
const WORK = `import threading, time
def slow(x):
    time.sleep(0.1)
stop = threading.Event()
def feed():
    while not stop.wait(0.2):
        client.gather(client.map(slow, range(3), pure=False))
threading.Thread(target=feed).start()`;

/** A JupyterLab behind a relay, and no page that is not needed. */
const test = base.extend<{ relay: Relay; far: Lab }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern
  relay: async ({}, use) => {
    const relay = await Relay.start(process.env[URL_VARIABLE] ?? '');
    await use(relay);
    await relay.close();
  },
  far: async ({ page, relay }, use, info) => {
    const slug = info.titlePath.join(' ').replace(/\W+/g, '-').toLowerCase().slice(-60);
    const far = new Lab(page, `${slug}-${info.repeatEachIndex}-${info.retry}`.replace(/^-/, ''), relay.url);
    await far.open();
    // JupyterLab's own question may come over the page at any time while the server cannot be reached.
    const question = page.locator('.jp-Dialog', { hasText: 'Server Connection Error' });
    await page.addLocatorHandler(question, dialog => dialog.getByRole('button').last().click());
    await use(far);
    await new Lab(page, far.name).shutdownKernels();
    expect(far.ownErrors()).toEqual([]);
  }
});

/** A card, the sidebar and a task stream that show a cluster at work. */
async function watch(far: Lab): Promise<{ notebook: Notebook; stream: Locator; sidebar: Locator; card: Locator }> {
  const notebook = await far.openNotebook([CLIENT, WORK, 'client']);
  await notebook.run(0);
  const sidebar = await far.sidebar();
  const stream = await far.openPlot('task-stream');
  await notebook.run(1);
  await expect.poll(() => tasksInTitle(stream)).toBeGreaterThan(5);
  await far.paneIs('task-stream', 'live');
  await notebook.run(2);
  const card = notebook.output(2).locator('.dp-ClientView');
  await expect(card).toHaveAttribute('data-state', 'live');
  return { notebook, stream, sidebar, card };
}

/** Everything says that the connection is lost, and when; nothing blames the kernel. */
async function expectDisconnected(
  far: Lab,
  seen: { stream: Locator; sidebar: Locator; card: Locator },
  within: number
): Promise<void> {
  const { stream, sidebar, card } = seen;
  await expect(stream).toHaveAttribute('data-state', 'disconnected', { timeout: within + AIR });
  await expect(stream.locator('.dp-Status-text')).toHaveText(/^disconnected from the Jupyter server · as of \d\d:\d\d:\d\d$/);
  await expect(stream.locator('.dp-Banner')).toBeVisible();
  await expect(stream.locator('.dp-Timeline-now')).toHaveAttribute('data-silent');
  await expect(card).toHaveAttribute('data-state', 'disconnected');
  await expect(sidebar.locator('.dp-Clients')).toContainText('disconnected from the Jupyter server');
  await expect(far.page.locator('body')).not.toContainText(/no answer for|kernel does not answer/);
}

/** Live again, with all that happened meanwhile. */
async function back(far: Lab, seen: { stream: Locator; card: Locator }): Promise<void> {
  await far.paneIs('task-stream', 'live');
  await expect(seen.card).toHaveAttribute('data-state', 'live');
  const before = await tasksInTitle(seen.stream);
  await expect.poll(() => tasksInTitle(seen.stream)).toBeGreaterThan(before);
  await expect(seen.stream.locator('.dp-Timeline-now')).not.toHaveAttribute('data-silent');
}

/** Press "Reconnect", unless JupyterLab, which tries again by itself, has been quicker. */
async function reconnect(stream: Locator): Promise<void> {
  const button = stream.locator('.dp-Banner').getByRole('button', { name: 'Reconnect' });
  await expect(async () => {
    if (await button.isVisible()) {
      await button.click({ timeout: 2000 });
    }
    await expect(stream).toHaveAttribute('data-state', 'live', { timeout: 5000 });
  }).toPass();
}

test('a half-open link, a cut one and one that JupyterLab gives up are reported as such, and everything continues', async ({
  far,
  relay,
  context
}) => {
  // Four losses one after the other, each with the time until it must be said.
  test.slow();
  const seen = await watch(far);

  relay.stall();
  await expectDisconnected(far, seen, HALF_OPEN);
  await expect(seen.stream.locator('.dp-Banner')).toContainText('The Jupyter server does not answer.');
  relay.mend();
  await back(far, seen);

  await test.step('a browser without network says so, and goes on', async () => {
    await context.setOffline(true);
    await expectDisconnected(far, seen, HALF_OPEN);
    await context.setOffline(false);
    // JupyterLab tries again by itself, half a minute later at most.
    await expect(seen.stream).toHaveAttribute('data-state', 'live', { timeout: 30_000 + 2 * AIR });
    await back(far, seen);
  });

  await test.step('a websocket that is dead while new connections work is not blamed on the kernel', async () => {
    relay.stallWebsockets();
    await expectDisconnected(far, seen, HALF_OPEN);
    await expect(seen.stream.locator('.dp-Banner')).toContainText('The kernel answers over another connection.');
    await reconnect(seen.stream);
    await back(far, seen);
  });

  relay.cut();
  await expectDisconnected(far, seen, CLOSED);
  await expect(seen.stream.locator('.dp-Banner')).toContainText('JupyterLab tries to reconnect.');
  relay.mend();
  await reconnect(seen.stream);
  await back(far, seen);

  relay.sayGoodbye();
  await expectDisconnected(far, seen, CLOSED);
  await expect(seen.stream.locator('.dp-Banner')).toContainText('JupyterLab has stopped trying to reconnect.');
  await expect(seen.stream.locator('.dp-Banner').getByRole('button', { name: 'Reload the page' })).toBeVisible();
  await seen.card.getByRole('button', { name: 'Reconnect' }).click();
  await back(far, seen);
  await seen.notebook.execute('stop.set()');
});

/** Stop a process, or let it go on. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  process.kill(pid, name);
}

const REMOTE = `import subprocess, sys
code = '''
import sys
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(processes=False, protocol="tcp://", n_workers=1, dashboard_address=None) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
'''
with open('remote_cluster.py', 'w') as file:
    file.write(code)
remote = subprocess.Popen([sys.executable, 'remote_cluster.py'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
from distributed import Client
client = Client(remote.stdout.readline().strip())
client`;

test('a stopped kernel and a stopped scheduler are distinguished, also when idle', async ({ far }) => {
  const notebook = await far.openNotebook([REMOTE, 'client.submit(abs, -1).result()']);
  await notebook.run(0);
  const sidebar = await far.sidebar();
  const stream = await far.openPlot('task-stream');
  await notebook.run(1);
  await expect.poll(() => tasksInTitle(stream)).toBe(1);
  const [kernel, scheduler] = await notebook.value<[number, number]>('(os.getpid(), remote.pid)', 'import os');
  const status = stream.locator('.dp-Status-text');

  signal(scheduler, 'SIGSTOP');
  try {
    await expect(stream).toHaveAttribute('data-state', 'silent', { timeout: HALF_OPEN + AIR });
    await expect(status).toHaveText(/^no answer for \d+ s · as of \d\d:\d\d:\d\d$/);
    await expect(stream).toContainText('the scheduler does not answer its client');
    await expect(sidebar.locator('.dp-Clients')).toContainText(/no answer for \d+ s · scheduler/);
    await expect(sidebar.locator('.dp-MiniBars')).toHaveClass(/dp-mod-outdated/);
    await expect(stream.locator('.dp-Chip .dp-Sign')).toHaveAttribute('data-sign', 'square');
  } finally {
    signal(scheduler, 'SIGCONT');
  }
  await far.paneIs('task-stream', 'live', 'idle');

  signal(kernel, 'SIGSTOP');
  try {
    await expect(stream).toHaveAttribute('data-state', 'silent', { timeout: HALF_OPEN + AIR });
    await expect(status).toHaveText(/^no answer for \d+ s · as of \d\d:\d\d:\d\d$/);
    await expect(sidebar.locator('.dp-Clients')).toContainText(/no answer for \d+ s · kernel/);
    await expect(far.page.locator('body')).not.toContainText('disconnected from the Jupyter server');
  } finally {
    signal(kernel, 'SIGCONT');
  }
  await far.paneIs('task-stream', 'live', 'idle');
  await notebook.execute('more = client.submit(abs, -2).result()');
  await expect.poll(() => tasksInTitle(stream)).toBe(2);
  await notebook.execute('client.close(); remote.stdin.close(); remote.wait()');
});
