/** Playwright's `test` with a JupyterLab that is open. */
import { test as base, expect } from '@playwright/test';
import { Lab } from './lab';

/** Every test gets a JupyterLab with an empty workspace, and fails when this extension writes an error to the console. */
export const test = base.extend<{ lab: Lab }>({
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
