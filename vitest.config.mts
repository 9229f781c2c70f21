import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const FILES = readdirSync('test/unit', { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.test.ts'))
  .map(file => `test/unit/${file}`)
  .sort();

/** Tests of pure code share the modules of their process; those with a page, or that replace modules, have their own. */
const alone = FILES.filter(file => /^\/\/ @vitest-environment jsdom|\bvi\.(?:do)?[mM]ock\(/m.test(readFileSync(file, 'utf8')));

const settings = {
  environment: 'node' as const,
  setupFiles: ['test/setup/dom.ts'],
  // Ends a hanging test. The duration of a test is not a result: it depends on other load of the machine.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  restoreMocks: true,
  unstubGlobals: true
};

export default defineConfig({
  test: {
    // Two processes: enough for a small machine's cores, and the browser tests keep theirs.
    maxWorkers: 2,
    projects: [
      // A context in a thread costs half as much CPU as a process.
      { test: { ...settings, name: 'alone', include: alone, isolate: true, pool: 'vmThreads' } },
      { test: { ...settings, name: 'pure', include: FILES.filter(file => !alone.includes(file)), isolate: false } }
    ]
  }
});
