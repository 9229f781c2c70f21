/** Every layout where there is little room: each label and value of each pane can be read. */
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/environment.mjs';
import type { Lab } from '../e2e/harness/lab';
import { expect, test } from '../e2e/harness/test';
import { Sights } from './sights';
import { CLUSTER, EARLIER, WORK } from './work';

const LAYOUTS = ['status', 'memory', 'profile', 'errors'] as const;
/** A window in CSS pixels: at a zoom of 150 %, one of 1280 × 800 has fewer of them. A column is beside a narrow notebook. */
const ROOMS = {
  small: { width: 1280, height: 800 },
  zoomed: { width: 853, height: 533 },
  column: { width: 640, height: 1000 }
} as const;
/** Width of the column. */
const COLUMN = 300;
/** How long a picture may take to be whole, in milliseconds. */
const PATIENCE = 4000;

/** Plots of the panes of a layout. */
function opened(lab: Lab): Promise<string[]> {
  return lab.page.locator('.dp-Pane[data-plot]').evaluateAll(all => all.map(node => (node as HTMLElement).dataset.plot ?? ''));
}

/** Make the window so wide that the panes, which are one below the other, have the width of the column. */
async function narrow(lab: Lab): Promise<void> {
  const pane = lab.page.locator('.dp-Pane[data-plot]:visible').first();
  let { width } = ROOMS.column;
  await expect(async () => {
    await lab.frames();
    const wide = (await pane.boundingBox())?.width ?? Number.NaN;
    width += Math.round(COLUMN - wide);
    await lab.page.setViewportSize({ width, height: ROOMS.column.height });
    await lab.frames();
    expect(Math.abs(wide - COLUMN)).toBeLessThanOrEqual(1);
  }).toPass({ intervals: [100] });
}

/** Tabs whose names are cut so short that the beginning could be that of another one beside them. */
function unclearTabs(): string[] {
  /** What is seen of a name, without the ellipsis. */
  const seen = (label: Element): string => {
    const text = label.firstChild;
    const name = label.textContent ?? '';
    if (!(text instanceof Text) || label.scrollWidth <= label.clientWidth) {
      return name;
    }
    const range = document.createRange();
    const edge = label.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(label).fontSize);
    let end = 0;
    for (let i = 1; i <= text.length; i++) {
      range.setStart(text, 0);
      range.setEnd(text, i);
      end = range.getBoundingClientRect().right <= edge ? i : end;
    }
    return name.slice(0, end);
  };
  return [...document.querySelectorAll('.lm-DockPanel-tabBar')].flatMap(bar => {
    const labels = [...bar.querySelectorAll('.dp-Tab .lm-TabBar-tabLabel')];
    return labels.flatMap(label => {
      const shown = seen(label);
      const alike = labels.filter(other => other !== label && (other.textContent ?? '').startsWith(shown));
      return shown === label.textContent || alike.length === 0
        ? []
        : [`the tab ${label.textContent} shows ${shown || 'nothing'}`];
    });
  });
}

test('each layout can be read on a small screen, at a zoom of 150 % and in a column of 300 px', async ({ lab }) => {
  test.setTimeout(600_000);
  const sights = new Sights(lab);
  await sights.begin();
  await lab.command('application:toggle-left-area');
  const notebook = await lab.openNotebook([CLUSTER, EARLIER, WORK]);
  await notebook.runAll();
  const faults: string[] = [];
  for (const [room, size] of Object.entries(ROOMS)) {
    for (const layout of LAYOUTS) {
      await lab.page.setViewportSize(size);
      await lab.frames();
      await lab.command('dask-panes:layout', { name: layout });
      const plots = (await opened(lab)).filter(plot => plot !== 'profile-server');
      expect(plots.length).toBeGreaterThan(1);
      if (room === 'column') {
        await narrow(lab);
      }
      await lab.page.screenshot({ path: join(ROOT, 'test-results', 'plots', 'layouts', `${layout}-${room}.png`) });
      faults.push(...(await lab.page.evaluate(unclearTabs)).map(fault => `${layout} ${room}: ${fault}`));
      for (const plot of plots) {
        await lab.openPlot(plot);
        await lab.paneIs(plot, 'live', 'idle');
        const { marks, cut } = await sights.look(plot, PATIENCE);
        faults.push(
          ...[...cut, ...(marks > 0 ? [] : ['nothing is painted'])].map(fault => `${layout} ${room} ${plot}: ${fault}`)
        );
      }
    }
  }
  expect(faults).toEqual([]);
});
