/** More than a tab or a cluster likes: a tab that stands still, output without end, very many tasks at once. */
import type { Page } from '@playwright/test';
import type { Notebook } from '../e2e/harness/notebook';
import { tasksInTitle } from '../e2e/harness/stream';
import { expect, test } from '../e2e/harness/test';

const CLIENT = `import time
from distributed import Client, wait
client = Client(n_workers=1, threads_per_worker=2, dashboard_address=':0')
def slow(x):
    time.sleep(0.01)`;

/** Bytes that the kernel and the server have, which is its parent. */
function memory(notebook: Notebook): Promise<readonly number[]> {
  return notebook.value('[p.memory_info().rss for p in (psutil.Process(), psutil.Process().parent())]', 'import psutil');
}

/** Note how long the page does not draw: the longest time between two frames, in milliseconds. */
async function watchFrames(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const seen = { longest: 0, last: performance.now() };
    Object.assign(window, { daskPanesFrames: seen });
    const next = (now: number): void => {
      seen.longest = Math.max(seen.longest, now - seen.last);
      seen.last = now;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  return () => page.evaluate(() => (window as unknown as { daskPanesFrames: { longest: number } }).daskPanesFrames.longest);
}

test('a tab that stands still for a minute catches up, and nobody piles up frames for it', async ({ lab }) => {
  test.setTimeout(300_000);
  const work = 'for _ in range(70):\n    wait(client.map(slow, range(100), pure=False)); time.sleep(0.4)';
  const notebook = await lab.openNotebook([CLIENT, work]);
  await notebook.run(0);
  await lab.openPlot('task-stream');
  const before = await memory(notebook);
  await notebook.start(1);
  await expect.poll(() => tasksInTitle(lab.pane('task-stream'))).toBeGreaterThan(100);
  await lab.page.evaluate(() => {
    const end = performance.now() + 65_000;
    while (performance.now() < end);
  });
  await lab.paneIs('task-stream', 'live', 'idle');
  await notebook.finished(1);
  await expect.poll(() => tasksInTitle(lab.pane('task-stream'))).toBe(7000);
  const after = await memory(notebook);
  console.log(`growth of kernel and server: ${after.map((bytes, i) => Math.round((bytes - before[i]) / 1e6)).join(', ')} MB`);
  for (const [i, bytes] of after.entries()) {
    expect(bytes - before[i]).toBeLessThan(100e6);
  }
});

test('panes stay live while a cell prints 5 MB a second', async ({ lab }) => {
  test.setTimeout(300_000);
  const prints = `futures = client.map(slow, range(500), pure=False)
line, printed, begin = 'x' * 1000 + '\\n', 0, time.time()
while time.time() - begin < 10:
    print(line * 500, end=''); printed += 500_000
    time.sleep(max(0, begin + printed / 5e6 - time.time()))`;
  const notebook = await lab.openNotebook([CLIENT, prints]);
  await notebook.run(0);
  const stream = await lab.openPlot('task-stream');
  await notebook.start(1);
  await expect.poll(() => tasksInTitle(stream)).toBe(500);
  await lab.paneIs('task-stream', 'live', 'idle');
  await notebook.finished(1, 200_000);
  await lab.paneIs('task-stream', 'live', 'idle');
});

test('a hundred thousand tasks at once are all shown, and the page goes on drawing', async ({ lab }) => {
  test.setTimeout(900_000);
  // Without the assignment JupyterLab would render the names of all futures, some megabytes of text.
  const notebook = await lab.openNotebook([CLIENT, 'futures = client.map(abs, range(100_000), pure=False); _ = wait(futures)']);
  await notebook.run(0);
  const stream = await lab.openPlot('task-stream');
  const progress = await lab.openPlot('progress', { mode: 'split-right' });
  const graph = await lab.openPlot('task-graph', { mode: 'split-bottom' });
  await notebook.start(1);
  const longest = await watchFrames(lab.page);
  await expect.poll(() => tasksInTitle(stream), { timeout: 600_000 }).toBe(100_000);
  await expect(progress.locator('.dp-Pane-counts')).toContainText('100,000 / 100,000');
  await expect(graph).toHaveAttribute('data-state', /^(live|idle)$/);
  await notebook.finished(1, 600_000);
  const stood = await longest();
  console.log(`longest time without a frame: ${Math.round(stood)} ms`);
  expect(stood).toBeLessThan(1000);
});
