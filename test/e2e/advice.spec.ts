/** Advice: what holds a slow notebook back, in its pane, the card and a report; silence where nothing does. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT, tool } from '../../scripts/lib/environment.mjs';
import { expect, test } from './harness/test';

const CLIENT = `
from time import sleep
from dask.distributed import Client
client = Client(n_workers=2, threads_per_worker=2, processes=False, dashboard_address=None)
client`;

/** Tasks that need each other: one of four threads works. */
const CHAIN = `
def step(i):
    sleep(0.25)
    return i + 1

last = 0
for i in range(20):
    last = client.submit(step, last, pure=False)
_ = last.result()`;
/** The cell ends while one of its tasks runs much longer than the others: as long as anybody looks. */
const STRAGGLER = `
def part(i):
    sleep(600 if i == 39 else 0.2)

parts = client.map(part, range(40), pure=False)`;
/** Every thread computes for seconds. */
const WELL = 'client.gather(client.map(lambda i: sleep(0.5), range(64), pure=False))[-1]';
/** Milliseconds. */
const SILENCE = 120_000;
/** What a test may take besides: as long as any other one. */
const REST = 300_000;
/** The same without a pause, for longer than the test that looks at it may take. */
const LONG = `
from dask.distributed import wait
naps = client.map(lambda i: sleep(0.5), range(4 * 2 * ${(SILENCE + REST) / 1000}), pure=False)
_ = wait(naps)`;

test('advice names what holds a slow notebook back and shows it, and finds nothing wrong with a healthy one', async ({ lab }) => {
  const slow = await lab.openNotebook([CLIENT, CHAIN, STRAGGLER], 'slow');
  await slow.run(0);
  const advice = await lab.openPlot('advice');
  await expect(advice).toContainText('No task has run.');
  await slow.run(1);
  const first = advice.getByRole('listitem').first();
  await expect(first).toHaveAttribute('data-cause', 'little-parallelism', { timeout: 5000 });
  await expect(first).toContainText('of 4 threads worked, mostly on step');
  const card = lab.page.locator('.dp-ClientView:visible [data-row="advice"]');
  await expect(card).toContainText(/^▲\[\d+\] last = client\.submit.*, .* s: Too few tasks can run at once.*Show me$/);

  await first.getByRole('button', { name: 'Show me' }).click();
  const panel = lab.pane('task-stream').getByRole('region', { name: 'Statistics of the selection' });
  await expect(panel).toContainText(/\d+ tasks/);
  await first.getByRole('button', { name: 'Not helpful' }).click();
  await expect(advice).toContainText('1 cause found, which is hidden.');
  await expect(card).toBeHidden();
  await advice.getByRole('button', { name: 'Too few tasks can run at once: show again' }).click();
  await expect(first).toHaveAttribute('data-cause', 'little-parallelism');

  await slow.run(2);
  // From here on it is late, however long the machine takes for the others.
  await expect.poll(() => slow.value<number>('sum(part.done() for part in parts)')).toBe(39);
  const straggler = advice.locator('.dp-Advice-verdict[data-cause="straggler"]');
  await expect(straggler).toContainText(/part-.*-39 has been running for/, { timeout: 10_000 });
  const mark = lab.pane('task-stream').locator('.dp-Mark[data-cause="straggler"]');
  await expect(mark).toContainText(/^▲A few tasks take much longer than the others · \d+ %/);
  await straggler.getByRole('button', { name: 'Show me' }).click();
  // The threads of its worker.
  await expect(panel).toContainText(/s × 2 threads/);

  const healthy = await lab.openNotebook([CLIENT, WELL], 'healthy');
  await healthy.run(0);
  await healthy.run(1);
  await expect(lab.page.locator('.dp-ClientView:visible [data-row="advice"]').last()).toContainText(/^Nothing wrong found/);
  await lab.openPlot('advice');
  await expect(advice).toContainText(/Nothing wrong found: \d+ % of thread time computing/);
  await expect(advice.getByRole('listitem')).toHaveCount(0);
});

test('"Show me" of the sidebar names the cell, and shows the evidence in a plot that was not open', async ({ lab }) => {
  const notebook = await lab.openNotebook([CLIENT, CHAIN], 'beside');
  await notebook.run(0);
  await lab.command('dask-panes:layout', { name: 'memory' });
  await expect(lab.pane('task-stream')).toHaveCount(0);
  const line = (await lab.sidebar()).locator('.dp-AdviceLine');
  await notebook.run(1);
  await expect(line).toContainText(/^▲\d+ % of .*s · Too few tasks can run at once · \[2\] last = client\.submit.*Show me$/);
  await line.getByRole('button', { name: 'Show me' }).click();
  const panel = lab.pane('task-stream').getByRole('region', { name: 'Statistics of the selection' });
  await expect(panel).toContainText(/\d+ tasks/);
  await expect(panel).toBeVisible();
  await expect(lab.pane('advice')).toBeVisible();
});

test('a report says what the pane says, and what was hidden stays hidden after a reload', async ({ lab, browser }) => {
  const notebook = await lab.openNotebook([CLIENT, CHAIN], 'kept');
  await notebook.run(0);
  const advice = await lab.openPlot('advice');
  await notebook.run(1);
  const first = advice.getByRole('listitem').first();
  await expect(first).toHaveAttribute('data-cause', 'little-parallelism');
  // Its last part is there: the sentence is about all of its seconds.
  await lab.paneIs('advice', 'idle');
  await lab.command('dask-panes:save-report');
  const folder = join(lab.root, lab.name);
  const saved = (): readonly string[] => readdirSync(folder).filter(name => name.startsWith('dask-report-'));
  await expect.poll(saved).toHaveLength(1);
  const context = await browser.newContext({ offline: true });
  const page = await context.newPage();
  await page.goto(pathToFileURL(join(folder, saved()[0] ?? '')).href);
  await expect(page.locator('html')).toHaveAttribute('data-report', 'shown');
  await page.getByRole('tab', { name: 'Diagnosis' }).click();
  const sentences = await page.locator('.dp-Report-card[data-plot="advice"] .dp-Advice-sentence').allTextContents();
  await page.getByRole('tab', { name: 'Summary' }).click();
  await expect(page.locator('.dp-AdviceLine bdi')).toHaveText(sentences[0] ?? '');
  await expect(advice.locator('.dp-Advice-sentence')).toHaveText(sentences);
  await context.close();

  await first.getByRole('button', { name: 'Not helpful' }).click();
  await expect(advice).toContainText('which is hidden.');
  await notebook.save();
  await lab.reload();
  const again = await lab.openPlot('advice');
  await expect(again).toContainText('which is hidden.');
  await expect(again.locator('[data-cause="little-parallelism"].dp-Advice-verdict')).toHaveCount(0);
  await again.getByRole('button', { name: 'Too few tasks can run at once: show again' }).click();
  await expect(again.getByRole('listitem').first()).toHaveAttribute('data-cause', 'little-parallelism');
});

test('of a recording, panes say what the program for terminals prints', async ({ lab }) => {
  mkdirSync(join(lab.root, lab.name), { recursive: true });
  const path = join(lab.root, lab.name, 'run.dask-run');
  copyFileSync(join(ROOT, 'test', 'fixtures', 'run.dask-run'), path);
  const printed = JSON.parse(
    execFileSync(tool('python'), ['-m', 'dask_panes', 'advise', path, '--json'], { encoding: 'utf8' })
  ) as {
    readonly headline: string;
    readonly verdicts: readonly {
      readonly cause: string;
      readonly title: string;
      readonly sentence: string;
      readonly remedy: string;
    }[];
  };
  expect(printed.verdicts.map(({ cause }) => cause)).toEqual(['failures']);

  await lab.command('dask-panes:open-recording', { path: `${lab.name}/run.dask-run` });
  const recording = lab.page.locator('.dp-Recording:visible');
  await expect(recording).toHaveAttribute('data-state', 'ready');
  await expect(recording.locator('.dp-AdviceLine bdi')).toHaveText(printed.headline);
  await recording.getByRole('button', { name: 'Advice', exact: true }).click();
  const advice = lab.pane('advice');
  await expect(advice.getByRole('listitem')).toHaveCount(printed.verdicts.length);
  for (const [i, { cause, title, sentence, remedy }] of printed.verdicts.entries()) {
    const item = advice.getByRole('listitem').nth(i);
    await expect(item).toHaveAttribute('data-cause', cause);
    await expect(item).toContainText(title);
    await expect(item).toContainText(sentence);
    await expect(item).toContainText(remedy);
  }
});

test('nothing is found wrong with a healthy run for two minutes', async ({ lab }) => {
  test.setTimeout(SILENCE + REST);
  const notebook = await lab.openNotebook([CLIENT, LONG], 'healthy');
  await notebook.run(0);
  const advice = await lab.openPlot('advice');
  await notebook.start(1);
  await expect(advice).toContainText(/Nothing wrong found: \d+ % of thread time computing/);
  // Everything that is ever listed, however short the time.
  await advice.evaluate(node => {
    const seen = new Set<string>();
    Object.assign(window, { daskPanesSeen: seen });
    new MutationObserver(() => {
      for (const item of node.querySelectorAll('[data-cause]')) {
        seen.add(item.textContent ?? '');
      }
    }).observe(node, { childList: true, subtree: true, attributes: true });
  });
  await lab.page.waitForTimeout(SILENCE);
  expect(await lab.page.evaluate(() => [...(window as unknown as { daskPanesSeen: Set<string> }).daskPanesSeen])).toEqual([]);
  await expect(lab.page.locator('.dp-ClientView:visible [data-row="advice"]')).toContainText(/^Nothing wrong found/);
  await expect(advice).toContainText(/Nothing wrong found: \d+ % of thread time computing/);
  expect(await notebook.kernelStatus()).toBe('busy');
});
