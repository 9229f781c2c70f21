/** Playwright's `test` with an open JupyterLab. */
import { test as base, type BrowserContext, expect } from '@playwright/test';
import { Lab } from './lab';
import { withProfile } from './profile';
import { freshSettings, start } from './server';

/** Every test gets a JupyterLab with an empty workspace, and fails if this extension writes an error to the console. */
export const test = base.extend<{ lab: Lab }, { server: undefined; profile: BrowserContext }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern
    async ({}, use, { workerIndex }) => {
      const stop = await start(workerIndex);
      await use(undefined);
      await stop();
    },
    // Started within JupyterLab's own time, not that of the first test.
    { scope: 'worker', auto: true, timeout: 180_000 }
  ],
  profile: [
    ({ playwright, launchOptions }, use, info) => withProfile({ playwright, launchOptions }, use, info),
    { scope: 'worker' }
  ],
  context: async ({ profile }, use) => {
    freshSettings();
    await use(profile);
    await profile.setOffline(false);
    // A browser ends with its last page; the first one is its own.
    const [, ...opened] = profile.pages();
    await Promise.all(opened.map(page => page.close()));
  },
  page: async ({ context }, use) => {
    await use(await context.newPage());
  },
  lab: async ({ page }, use, info) => {
    const slug = info.titlePath.join(' ').replace(/\W+/g, '-').toLowerCase().slice(-60);
    const lab = new Lab(page, `${slug}-${info.repeatEachIndex}-${info.retry}`.replace(/^-/, ''));
    await lab.open();
    await use(lab);
    await lab.shutdownKernels();
    expect(lab.ownErrors()).toEqual([]);
  }
});

export { expect };
