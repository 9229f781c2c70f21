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
async function narrow(lab: Lab, plot: string): Promise<void> {
  let { width } = ROOMS.column;
  await expect(async () => {
    await lab.frames();
    const wide = (await lab.pane(plot).boundingBox())?.width ?? COLUMN;
    width += Math.round(COLUMN - wide);
    await lab.page.setViewportSize({ width, height: ROOMS.column.height });
    await lab.frames();
    expect(Math.abs(wide - COLUMN)).toBeLessThanOrEqual(1);
  }).toPass({ intervals: [100] });
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
        await narrow(lab, plots[0]);
      }
      await lab.page.screenshot({ path: join(ROOT, 'test-results', 'plots', 'layouts', `${layout}-${room}.png`) });
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
