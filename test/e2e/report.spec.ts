import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Locator, Page } from '@playwright/test';
import { Gate } from './harness/gate';
import { expect, test } from './harness/test';

const HOSTILE = '<img src=x onerror=window.hacked=1>';

const CLIENT = `
import time, dask_panes
from dask.distributed import Client, wait
client = Client(n_workers=2, threads_per_worker=2, dashboard_address=None)

def load(i):
    time.sleep(0.02)
    return i

def fail(i):
    raise ValueError("${HOSTILE}")`;

const REPORT = `
with dask_panes.report("block.html", title="${HOSTILE}") as report:
    loaded = client.map(load, range(60))
    odd = client.submit(load, 0, key="a ${HOSTILE}-1")
    failed = client.submit(fail, 1)
    wait([*loaded, odd, failed])
    # </script><script>window.hacked = 1</script>
    client.log_event("${HOSTILE}", "${HOSTILE}")
    time.sleep(1.5)`;

/** A report in a browser without a network: what it asked for besides its own file, and what went wrong. */
class Opened {
  readonly trouble: string[] = [];

  constructor(readonly page: Page) {
    page.on('console', message => {
      if (message.type() === 'error' || message.type() === 'warning') {
        this.trouble.push(message.text());
      }
    });
    page.on('pageerror', error => this.trouble.push(error.message));
    page.on('request', request => {
      if (!/^(file|data|blob):/.test(request.url())) {
        this.trouble.push(request.url());
      }
    });
  }

  static async open(browser: Browser, path: string): Promise<Opened> {
    const context = await browser.newContext({ offline: true, colorScheme: 'light', viewport: { width: 1300, height: 900 } });
    const opened = new Opened(await context.newPage());
    await opened.page.goto(pathToFileURL(path).href);
    await expect(opened.page.locator('html')).toHaveAttribute('data-report', 'shown');
    return opened;
  }

  figure(name: string): Locator {
    return this.page.locator(`[data-figure="${name}"] dd`);
  }

  card(plot: string): Locator {
    return this.page.locator(`.dp-Report-card[data-plot="${plot}"]`);
  }

  background(): Promise<string> {
    return this.page.evaluate(() => getComputedStyle(document.querySelector('.dp-Report-part') ?? document.body).backgroundColor);
  }
}

/** Move over the task stream until a block of some width answers. */
async function hoverTask({ page }: Opened, wanted: RegExp): Promise<string> {
  const lanes = page.locator('.dp-Timeline-lanes');
  const box = await lanes.boundingBox();
  const tooltip = page.locator('.dp-Tooltip');
  for (let x = 2; box !== null && x < box.width; x += 3) {
    await page.mouse.move(box.x + x, box.y + 8);
    if ((await tooltip.isVisible()) && wanted.test((await tooltip.textContent()) ?? '')) {
      return (await tooltip.textContent()) ?? '';
    }
  }
  throw new Error(`nothing in the first lane is ${wanted}`);
}

test('a report opens from disk without a network, as interactive as the panes', async ({ lab, browser }) => {
  const gate = new Gate(lab);
  const notebook = await lab.openNotebook([CLIENT, REPORT, gate.wait]);
  await notebook.run(0);
  await notebook.run(1);

  await test.step('what the block did', async () => {
    const report = await Opened.open(browser, join(lab.root, lab.name, 'block.html'));
    const { page } = report;
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(HOSTILE);
    await expect(report.figure('tasks')).toHaveText('62');
    await expect(report.figure('erred')).toHaveText('1');
    await expect(report.figure('threads')).toHaveText('4');
    await expect(report.figure('peak')).toHaveText(/^[\d.]+ [MG]iB$/);
    const cells = (name: string): Locator => page.locator('tr[data-function]', { hasText: name }).locator('td');
    await expect(cells('load')).toHaveText(['60', /^[\d.]+ s$/, /^[\d.]+ ms$/]);
    await expect(cells('fail').first()).toHaveText('1, 1 erred');
    await cells('fail').getByRole('button', { name: '1 erred' }).click();
    await expect(report.card('errors')).toBeInViewport();
    await expect(report.card('errors')).toContainText('1 error');
    await page.getByRole('tab', { name: 'Summary' }).click();
    await expect(cells(`a ${HOSTILE}`).first()).toHaveText('1');
    await expect(page.locator('.dp-Report-part pre')).toContainText('</script><script>window.hacked = 1</script>');

    const dark = await report.background();
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(() => report.background()).not.toBe(dark);
    await page.getByRole('button', { name: 'Light' }).click();
    await expect.poll(() => report.background()).toBe(dark);

    await page.getByRole('tab', { name: 'Summary' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('tab', { name: 'Task stream' })).toBeFocused();
    await expect(report.card('task-stream')).toContainText('62 executions · 1 erred');
    await expect(page.getByRole('slider', { name: 'Time in the recording' })).toBeVisible();
    await expect(report.card('task-stream').locator('.dp-Legend')).toContainText(`a ${HOSTILE}`);
    await expect(async () => expect(await hoverTask(report, /load.*load-[0-9a-f]{8}/)).toContain('Duration')).toPass();

    // The picture of an example is no part of the file.
    await report.card('task-stream').getByRole('button', { name: 'How to read this plot' }).click();
    await expect(page.locator('.dp-Popover p').first()).toContainText('Each row is a thread');
    await expect(page.locator('.dp-Popover img')).toHaveCount(0);
    await page.keyboard.press('Escape');

    const axis = report.card('task-stream').locator('.dp-Timeline-axis');
    const whole = await axis.textContent();
    await page.locator('.dp-Timeline-plot').focus();
    await page.keyboard.press('w');
    await expect(axis).not.toHaveText(whole ?? '');
    await report.card('task-stream').getByRole('button', { name: 'Task stream as table' }).click();
    await expect(report.card('task-stream').locator('.dp-Table-body')).toContainText('load');

    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      // Its pictures, or what is said in their place.
      for (const card of await page.locator('.dp-Report-card:visible').all()) {
        await expect(card.locator('.dp-Pane-picture > *, .dp-Message-head').filter({ visible: true }).first()).toBeVisible();
      }
      await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      await expect(page.locator('.dp-Report-panel:visible [data-tone="bad"].dp-Message-head')).toHaveCount(0);
    }
    await expect(page.locator('[data-tone="bad"].dp-Message-head')).toHaveCount(0);
    await page.getByRole('tab', { name: 'Summary' }).click();
    const advice = (await page.locator('.dp-AdviceLine bdi').textContent()) ?? '';
    expect(advice).not.toBe('');
    await page.getByRole('tab', { name: 'Diagnosis' }).click();
    await expect(report.card('advice').locator('.dp-Advice-sentence').first()).toHaveText(advice);
    await expect(page.getByText(HOSTILE).first()).toBeAttached();
    expect(await page.evaluate(() => 'hacked' in window || document.images.length)).toBe(0);

    // On a small screen nothing is beyond its edge, and what is cut has a tooltip.
    await page.setViewportSize({ width: 375, height: 740 });
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      // What was drawn for a larger screen is drawn again a frame later.
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
      const cut = (): Promise<(string | null)[]> =>
        page.locator('h1, h2, .dp-Report-head p, .dp-Pane-counts').evaluateAll(nodes =>
          nodes
            .filter(
              node =>
                node.clientWidth > 0 && (node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 4)
            )
            .filter(node => !node.matches('.dp-Pane-counts[title]:not([title=""])'))
            .map(node => node.textContent)
        );
      await expect.poll(cut).toEqual([]);
      // The figures of a plot have room beside its name, or below it.
      const narrow = (): Promise<(string | null)[]> =>
        page
          .locator('.dp-Report-card:visible .dp-Pane-counts:not(:empty)')
          .evaluateAll(nodes => nodes.filter(node => node.clientWidth < 80).map(node => node.textContent));
      await expect.poll(narrow).toEqual([]);
    }
    expect(report.trouble).toEqual([]);
    await page.context().close();
  });

  await test.step('what a page saves while the kernel computes', async () => {
    await notebook.start(2);
    await expect.poll(() => notebook.kernelStatus()).toBe('busy');
    await lab.command('dask-panes:save-report');
    const folder = join(lab.root, lab.name);
    const [saved] = readdirSync(folder).filter(name => name.startsWith('dask-report-notebook-'));
    await expect(lab.page.locator('.Toastify')).toContainText(`Report saved as ${lab.name}/${saved}`);
    const report = await Opened.open(browser, join(folder, saved));
    await expect(report.page.getByRole('heading', { level: 1 })).toHaveText('Dask report of notebook.ipynb');
    await expect(report.figure('tasks')).toHaveText('62');
    expect(report.trouble).toEqual([]);
    await report.page.context().close();

    await lab.command('dask-panes:save-report', { plots: ['task-stream'] });
    const part = readdirSync(folder).find(name => name.startsWith('dask-report-notebook-') && name !== saved);
    const stream = await Opened.open(browser, join(folder, part ?? ''));
    await expect(stream.page.getByRole('tab')).toHaveText(['Summary', 'Task stream']);
    await expect(stream.card('task-stream')).toBeVisible();
    // It was saved in one moment, so no clock can play it.
    await expect(stream.page.locator('.dp-Clock')).toBeHidden();
    expect(stream.trouble).toEqual([]);
    await stream.page.context().close();
    gate.open();
    await notebook.finished(2);
  });
});

test('saving a report that waits for a worker is cancelled, leaves no file, and works the next time', async ({ lab }) => {
  const notebook = await lab.openNotebook([
    `import os, signal
from distributed import Client
client = Client(n_workers=1, threads_per_worker=1, dashboard_address=None)
done = client.gather(client.map(abs, range(30)))
[pid] = client.run(os.getpid).values()`,
    'os.kill(pid, signal.SIGSTOP)'
  ]);
  const reports = (): readonly string[] => readdirSync(join(lab.root, lab.name)).filter(name => name.startsWith('dask-report-'));
  const notification = lab.page.locator('.Toastify');
  await notebook.run(0);
  const pid = await notebook.value<number>('pid');
  await notebook.run(1);
  try {
    const saving = lab.command('dask-panes:save-report');
    await expect(notification).toContainText('Saving the report: last look at the workers');
    await notification.getByRole('button', { name: 'Cancel' }).click();
    await saving;
    await expect(notification).not.toContainText('Saving the report');
    expect(reports()).toEqual([]);
  } finally {
    // A stopped process would not end with its kernel.
    process.kill(pid, 'SIGCONT');
  }

  await lab.command('dask-panes:save-report');
  await expect(notification).toContainText(`Report saved as ${lab.name}/${reports()[0]}`);
  await expect(notification.getByRole('button', { name: 'Cancel' })).toHaveCount(0);
});
