/**
 * What one pays for having the extension. Paired rounds that take turns; median, and the interval that holds it with 95 %.
 *
 * - import_ms, import_cpu_ms: importing the modules of ours that a kernel loads (once it has a Client and a tab shows the
 *   Status layout), beyond IPython and distributed.
 * - kernel_rss_bytes: resident bytes of such a kernel over one whose preload is switched off, both with a Client of a
 *   cluster of other processes that has computed.
 * - lab_start_bytes, lab_start_gzip_bytes, lab_start_files: what of ours is loaded when JupyterLab has started and no pane has been
 *   opened, scripts and styles together; as they are, and compressed each alone.
 * - lab_start_ms, lab_start_cpu_ms: from the beginning of the page until JupyterLab is restored, over the same page of the
 *   same server without the extension: by the clock, and of the page's main thread.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type BrowserContext, expect, test as base, type Page } from '@playwright/test';
import { ROOT, environment, tool } from '../../scripts/lib/environment.mjs';
import { gzipBytes } from '../../scripts/start-size.mjs';
import { test } from '../e2e/harness/test';
import { middle, reporter, type Report } from './_rows';

const ROUNDS = 9;
const OURS = 'dask-panes';

interface Start {
  readonly wall: number;
  readonly cpu: number;
  readonly bytes: number;
  /** Names. */
  readonly files: readonly string[];
}

const report: Report = reporter('footprint');

/** Rows that a program of Python prints. */
function python(file: string): void {
  const { stdout, status } = spawnSync(tool('python'), [join(ROOT, 'test', 'bench', file)], {
    env: environment(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit']
  });
  expect(status, file).toBe(0);
  for (const line of stdout.split('\n').filter(text => text.startsWith('{'))) {
    const { name, value, unit, baseline, bench: _bench, ratio: _ratio, ...more } = JSON.parse(line);
    report(name, value, unit, baseline, more);
  }
}

/** Serve JupyterLab's page without the extension in its list. */
async function withoutUs(page: Page): Promise<void> {
  await page.route(/\/lab\/workspaces\//, async route => {
    const response = await route.fetch();
    const text = await response.text();
    const body = text.replace(
      /(<script id="jupyter-config-data" type="application\/json">)([\s\S]*?)(<\/script>)/,
      (_, open: string, config: string, close: string) => {
        const parsed = JSON.parse(config) as { federated_extensions: { readonly name: string }[] };
        parsed.federated_extensions = parsed.federated_extensions.filter(({ name }) => name !== OURS);
        return open + JSON.stringify(parsed) + close;
      }
    );
    await route.fulfill({ response, body });
  });
}

/** Start JupyterLab in a page of its own, with an empty cache. */
async function start(context: BrowserContext, url: string, ours: boolean): Promise<Start> {
  const page = await context.newPage();
  try {
    await (ours
      ? page.route(/\/lab\/workspaces\//, async route => route.fulfill({ response: await route.fetch() }))
      : withoutUs(page));
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.goto(url);
    await page.waitForFunction(() => Boolean(window.jupyterapp));
    const seen = await page.evaluate(async name => {
      await window.jupyterapp.restored;
      const wall = performance.now();
      const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
      const mine = resources.filter(resource => resource.name.includes(`/extensions/${name}/`));
      const plugins = window.jupyterapp.listPlugins().filter(id => id.startsWith(name)).length;
      const files = mine.map(({ name: url }) => new URL(url).pathname.split('/').pop() ?? '');
      return { wall, bytes: mine.reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0), files, plugins };
    }, OURS);
    expect(seen.plugins > 0, 'the extension is there').toBe(ours);
    const { metrics } = await session.send('Performance.getMetrics');
    const cpu = (metrics.find(metric => metric.name === 'TaskDuration')?.value ?? 0) * 1000;
    return { ...seen, cpu };
  } finally {
    await page.close();
  }
}

test('footprint', async ({ lab, browser }) => {
  base.setTimeout(1_800_000);
  await lab.page.goto('about:blank');
  const wall: number[] = [];
  const cpu: number[] = [];
  let loaded: Start | null = null;
  for (let round = 0; round < ROUNDS; round++) {
    const pair: Start[] = [];
    // Each the first as often as the other, except for one round.
    for (const ours of round % 2 ? [true, false] : [false, true]) {
      const context = await browser.newContext();
      pair[ours ? 1 : 0] = await start(context, `${lab.url}/lab/workspaces/footprint-${round}-${ours}`, ours);
      await context.close();
    }
    const [without, having] = pair;
    wall.push(having.wall - without.wall);
    cpu.push(having.cpu - without.cpu);
    loaded = having;
  }
  report('lab_start_bytes', loaded?.bytes ?? 0, 'B');
  report('lab_start_gzip_bytes', gzipBytes(loaded?.files ?? []), 'B');
  report('lab_start_files', loaded?.files.length ?? 0, 'files');
  for (const [name, values] of [
    ['lab_start_ms', wall],
    ['lab_start_cpu_ms', cpu]
  ] as const) {
    const { median, interval } = middle(values);
    report(name, median, 'ms', null, { interval: interval.map(Math.round) });
  }
  python('_footprint.py');
});
