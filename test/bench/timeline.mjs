// The timeline at its gates (`docs/architecture.md`, "Dense views"): main-thread CPU per frame while it follows, pans and
// zooms with tasks arriving, memory a task, append and hit-test times, and whether a moved picture is exact.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import { rolldown } from 'rolldown';
import { CHROMIUM_FLAGS, provideChromium } from '../../scripts/lib/chromium.mjs';
import { ROOT } from '../../scripts/lib/environment.mjs';
import { panOfBokeh } from './_bokeh.mjs';
import { framesOf, layeringsOf, longestTaskOf, median, p95 } from './_frames.mjs';

const SIZES = { tasks: 5_000_000, lanes: 2000, rate: 20_000 };
const FRAMES = 150;
const BRUSHES = 20;
/** Frames of 20,000 tasks beyond the limit, and pauses. */
const DROPS = 32;
const PAUSES = 10;
const HITS = 100_000;
/** Frames of 10,000 tasks. */
const LARGE_FRAMES = 20;
/** What both programs draw, and how often it is moved. */
const COMPARED = { tasks: 100_000, lanes: 2000, rate: 0 };
const COMPARED_STEPS = 20;
const VIEWPORT = { width: 1500, height: 1020 };

/**
 * @param {string} name
 * @param {number} value
 * @param {string} unit
 * @param {number | null} baseline - the gate, or what Bokeh needs
 */
function report(name, value, unit, baseline) {
  const ratio = baseline === null ? null : value / baseline;
  console.log(JSON.stringify({ bench: 'timeline', name, value: Number(value.toPrecision(4)), unit, baseline, ratio }));
}

/**
 * A page with the benchmark in it.
 *
 * @param {string} folder - where it is written
 * @returns {Promise<string>} its address
 */
async function build(folder) {
  const bundle = await rolldown({ input: join(ROOT, 'test', 'bench', '_timeline-page.ts') });
  await bundle.write({ file: join(folder, 'page.js'), format: 'iife' });
  const styles = ['timeline.css', 'timeline-controls.css', 'timeline-minimap.css', 'selection.css'].map(
    name => pathToFileURL(join(ROOT, 'style', name)).href
  );
  const page = `<!doctype html><meta charset="utf-8">${styles.map(href => `<link rel="stylesheet" href="${href}">`).join('')}
<style>html, body { height: 100%; margin: 0; }</style><body><script src="page.js"></script></body>`;
  await writeFile(join(folder, 'index.html'), page);
  return pathToFileURL(join(folder, 'index.html')).href;
}

/**
 * @param {import('@playwright/test').Page} page
 * @returns {Promise<() => Promise<number>>} CPU time of the page's main thread since its last call, in ms
 */
async function mainThread(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  let last = 0;
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const total = (metrics.find(metric => metric.name === 'TaskDuration')?.value ?? 0) * 1000;
    const spent = total - last;
    last = total;
    return spent;
  };
}

/**
 * Statistics of a brush over a million tasks, several times at different places: CPU time of the page's main thread, and
 * time by the clock, which on a loaded machine says little.
 *
 * @param {import('@playwright/test').Page} page
 * @param {() => Promise<number>} spent
 */
async function selecting(page, spent) {
  const rounds = [];
  const cpu = [];
  for (let round = 0; round < BRUSHES; round++) {
    await spent();
    rounds.push(
      /** @type {{ all: number, step: number, count: number }} */ (await page.evaluate(`bench.select(1000000, ${round})`))
    );
    cpu.push(await spent());
  }
  report('select_cpu_ms_p95', p95(cpu), 'ms', 50);
  report('select_cpu_ms_median', median(cpu), 'ms', null);
  report('select_ms_p95', p95(rounds.map(({ all }) => all)), 'ms', 250);
  report('select_step_ms_p95', p95(rounds.map(({ step }) => step)), 'ms', 4);
  const longest = [];
  for (let round = 0; round < BRUSHES; round++) {
    longest.push(await longestTaskOf(page, () => page.evaluate(`bench.selectInTasks(1000000, ${round})`)));
  }
  // By the clock, a step is as long as what other programs take meanwhile.
  report('select_step_cpu_ms_p95', p95(longest), 'ms', 4);
  report('selected_tasks', p95(rounds.map(({ count }) => count)), 'tasks', null);
  const shown = [];
  for (let round = 0; round < BRUSHES; round++) {
    await spent();
    await page.evaluate(`bench.panel(1000000, ${round})`);
    shown.push(await spent());
  }
  // The same with the panel that shows it, laid out: what is above `select_cpu_ms` are its elements.
  report('panel_cpu_ms_p95', p95(shown), 'ms', null);
  report('panel_cpu_ms_median', median(shown), 'ms', null);
}

/**
 * Searches of the newest million tasks, by function, worker, state and duration: counted, and the first one found.
 *
 * @param {import('@playwright/test').Page} page
 */
async function searching(page) {
  const rounds = [];
  for (let round = 1; round <= BRUSHES; round++) {
    rounds.push(/** @type {{ all: number, step: number, count: number }} */ (await page.evaluate(`bench.search(${round})`)));
  }
  report('search_ms_p95', p95(rounds.map(({ all }) => all)), 'ms', 100);
  report('search_step_ms_p95', p95(rounds.map(({ step }) => step)), 'ms', 4);
}

/**
 * Frames of 10,000 tasks over all lanes, with the summaries of each lane: half a second of the full rate at once.
 *
 * @param {import('@playwright/test').Page} page
 * @param {() => Promise<number>} spent
 */
async function appending(page, spent) {
  await page.evaluate(`bench.prepare(${LARGE_FRAMES})`);
  await spent();
  await page.evaluate('bench.appendLarge()');
  report('append_10k_ms', (await spent()) / LARGE_FRAMES, 'ms', 2);
  await page.evaluate('bench.show()');
}

/**
 * The same 100,000 rectangles here and in Bokeh: CPU time of a pan step, as a share of that of Bokeh.
 *
 * @param {import('@playwright/test').Page} page
 * @param {() => Promise<number>} spent
 */
async function comparing(page, spent) {
  await page.evaluate(`bench.load(${JSON.stringify(COMPARED)})`);
  await page.evaluate('bench.fit()');
  await page.evaluate('bench.pan(5)');
  await spent();
  await page.evaluate(`bench.pan(${COMPARED_STEPS})`);
  const own = (await spent()) / COMPARED_STEPS;
  report('compared_pan_ms', own, 'ms', null);
  const theirs = await panOfBokeh(page, COMPARED_STEPS, spent);
  if (theirs === null) {
    console.error('bokeh_pan_ratio: the package bokeh is not in the Python environment');
    return;
  }
  report('bokeh_pan_ms', theirs, 'ms', null);
  report('bokeh_pan_ratio', own / theirs, '', null);
}

/**
 * A run at its limit: what is dropped leaves sums, and a pause costs next to nothing.
 *
 * @param {import('@playwright/test').Page} page
 * @param {() => Promise<number>} spent
 */
async function atTheLimit(page, spent) {
  await spent();
  report('dropping_bytes_per_task', Number(await page.evaluate(`bench.dropping(${DROPS})`)), 'B', 30);
  report('dropping_append_10k_ms', (await spent()) / (2 * DROPS), 'ms', null);
  const session = await page.context().newCDPSession(page);
  const used = async () => {
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize, backingStorageSize = 0 } = await session.send('Runtime.getHeapUsage');
    return usedSize + backingStorageSize;
  };
  await page.evaluate('bench.pause(3)');
  const before = await used();
  const rounds = [];
  for (let round = 0; round < PAUSES; round++) {
    await spent();
    await page.evaluate('bench.pause(1)');
    rounds.push(await spent());
  }
  const after = await used();
  report('pause_cpu_ms_median', median(rounds), 'ms', 10);
  report('pause_mb', (after - before) / PAUSES / 1e6, 'MB', 5);
}

const folder = await mkdtemp(join(tmpdir(), 'dask-panes-bench-'));
const browser = await chromium.launch({ executablePath: await provideChromium({ whole: true }), args: CHROMIUM_FLAGS });
try {
  const address = await build(folder);
  const openPage = async () => {
    const page = await browser.newPage({ viewport: VIEWPORT });
    page.on('pageerror', error => {
      throw error;
    });
    await page.goto(address);
    return page;
  };
  const page = await openPage();
  const spent = await mainThread(page);
  /** @param {string} act @param {number} [frames] */
  const perFrame = async (act, frames = FRAMES) => {
    await spent();
    const begin = performance.now();
    await page.evaluate(`bench.${act}(${frames})`);
    const wall = performance.now() - begin;
    return { main: (await spent()) / frames, fps: (frames * 1000) / wall };
  };

  const bytes = await page.evaluate(`bench.load(${JSON.stringify(SIZES)})`);
  report('bytes_per_task', Number(bytes), 'B', 30);
  const loaded = /** @type {{ milliseconds: number, rows: number }} */ (await page.evaluate('bench.loaded()'));
  // A recording of a million tasks is to be open within a second, of which half may go here.
  report('load_us_per_task', (loaded.milliseconds / loaded.rows) * 1000, 'µs', 0.5);
  await perFrame('follow', 30);
  /** @param {string} act @param {string} name @param {number | null} gate */
  const slowest = async (act, name, gate) => {
    const frames = await framesOf(page, () => page.evaluate(`bench.${act}(${FRAMES})`));
    report(`${name}_main_ms_p95`, p95(frames.map(({ main }) => main)), 'ms', gate);
  };
  // What the browser needs for any picture that moves, and what the page needs without one.
  const floor = await perFrame('floor');
  report('floor_main_ms', floor.main, 'ms', null);
  await slowest('floor', 'floor', null);
  const hidden = await perFrame('hidden');
  report('hidden_main_ms', hidden.main, 'ms', null);
  /** @param {string} suffix */
  const moving = async suffix => {
    for (const [act, gate] of /** @type {const} */ ([
      ['follow', 3],
      ['pan', 3],
      ['zoom', 8]
    ])) {
      if (act === 'zoom') {
        await page.evaluate('bench.followLive()');
      }
      const { main, fps } = await perFrame(act);
      report(`${act}${suffix}_main_ms`, main, 'ms', gate);
      report(`${act}${suffix}_fps`, fps, '1/s', 60);
      if (act === 'zoom') {
        await page.evaluate('bench.followLive()');
      }
      await slowest(act, `${act}${suffix}`, gate);
    }
  };
  report('follow_layerings', await layeringsOf(page, () => page.evaluate(`bench.follow(${FRAMES})`)), '1/frame', null);
  await moving('');
  const appended = await page.evaluate('bench.appended()');
  const { milliseconds, rows } = /** @type {{ milliseconds: number, rows: number }} */ (appended);
  // In small frames, one after each picture: what a row needs from memory is not in the cache any more.
  report('append_live_10k_ms', (milliseconds / rows) * 10_000, 'ms', null);
  await appending(page, spent);
  await spent();
  await page.evaluate(`bench.hitTest(${HITS})`);
  report('hit_test_us', ((await spent()) / HITS) * 1000, 'µs', 5);
  await selecting(page, spent);
  await searching(page);
  await page.evaluate('bench.followLive()');
  await page.evaluate('bench.furnish()');
  await perFrame('follow', 60);
  await moving('_with_selection');
  await page.evaluate('bench.followLive()');
  await perFrame('follow', 60);
  await page.evaluate('bench.pan(20)');
  const difference = await page.evaluate('bench.difference()');
  const { differing, painted } = /** @type {{ differing: number, painted: number }} */ (difference);
  report('differing_pixels', differing, 'pixels', null);
  report('painted_pixels', painted, 'pixels', null);
  report('strip_diff_share', differing / painted, '', 0.001);
  await atTheLimit(page, spent);
  await page.close();
  const other = await openPage();
  await comparing(other, await mainThread(other));
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}
