import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.ts'],
    environment: 'node',
    setupFiles: ['test/setup/dom.ts'],
    // Two processes: enough for a small machine's cores, and the browser tests keep theirs.
    maxWorkers: 2,
    // Ends a hanging test. The duration of a test is not a result: it depends on other load of the machine.
    testTimeout: 60_000,
    restoreMocks: true
  }
});
