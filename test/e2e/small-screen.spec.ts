/** Small screens and large fonts: the layout Status, the card and names stay readable. */
import type { Locator } from '@playwright/test';
import type { Lab } from './harness/lab';
import { expect, test } from './harness/test';

const CLIENT = `from distributed import Client
client = Client(n_workers=4, threads_per_worker=2, processes=False, dashboard_address=None)
client`;
const WORK = `from time import sleep

def a_name_with_underscores_(i):
    sleep(0.1)  # the profile samples it
    return i

_ = client.gather(client.map(a_name_with_underscores_, range(40), pure=False))`;

/** The panes of the layout's front tabs. */
const SHOWN = ['cluster-memory', 'workers-memory', 'nprocessing', 'task-stream', 'progress'];
const LEFT = SHOWN.slice(0, 3);

/** Run some tasks in a window of this size, without JupyterLab's file browser. */
async function work(lab: Lab, width: number, height: number): Promise<void> {
  await lab.page.setViewportSize({ width, height });
  await lab.command('application:toggle-left-area');
  const notebook = await lab.openNotebook([CLIENT, WORK]);
  await notebook.runAll();
}

async function status(lab: Lab): Promise<void> {
  await lab.command('dask-panes:layout', { name: 'status' });
  await lab.paneIs('task-stream', 'live', 'idle');
}

async function box(locator: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  await expect(locator).toBeVisible();
  const found = await locator.boundingBox();
  if (found === null) {
    throw new Error('nothing is shown');
  }
  return found;
}

test('Status at 1280 × 800 can be read: panes, tables, the profile and the card', async ({ lab }) => {
  await work(lab, 1280, 800);
  await test.step('the words above the time strip of the profile do not lie on its bars', async () => {
    const profile = await lab.openPlot('profile');
    await expect(profile.locator('.dp-Flame-peak')).toHaveText(/threads busy/);
    const words = await box(profile.locator('.dp-Flame-peak'));
    const bars = await box(profile.locator('.dp-Flame-strip canvas'));
    expect(words.y + words.height).toBeLessThanOrEqual(bars.y + 1);
    // Status shows its own panes only.
    await lab.page.evaluate(() => window.daskPanesTest.pane('profile').close());
  });

  await test.step('four panes below each other keep their content: where there is no room for one more, it is a tab', async () => {
    const stack = ['task-stream', 'costs', 'computations', 'progress'];
    for (const plot of stack) {
      await lab.openPlot(plot, { mode: 'split-bottom' });
    }
    await lab.frames();
    const shown = lab.page.locator('.dp-Pane[data-plot]:visible');
    expect(await shown.count()).toBeLessThan(stack.length);
    for (const pane of await shown.all()) {
      expect((await box(pane.locator('.dp-Pane-body'))).height).toBeGreaterThanOrEqual(80);
    }
    await lab.openPlot('computations');
    // A row of a table goes before its search.
    const row = await box(lab.pane('computations').locator('.dp-Table-body .dp-Table-row').first());
    const pane = await box(lab.pane('computations'));
    expect(row.y + row.height).toBeLessThanOrEqual(pane.y + pane.height);
    await lab.page.evaluate(plots => {
      for (const plot of plots) {
        window.daskPanesTest.pane(plot).close();
      }
    }, stack);
  });

  await status(lab);
  await test.step('every pane has its room, and the left column 256 px', async () => {
    for (const plot of SHOWN) {
      const pane = lab.pane(plot);
      const { width, height } = await box(pane);
      expect(width, plot).toBeGreaterThanOrEqual(256);
      expect(height, plot).toBeGreaterThanOrEqual(100);
      await expect(pane.locator('.dp-Pane-counts')).toHaveText(/\d/);
      expect(await pane.evaluate(node => node.scrollWidth - node.clientWidth), plot).toBeLessThanOrEqual(0);
    }
    expect((await box(lab.page.locator('.jp-NotebookPanel'))).width).toBeGreaterThanOrEqual(380);

    // The first figure above each plot is whole, also at a zoom of 150 %.
    const first = lab.page.locator('.dp-Pane:visible .dp-Pane-counts > :first-child');
    for (const size of [
      { width: 1280, height: 800 },
      { width: 853, height: 533 }
    ]) {
      await lab.page.setViewportSize(size);
      await expect
        .poll(() =>
          first.evaluateAll(all => all.filter(each => each.scrollWidth > each.clientWidth).map(each => each.textContent))
        )
        .toEqual([]);
    }
    await lab.page.setViewportSize({ width: 1280, height: 800 });
    await lab.choose('nprocessing', 'How to read this plot');
    await expect(lab.page.locator('.dp-Popover p').first()).toBeVisible();
    await lab.page.keyboard.press('Escape');

    // The second time, with the panes already there.
    await lab.command('dask-panes:layout', { name: 'status' });
    for (const plot of LEFT) {
      expect((await box(lab.pane(plot))).width, plot).toBeGreaterThanOrEqual(256);
    }
  });

  await test.step('each line of the time axis has its time, but one that would lie on the word "now"', async () => {
    const labels = lab.pane('task-stream').locator('.dp-Timeline-axis span');
    await expect.poll(() => labels.count()).toBeGreaterThanOrEqual(2);
    const hidden = await labels.evaluateAll(all => all.filter(each => getComputedStyle(each).visibility === 'hidden').length);
    expect(hidden).toBeLessThanOrEqual(1);
  });

  await test.step('names in tables keep their underscores', async () => {
    await lab.choose('progress', 'Show as table');
    const name = lab.pane('progress').locator('.dp-Table-text', { hasText: 'a_name_with_underscores_' }).first();
    await expect(name).toBeVisible();
    const cut = await name.evaluate(node => {
      const context = document.createElement('canvas').getContext('2d');
      if (context === null) {
        throw new Error('no canvas');
      }
      context.font = getComputedStyle(node).font;
      const { fontBoundingBoxAscent, fontBoundingBoxDescent } = context.measureText('_');
      return fontBoundingBoxAscent + fontBoundingBoxDescent - node.clientHeight;
    });
    expect(cut).toBeLessThanOrEqual(0);
  });

  await test.step('the card keeps its values at a zoom of 150 %', async () => {
    await lab.page.setViewportSize({ width: 1067, height: 667 });
    const card = lab.page.locator('.jp-NotebookPanel .dp-ClientView').first();
    await card.scrollIntoViewIfNeeded();
    await expect(card).toContainText('4 · 8 threads');
    const values = card.locator('[role="definition"]:visible');
    // The card takes its new form a frame after the window.
    await expect(async () => {
      expect(await values.count()).toBeGreaterThan(2);
      for (const value of await values.all()) {
        expect(await value.evaluate(node => node.scrollWidth - node.clientWidth)).toBeLessThanOrEqual(0);
        expect((await box(value)).width).toBeGreaterThan(100);
      }
    }).toPass();
  });
});

test('panes of one layout have the same tools, and a picture explains them; a narrow pinned one names its client', async ({
  lab
}) => {
  const { page } = lab;
  await work(lab, 1600, 1000);
  await status(lab);
  await test.step('all have the same tools', async () => {
    const tools = (plot: string): Promise<string[]> =>
      lab
        .pane(plot)
        .locator('.dp-Pane-tools button:visible:not(.dp-Chip)')
        .evaluateAll(nodes => nodes.map(node => node.getAttribute('aria-label') ?? ''));
    for (const plot of SHOWN) {
      expect(await tools(plot), plot).toEqual(['Pause', 'How to read this plot', 'More']);
      await expect(lab.pane(plot).locator('.dp-Status-text'), plot).toHaveText(/\S/);
    }

    const client = await lab.pane('progress').evaluate(node => (node as HTMLElement).dataset.client ?? '');
    await lab.command('dask-panes:open', {
      plot: 'bandwidth-types',
      binding: { path: 'notebook.ipynb', client },
      mode: 'split-right'
    });
    await lab.page.setViewportSize({ width: 760, height: 900 });
    const pinned = lab.pane('bandwidth-types').locator('.dp-Chip');
    // JupyterLab follows a change of the window a moment later.
    await expect.poll(async () => (await box(lab.pane('bandwidth-types'))).width).toBeLessThan(400);
    await expect(pinned).toHaveAttribute('data-pinned', 'true');
    await expect(pinned).toHaveText(/\w{3}/);
    await expect.poll(async () => (await box(pinned.locator('.dp-Chip-text'))).width).toBeGreaterThan(30);
  });

  await test.step('"How to read this plot" has a picture of the theme, and fits where there is little room', async () => {
    await page.setViewportSize({ width: 1600, height: 1000 });
    const loaded: string[] = [];
    page.on('request', request => loaded.push(...(request.url().includes('.webp') ? [request.url()] : [])));
    const popover = page.locator('.dp-Popover');
    const picture = popover.locator('img');
    const open = (): Promise<void> => lab.pane('task-stream').getByRole('button', { name: 'How to read this plot' }).click();
    const shown = async (opening: () => Promise<void> = open): Promise<string> => {
      await opening();
      await expect.poll(() => picture.evaluate(image => image instanceof HTMLImageElement && image.naturalWidth > 0)).toBe(true);
      return picture.evaluate(image => (image instanceof HTMLImageElement ? image.src : ''));
    };
    expect(loaded).toEqual([]);
    const light = await shown();
    expect(loaded).toEqual([light]);
    await expect(picture).toHaveAttribute('alt', /^Task stream: /);
    await page.keyboard.press('Escape');
    await expect(popover).toHaveCount(0);
    await lab.theme('Dark');
    expect(await shown()).not.toBe(light);
    await page.keyboard.press('Escape');

    // A window of 800 × 500 at 200 %, with a pane of some 200 pixels.
    await page.setViewportSize({ width: 400, height: 250 });
    // Where the title needs the room, it is in the menu only.
    await shown(() => lab.choose('task-stream', 'How to read this plot'));
    // It is placed once more when its picture has arrived.
    await expect(async () => {
      const { x, y, width, height } = await box(popover);
      expect(Math.min(x, y, 400 - x - width, 250 - y - height)).toBeGreaterThanOrEqual(0);
      expect(await popover.evaluate(node => node.scrollWidth - node.clientWidth)).toBeLessThanOrEqual(0);
    }).toPass();
    // All of it can be reached by the keyboard.
    await page.keyboard.press('End');
    await expect(popover.locator('figcaption')).toBeInViewport();
  });
});
