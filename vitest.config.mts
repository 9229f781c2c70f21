import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.ts'],
    environment: 'node',
    setupFiles: ['test/setup/dom.ts'],
    // Two processes: enough for the cores of a small machine, and the browser tests of others keep theirs.
    maxWorkers: 2,
    // Ends a test that hangs. How long one takes is no result: that depends on what else the machine does.
    testTimeout: 60_000,
    restoreMocks: true
  }
});
