import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.ts'],
    environment: 'node',
    setupFiles: ['test/setup/dom.ts'],
    // Two processes: enough for the cores of a small machine, and the browser tests of others keep theirs.
    maxWorkers: 2,
    restoreMocks: true
  }
});
