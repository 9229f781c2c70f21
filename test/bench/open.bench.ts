/**
 * From the click on a plot in the sidebar to the first frame in which the pane shows data: a pixel of a mark, read back
 * from its canvas (marks have colours, axes and texts have none). A cluster of two workers has computed before.
 *
 * - cold_p95_ms: the first pane after a page was loaded (bar 300); its code is not there yet, nor is a subscription.
 * - warm_p95_ms: opened, closed and opened again in one page (bar 100).
 * - cold_median_ms and warm_median_ms, and by plot cold_PLOT_ms and warm_PLOT_ms (medians).
 *
 * The baseline is what Bokeh's pages were measured to need from navigation to first data (720 to 770 ms). Reading the
 * pixels back is part of each frame and costs some milliseconds.
 */
import { expect, test } from '../e2e/harness/test';
import type { Lab } from '../e2e/harness/lab';
import { percentile, reporter } from './_rows';

/** One drawn from typed arrays, one by Vega. */
const PLOTS = ['task-stream', 'progress'];
const COLD = 8;
const WARM = 20;
const BOKEH_MS = 745;

const SETUP = `
from time import sleep
from distributed import Client
client = Client(n_workers=2, threads_per_worker=2, dashboard_address=":0")
def work(x): sleep(0.01)
client.gather(client.map(work, range(400)))
client`;

const report = reporter('open');

/** Click in the page and watch from there; resolves with milliseconds. */
async function open(plot: string): Promise<number> {
  const row = document.querySelector<HTMLElement>(`.dp-Plot[data-plot="${plot}"]`);
  if (!row) {
    throw new Error(`no ${plot} in the sidebar`);
  }
  const coloured = (canvas: HTMLCanvasElement): boolean => {
    if (canvas.width === 0 || canvas.height === 0) {
      return false;
    }
    const data = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? new Uint8ClampedArray();
    for (let i = 0; i < data.length; i += 4) {
      const [red, green, blue] = [data[i], data[i + 1], data[i + 2]];
      if (data[i + 3] > 200 && Math.max(red, green, blue) - Math.min(red, green, blue) > 50) {
        return true;
      }
    }
    return false;
  };
  return new Promise((resolve, reject) => {
    const begin = performance.now();
    row.click();
    const look = (): void => {
      const canvases = document.querySelectorAll<HTMLCanvasElement>(
        `[data-plot="${plot}"][data-state] .dp-VegaView-canvas canvas, [data-plot="${plot}"][data-state] canvas.dp-Timeline-data`
      );
      if ([...canvases].some(coloured)) {
        resolve(performance.now() - begin);
      } else if (performance.now() - begin > 30_000) {
        reject(new Error(`${plot} shows nothing`));
      } else {
        // After the frame, not in it: what is read back has been painted.
        requestAnimationFrame(() => setTimeout(look, 0));
      }
    };
    look();
  });
}

async function close(lab: Lab, plot: string): Promise<void> {
  await lab.page.evaluate(id => window.daskPanesTest.pane(id).dispose(), plot);
  await expect(lab.pane(plot)).toHaveCount(0);
}

/** The sidebar knows the client: a user could click now. */
async function ready(lab: Lab): Promise<void> {
  const sidebar = await lab.sidebar();
  await expect(sidebar.locator('.dp-Clients')).toContainText('2 workers');
}

test('open', async ({ lab }) => {
  test.setTimeout(900_000);
  const notebook = await lab.openNotebook([SETUP]);
  await notebook.run(0);
  await ready(lab);
  const cold = new Map<string, number[]>(PLOTS.map(plot => [plot, []]));
  const warm = new Map<string, number[]>(PLOTS.map(plot => [plot, []]));
  for (let i = 0; i < COLD; i++) {
    for (const [plot, times] of cold) {
      await lab.reload();
      await lab.notebook(notebook.path);
      await ready(lab);
      times.push(await lab.page.evaluate(open, plot));
      await close(lab, plot);
    }
  }
  for (let i = 0; i <= WARM; i++) {
    for (const [plot, times] of warm) {
      const time = await lab.page.evaluate(open, plot);
      await close(lab, plot);
      // The first one of a plot in this page loads its code.
      if (i > 0) {
        times.push(time);
      }
    }
  }
  for (const [name, times] of [
    ['cold', cold],
    ['warm', warm]
  ] as const) {
    const all = [...times.values()].flat();
    report(`${name}_p95_ms`, percentile(all, 0.95), 'ms', BOKEH_MS, { opened: all.length });
    report(`${name}_median_ms`, percentile(all, 0.5), 'ms', BOKEH_MS);
    for (const [plot, values] of times) {
      report(`${name}_${plot}_ms`, percentile(values, 0.5), 'ms', BOKEH_MS);
    }
  }
});
