import type { Page } from '@playwright/test';
import { expect, test } from './harness/test';

const CLIENT = `
from dask.distributed import Client
client = Client(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None)
_ = client.gather(client.map(abs, range(50), pure=False))
client`;
const LARGEST = 20;
/** Vega-Lite, timeline, graph, table: each way of drawing once. */
const PLOTS = ['nprocessing', 'task-stream', 'task-groups', 'workers'] as const;

/** Labels in the page that lie over each other or are cut, of those that are there to be read as a whole. */
function labelsInTheWay(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const rows = ['.dp-Timeline-axis', '.dp-Timeline-gutter', '.dp-Legend', '.dp-Pane-title', '.dp-Pane-status'];
    const seen = (node: Element): boolean =>
      node.checkVisibility({ visibilityProperty: true }) && node.textContent.trim() !== '' && node.children.length === 0;
    // Notes and options are shown as a whole or not at all: those without room are below the part that is shown.
    const leftOut = (node: Element): boolean => {
      const shown = node.closest('.dp-Status-noteTexts, .dp-Status-rest')?.getBoundingClientRect();
      return shown !== undefined && node.getBoundingClientRect().top >= shown.bottom - 1;
    };
    const faults: string[] = [];
    for (const row of rows.flatMap(selector => [...document.querySelectorAll(selector)])) {
      if (!row.checkVisibility()) {
        continue;
      }
      const frame = row.getBoundingClientRect();
      const labels = [...row.querySelectorAll('*')].filter(node => seen(node) && !leftOut(node));
      const boxes = labels.map(label => ({ text: label.textContent, ...label.getBoundingClientRect().toJSON() }));
      for (const [i, box] of boxes.entries()) {
        if (box.top < frame.top - 1 || box.bottom > frame.bottom + 1) {
          faults.push(`${box.text} is cut`);
        }
        for (const other of boxes.slice(i + 1)) {
          const wide = Math.min(box.right, other.right) - Math.max(box.left, other.left);
          const high = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
          if (wide > 1 && high > 2) {
            faults.push(`${box.text} lies over ${other.text}`);
          }
        }
      }
    }
    return faults;
  });
}

test("JupyterLab's font sizes, colours and contrast are followed", async ({ lab }, info) => {
  const { page } = lab;
  const notebook = await lab.openNotebook([CLIENT]);
  await notebook.run(0);
  for (const plot of PLOTS) {
    await lab.openPlot(plot);
  }
  const card = notebook.output(0).locator('.dp-ClientView');
  const pixels = (selector: string): Promise<number> =>
    page
      .locator(selector)
      .first()
      .evaluate(node => Number.parseFloat(getComputedStyle(node).fontSize));
  const setSize = (name: string, size: number): Promise<void> =>
    page.evaluate(([variable, value]) => document.documentElement.style.setProperty(variable, value), [name, `${size}px`]);
  await expect(card).toBeVisible();
  await lab.sidebar();
  const name = '.dp-Sidebar .dp-Row-name';
  const before = { card: await pixels('.dp-ClientView'), pane: await pixels('.dp-Pane'), sidebar: await pixels(name) };

  // JupyterLab's own command writes the variable that panes follow.
  await lab.command('apputils:incr-font-size', { key: 'ui-font-size1' });
  await expect.poll(() => pixels('.dp-Pane')).toBeCloseTo((before.pane * 14) / 13, 1);
  // The settings of the server are those of the next test, too.
  await lab.command('apputils:decr-font-size', { key: 'ui-font-size1' });
  await expect.poll(() => pixels('.dp-Pane')).toBeCloseTo(before.pane, 1);

  await setSize('--jp-ui-font-size1', LARGEST);
  await setSize('--jp-content-font-size1', LARGEST);
  await expect.poll(() => pixels('.dp-Pane')).toBeCloseTo((before.pane * LARGEST) / 13, 1);
  await expect.poll(() => pixels('.dp-ClientView')).toBeCloseTo((before.card * LARGEST) / 14, 1);
  await expect.poll(() => pixels(name)).toBeCloseTo((before.sidebar * LARGEST) / 13, 1);
  for (const plot of PLOTS) {
    await lab.openPlot(plot);
    const pane = lab.pane(plot);
    await expect(pane).toBeVisible();
    await page.screenshot({ path: info.outputPath(`largest-${plot}.png`) });
    await expect.poll(() => labelsInTheWay(page)).toEqual([]);
    if (plot === 'nprocessing') {
      // The chart is drawn larger, in its pane, and as sharp as before.
      const canvas = pane.locator('canvas:visible').first();
      await expect(async () => {
        const [picture, body] = [await canvas.boundingBox(), await pane.locator('.dp-Pane-picture').boundingBox()];
        expect(picture?.height).toBeCloseTo(body?.height ?? 0, 0);
        expect(await canvas.evaluate(node => (node as HTMLCanvasElement).height)).toBeCloseTo(body?.height ?? 0, -1);
      }).toPass();
    }
  }

  // A theme of another extension: dark, in another colour space, with states in colours of its own.
  const scheme = lab.pane('workers');
  await expect(scheme).toHaveAttribute('data-scheme', 'light');
  await page.evaluate(() => {
    const { style } = document.documentElement;
    style.setProperty('--jp-layout-color1', 'oklch(0.25 0.02 250)');
    style.setProperty('--jp-error-color1', 'color(display-p3 1 0.5 0.5)');
  });
  await setSize('--jp-ui-font-size1', 13);
  await expect(scheme).toHaveAttribute('data-scheme', 'dark');
  const written = (name: string): Promise<string> =>
    page.evaluate(variable => document.documentElement.style.getPropertyValue(variable), name);
  await expect.poll(() => written('--dp-bad')).toBe('#ff767b');

  await page.evaluate(() => {
    for (const name of ['--jp-layout-color1', '--jp-error-color1']) {
      document.documentElement.style.removeProperty(name);
    }
  });
  await page.emulateMedia({ contrast: 'more' });
  await expect.poll(() => written('--dp-grid')).toBe('#999999');
  await expect(scheme).toHaveAttribute('data-scheme', 'light');
  await page.emulateMedia({ contrast: 'no-preference', forcedColors: 'active', colorScheme: 'dark' });
  await expect(scheme).toHaveAttribute('data-scheme', 'dark');
  await page.screenshot({ path: info.outputPath('forced.png') });
  await page.emulateMedia({ contrast: 'no-preference', forcedColors: 'none', colorScheme: 'light' });
  await lab.theme('Dark');
  const ordinary = await written('--dp-grid');
  await lab.theme('Dark High Contrast');
  await expect(scheme).toHaveAttribute('data-scheme', 'dark');
  await expect.poll(() => written('--dp-grid')).not.toBe(ordinary);
  await page.screenshot({ path: info.outputPath('high-contrast.png') });
  await lab.theme('Light');
});
