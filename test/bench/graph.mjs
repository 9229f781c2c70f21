// A task graph of 100,000 tasks and 300,000 dependencies, drawn task by task. The gates are of `docs/architecture.md`, "Dense
// views".
//
// - layout_ms: from opening to the picture, by the clock; layout_script_ms: of it, script of the main thread, and its longest
//   part. The layout is computed in another thread.
// - layout_without_thread_ms: the same where a page allows no Worker.
// - grow_ms: from 1,000 more tasks to the picture.
// - pan_ms_p95: script for a frame while panning: zoomed in to some hundred tasks, to about as many dependencies as are drawn,
//   and with everything in view.
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { rolldown } from 'rolldown';
import { CHROMIUM_FLAGS, provideChromium } from '../../scripts/lib/chromium.mjs';
import { ROOT } from '../../scripts/lib/environment.mjs';
import { median, p95 } from './_frames.mjs';

const TASKS = 100_000;
const MORE = 1_000;
const FRAMES = 200;
const LAYOUT_GATE = 3000;
const PAN_GATE = 5;
const VIEWPORT = { width: 1500, height: 1020 };

/** @param {string} name @param {number} value @param {number | null} baseline @param {object} [more] */
function report(name, value, baseline, more = {}) {
  const ratio = baseline === null ? null : Number((value / baseline).toFixed(3));
  console.log(
    JSON.stringify({ bench: 'graph', name, value: Number(value.toPrecision(4)), unit: 'ms', baseline, ratio, ...more })
  );
}

/** Files of the page by path. @type {Map<string, string>} */
const files = new Map();
// A page of a file has no Worker.
const server = createServer((request, response) => {
  const path = request.url ?? '/';
  const text = files.get(path);
  const type = path.endsWith('.js') ? 'text/javascript' : path.endsWith('.css') ? 'text/css' : 'text/html';
  response.writeHead(text === undefined ? 404 : 200, { 'content-type': type }).end(text);
});

const folder = await mkdtemp(join(tmpdir(), 'dask-panes-bench-'));
const browser = await chromium.launch({ executablePath: await provideChromium({ whole: true }), args: CHROMIUM_FLAGS });
try {
  for (const [input, name] of [
    [join('test', 'bench', '_graph-page.ts'), 'page.js'],
    [join('src', 'views', 'graph', 'layout-worker.ts'), 'layout-worker.js']
  ]) {
    const bundle = await rolldown({ input: join(ROOT, input) });
    await bundle.write({ file: join(folder, name), format: name === 'page.js' ? 'es' : 'iife' });
    files.set(`/${name}`, readFileSync(join(folder, name), 'utf8'));
  }
  const styles = ['base.css', 'views.css', 'graph.css'];
  for (const name of styles) {
    files.set(`/${name}`, readFileSync(join(ROOT, 'style', name), 'utf8'));
  }
  files.set(
    '/',
    `<!doctype html><meta charset="utf-8">${styles.map(name => `<link rel="stylesheet" href="/${name}">`).join('')}
<style>html, body { height: 100%; margin: 0; }</style><body><script type="module" src="/page.js"></script></body>`
  );
  await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(null)));
  const address = server.address();
  const page = await browser.newPage({ viewport: VIEWPORT });
  page.on('pageerror', error => {
    throw error;
  });
  await page.goto(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`);
  await page.evaluate('bench.load(5000, true)');
  for (const [name, threads] of /** @type {const} */ ([
    ['layout', true],
    ['layout_without_thread', false]
  ])) {
    const first = /** @type {{ clock: number, script: number, longest: number }} */ (
      await page.evaluate(`bench.load(${TASKS}, ${threads})`)
    );
    report(`${name}_ms`, first.clock, threads ? LAYOUT_GATE : null);
    report(`${name}_script_ms`, first.script, null, { longest: Number(first.longest.toPrecision(3)) });
    const grown = /** @type {{ clock: number, script: number, longest: number }} */ (await page.evaluate(`bench.grow(${MORE})`));
    report(`${name.replace('layout', 'grow')}_ms`, grown.clock, null, { script: grown.script, longest: grown.longest });
  }
  for (const [name, zoom] of /** @type {const} */ ([
    // How many times as much is shown.
    ['pan', 1 / 12],
    ['pan_lines', 1 / 6],
    ['pan_all', 1]
  ])) {
    const times = /** @type {number[]} */ (await page.evaluate(`bench.pan(${FRAMES}, ${zoom})`));
    report(`${name}_ms_p95`, p95(times), PAN_GATE);
    report(`${name}_ms_median`, median(times), null);
  }
  if (process.env.PICTURE !== undefined) {
    await page.screenshot({ path: process.env.PICTURE });
  }
} finally {
  await browser.close();
  server.close();
  await rm(folder, { recursive: true });
}
