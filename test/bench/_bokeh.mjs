// The same rectangles in a figure of Bokeh, in the page of the timeline benchmark.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { environment, tool } from '../../scripts/lib/environment.mjs';

const SCRIPTS = ['bokeh.min.js', 'bokeh-api.min.js'];

/** @returns {string | null} where the package Bokeh of our Python has its scripts, `null` without the package */
function folderOfBokeh() {
  const code = 'import bokeh, os; print(os.path.join(os.path.dirname(bokeh.__file__), "server", "static", "js"))';
  const { status, stdout } = spawnSync(tool('python'), ['-c', code], { env: environment(), encoding: 'utf8' });
  const folder = stdout.trim();
  return status === 0 && SCRIPTS.every(name => existsSync(join(folder, name))) ? folder : null;
}

/** What is used of BokehJS. Run in the page. */
function showFigure() {
  const { Bokeh, bench, document } = /** @type {any} */ (globalThis);
  const { left, right, lane, prefix } = bench.rectangles();
  const colours = ['#1f77b4', '#ff7f0e', '#2ca02c', '#d62728', '#9467bd', '#8c564b', '#e377c2', '#7f7f7f', '#bcbd22', '#17becf'];
  const figure = new Bokeh.Plotting.figure({ width: 1400, height: 900, output_backend: 'canvas', tools: '' });
  figure.quad({
    ...{ left: [...left], right: [...right] },
    bottom: Array.from(lane, number => number),
    top: Array.from(lane, number => number + 0.9),
    color: Array.from(prefix, number => colours[number % colours.length]),
    line_color: null
  });
  const end = left.reduce((/** @type {number} */ most, /** @type {number} */ each) => Math.max(most, each), 0);
  figure.x_range.setv({ start: 0, end });
  const node = document.createElement('div');
  node.style.cssText = 'position: fixed; inset: 0; background: white;';
  document.body.append(node);
  bench.bokeh = { figure, node, end };
  return Bokeh.Plotting.show(figure, node).then(() => undefined);
}

/** Pan by 4 of 1,400 columns, `count` times. Run in the page. */
async function panFigure(/** @type {number} */ count) {
  const { bench, requestAnimationFrame } = /** @type {any} */ (globalThis);
  const { figure, end } = bench.bokeh;
  for (let i = 1; i <= count; i++) {
    const start = (-4 * i * end) / 1400;
    figure.x_range.setv({ start, end: start + end });
    // It paints in a frame that it asks for in a frame.
    for (let frame = 0; frame < 3; frame++) {
      await new Promise(resolve => requestAnimationFrame(resolve));
    }
  }
}

/**
 * @param {import('@playwright/test').Page} page - with a loaded run
 * @param {number} count - pan steps
 * @param {() => Promise<number>} spent - CPU of the main thread since its last call
 * @returns {Promise<number | null>} ms of CPU for one pan step; `null` without Bokeh
 */
export async function panOfBokeh(page, count, spent) {
  const folder = folderOfBokeh();
  if (folder === null) {
    return null;
  }
  for (const name of SCRIPTS) {
    await page.addScriptTag({ path: join(folder, name) });
  }
  await page.evaluate(showFigure);
  await page.evaluate(panFigure, 1);
  await spent();
  await page.evaluate(panFigure, count);
  return (await spent()) / count;
}
