import { defineConfig } from '@playwright/test';
import { CHROMIUM_FLAGS, findChromium } from './scripts/lib/chromium.mjs';

const chromium = findChromium();

export default defineConfig({
  globalSetup: './test/e2e/harness/server.ts',
  outputDir: 'test-results/e2e',
  // One JupyterLab, and kernels with clusters beside it: two tests at a time would measure each other.
  workers: 1,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  timeout: 120_000,
  expect: { timeout: 20_000 },
  use: {
    viewport: { width: 1600, height: 1000 },
    launchOptions: { args: CHROMIUM_FLAGS, ...(chromium === null ? {} : { executablePath: chromium }) },
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure'
  },
  projects: [
    { name: 'e2e', testDir: 'test/e2e', testMatch: '**/*.spec.ts' },
    // Started by `npm run test:culling`, which gives the server a culler.
    { name: 'culling', testDir: 'test/culling', testMatch: '**/*.spec.ts' },
    // Started by `npm run test:faults`: minutes each.
    { name: 'faults', testDir: 'test/faults', testMatch: '**/*.spec.ts' },
    // Started by `npm run test:soak`: hours. A trace would grow with them.
    { name: 'soak', testDir: 'test/soak', testMatch: '**/*.spec.ts', use: { trace: 'off' } },
    // Started by `npm run bench`: figures, not checks. A trace films the page and copies its DOM, which costs a core.
    { name: 'bench', testDir: 'test/bench', testMatch: '**/*.bench.ts', use: { trace: 'off', screenshot: 'off' } }
  ]
});
