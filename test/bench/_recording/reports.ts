/**
 * Rows about reports: how large the file of 100,000 tasks is and how soon its first view stands in a real Chromium, from
 * disk and without a network; ours beside Dask's own of the same tasks, in the same run.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from '@playwright/test';
import { tool } from '../../../scripts/lib/environment.mjs';
import { FOLDER, report } from './report';

const ROUNDS = 5;
const VIEWPORT = { width: 1400, height: 900 };
/** A text that only the painted summary has, by file. */
const SUMMARIES = { ours: 'Time by action', dask: 'number of tasks: 100000' } as const;

/** Looks at every frame for a text, also in shadow trees, where Bokeh draws; runs in the page before its own scripts. */
function watch(wanted: string): void {
  const has = (root: Element | ShadowRoot | null): boolean =>
    root !== null &&
    ((root.textContent ?? '').includes(wanted) || [...root.querySelectorAll('*')].some(node => has(node.shadowRoot)));
  const look = (): void => {
    // Not in the whole page: the data of a report, in its scripts, have the text, too.
    const drawn = document.querySelector('main, .bk-Tabs');
    if (has(drawn) || has(drawn?.shadowRoot ?? null)) {
      // This frame is painted after the callback: when the next one begins, it stands.
      requestAnimationFrame(() => performance.mark('first-view'));
    } else {
      requestAnimationFrame(look);
    }
  };
  requestAnimationFrame(look);
}

/** @returns ms from the start of the navigation to the painted summary */
async function firstView(browser: Browser, file: string, wanted: string): Promise<number> {
  const context = await browser.newContext({ offline: true, viewport: VIEWPORT });
  const page = await context.newPage();
  await page.addInitScript(watch, wanted);
  await page.goto(pathToFileURL(file).href, { waitUntil: 'commit' });
  const handle = await page.waitForFunction(() => performance.getEntriesByName('first-view')[0]?.startTime ?? 0);
  const time = await handle.jsonValue();
  await context.close();
  return time;
}

/** Size of a file, and the median of the times to its first view. */
async function measure(browser: Browser, file: string, wanted: string): Promise<{ bytes: number; ms: number }> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    times.push(await firstView(browser, file, wanted));
  }
  times.sort((a, b) => a - b);
  return { bytes: statSync(file).size, ms: times[(ROUNDS - 1) / 2] };
}

/** Write both reports and open them. */
export async function measureReports(browser: Browser): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dask-panes-bench-'));
  try {
    execFileSync(tool('python'), [join(FOLDER, 'reports.py'), folder], { stdio: ['ignore', 'ignore', 'inherit'] });
    const dask = await measure(browser, join(folder, 'dask.html'), SUMMARIES.dask);
    const ours = await measure(browser, join(folder, 'ours.html'), SUMMARIES.ours);
    report('report_100k_bytes', ours.bytes, 'B', dask.bytes);
    report('report_100k_first_view_ms', ours.ms, 'ms', Number(dask.ms.toFixed(2)));
    report('dask_report_100k_bytes', dask.bytes, 'B', null);
    report('dask_report_100k_first_view_ms', dask.ms, 'ms', null);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
