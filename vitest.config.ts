import { defineConfig } from 'vitest/config';

const source = { conditions: ['longhaul-source', 'node', 'import', 'default'] };

export default defineConfig({
  resolve: source,
  ssr: { resolve: source },
  test: {
    coverage: {
      provider: 'v8',
      include: ['libs/*/src/**', 'apps/*/src/**'],
      reporter: ['text-summary', 'json-summary'],
      // What decides and what replays is tested line by line; the rest is tested by what it does.
      thresholds: { 'libs/tasks/src/domain/**': { lines: 100 }, 'libs/tasks/src/replay/**': { lines: 100 } },
    },
    projects: [
      { extends: true, test: { name: 'unit', include: ['{libs,apps}/*/src/**/*.unit.test.ts', 'scripts/*.unit.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/**/*.test.ts'],
          // The kinds of runs of `npm run chaos` are shown by shorter tests of their own.
          exclude: ['test/containers/*.test.ts', ...(process.env['CHAOS_LONG'] === '1' ? [] : ['test/chaos/kinds/*.test.ts'])],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
    ],
  },
});
