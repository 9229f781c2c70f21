import { defineConfig } from '@playwright/test';
import { CHROMIUM_FLAGS, findChromium } from './scripts/lib/chromium.mjs';

const chromium = findChromium();

export default defineConfig({
  outputDir: 'test-results/e2e',
  // Benchmarks and long tests run alone; `npm test` starts three processes, each with a separate JupyterLab.
  workers: 1,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // A passing test stays far below these; a machine with a few slow, shared cores must not exceed them.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  use: {
    viewport: { width: 1600, height: 1000 },
    launchOptions: { args: CHROMIUM_FLAGS, ...(chromium === null ? {} : { executablePath: chromium }) },
    screenshot: 'only-on-failure',
    // A trace films the page and copies its DOM, which costs a core: only on request.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off'
  },
  projects: [
    { name: 'e2e', testDir: 'test/e2e', testMatch: '**/*.spec.ts' },
    // Started by `npm run test:pictures`: minutes of work.
    { name: 'pictures', testDir: 'test/pictures', testMatch: '**/*.spec.ts' },
    // Started by `npm run test:plots`: minutes.
    { name: 'plots', testDir: 'test/plots', testMatch: '**/*.spec.ts' },
    // Started by `npm run test:culling`, which gives the server a culler.
    { name: 'culling', testDir: 'test/culling', testMatch: '**/*.spec.ts' },
    // Started by `npm run test:labs`, which gives it other releases of JupyterLab and Notebook.
    { name: 'labs', testDir: 'test', testMatch: ['labs/*.spec.ts', 'e2e/output-keys.spec.ts', 'e2e/notebook7.spec.ts'] },
    // Started by `npm run test:faults`: minutes each.
    { name: 'faults', testDir: 'test/faults', testMatch: '**/*.spec.ts' },
    // Started by `npm run test:networks`, which provides the paths of the required programs.
    { name: 'networks', testDir: 'test/networks', testMatch: '**/*.spec.ts' },
    // Started by `npm run test:soak`: hours. A trace would grow with them.
    { name: 'soak', testDir: 'test/soak', testMatch: '**/*.spec.ts', use: { trace: 'off' } },
    // Started by `npm run bench`: figures, not checks.
    { name: 'bench', testDir: 'test/bench', testMatch: '**/*.bench.ts', use: { trace: 'off', screenshot: 'off' } }
  ]
});
