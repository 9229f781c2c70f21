/** The browser of a process of Playwright: one profile for all its tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, PlaywrightWorkerArgs, PlaywrightWorkerOptions, WorkerInfo } from '@playwright/test';

/** Milliseconds that a click or the load of a page may take; a machine with nothing else to do needs one second or two. */
const ACTION = 90_000;

/**
 * Start a browser that keeps its cache on disk, with JupyterLab's compiled scripts in it: a page then costs half as much CPU
 * as in a context of its own. What JupyterLab keeps of a person is on the server, by workspace, so tests share no more than that.
 *
 * @param use - gets the browser; its end ends the browser
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
