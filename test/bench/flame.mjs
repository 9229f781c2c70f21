// A flame graph of 50,000 boxes: the script of the page for one zoom, from the click to the picture, ordinary and compared.
// The gate is of `docs/architecture.md`, "Dense views".
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import { rolldown } from 'rolldown';
import { CHROMIUM_FLAGS, provideChromium } from '../../scripts/lib/chromium.mjs';
import { ROOT } from '../../scripts/lib/environment.mjs';
import { framesOf, median, p95 } from './_frames.mjs';

const BOXES = 50_000;
const ZOOMS = 200;
const GATE = 2;
const VIEWPORT = { width: 1500, height: 1020 };
const PICTURES = [
  ['', {}],
  ['left_heavy_', { arrangement: 'left-heavy' }],
  ['compared_', { prefix: 'load', against: 'rest' }]
];

/** @param {string} name @param {number} value @param {number | null} baseline */
function report(name, value, baseline) {
  const ratio = baseline === null ? null : value / baseline;
  console.log(JSON.stringify({ bench: 'flame', name, value: Number(value.toPrecision(4)), unit: 'ms', baseline, ratio }));
}

const folder = await mkdtemp(join(tmpdir(), 'dask-panes-bench-'));
const browser = await chromium.launch({ executablePath: await provideChromium({ whole: true }), args: CHROMIUM_FLAGS });
try {
  const bundle = await rolldown({ input: join(ROOT, 'test', 'bench', '_flame-page.ts') });
  await bundle.write({ file: join(folder, 'page.js'), format: 'iife' });
  const styles = ['base.css', 'views.css', 'flame.css'].map(name => pathToFileURL(join(ROOT, 'style', name)).href);
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><meta charset="utf-8">${styles.map(href => `<link rel="stylesheet" href="${href}">`).join('')}
<style>html, body { height: 100%; margin: 0; }</style><body><script src="page.js"></script></body>`
  );
  const page = await browser.newPage({ viewport: VIEWPORT });
  page.on('pageerror', error => {
    throw error;
  });
  await page.goto(pathToFileURL(join(folder, 'index.html')).href);
  await page.evaluate(`bench.load(${BOXES})`);
  for (const [name, options] of PICTURES) {
    await page.evaluate(`bench.choose(${JSON.stringify(options)})`);
    await page.evaluate('bench.zoom(20)');
    const frames = await framesOf(page, () => page.evaluate(`bench.zoom(${ZOOMS})`));
    // One frame with the click, and one in which it is drawn.
    const zooms = frames.flatMap((frame, i) => (i % 2 === 1 ? [{ click: frames[i - 1], frame }] : []));
    const script = zooms.map(({ click, frame }) => click.script + frame.script);
    report(`${name}zoom_ms_p95`, p95(script), GATE);
    report(`${name}zoom_ms_median`, median(script), null);
    // With layout, painting and what the browser itself does in two frames.
    report(`${name}zoom_main_ms_p95`, p95(zooms.map(({ click, frame }) => click.main + frame.main)), null);
  }
  if (process.env.PICTURE !== undefined) {
    await page.screenshot({ path: process.env.PICTURE });
  }
} finally {
  await browser.close();
  await rm(folder, { recursive: true });
}
