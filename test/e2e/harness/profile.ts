/** The browser of a Playwright process: one profile for all its tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, PlaywrightWorkerArgs, PlaywrightWorkerOptions, WorkerInfo } from '@playwright/test';

/** Timeout in milliseconds of a click or a page load; an otherwise idle machine needs one or two seconds. */
const ACTION = 90_000;

/**
 * Start a browser that keeps its cache on disk, with JupyterLab's compiled scripts in it: a page then costs half as much CPU
 * as in a separate context. JupyterLab stores user state on the server, by workspace, so tests share only the cache.
 *
 * @param use - receives the browser, which is closed when it returns
 */
export async function withProfile(
  { playwright, launchOptions }: Pick<PlaywrightWorkerArgs & PlaywrightWorkerOptions, 'playwright' | 'launchOptions'>,
  use: (profile: BrowserContext) => Promise<void>,
  info: WorkerInfo
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dask-panes-chromium-'));
  const { viewport } = info.project.use;
  const profile = await playwright.chromium.launchPersistentContext(folder, { ...launchOptions, viewport });
  profile.setDefaultTimeout(ACTION);
  profile.setDefaultNavigationTimeout(ACTION);
  try {
    await use(profile);
  } finally {
    await profile.close();
    // The browser may write a last file meanwhile.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
