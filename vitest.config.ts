import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const source = { conditions: ['longhaul-source', 'node', 'import', 'default'] };

/** What these show, shorter tests show as well, one thing at a time; or it is a measurement. */
const ONLY_LONG = [
  'test/chaos/kinds/*.test.ts',
  'test/isolation/innocents.test.ts',
  'test/neighbours/*.test.ts',
  'test/reference-servers/memory-large.test.ts',
  // They need Python, and start servers of it.
  'test/reference-servers/{fetch,git,time}-side-by-side.test.ts',
  'test/docs/fresh-copy.test.ts',
  // Installs packages.
  'test/distribution/bundle.test.ts',
];

export default defineConfig({
  resolve: source,
  ssr: { resolve: source },
  test: {
    // Files share a process and what it has loaded, which takes longer than most of their tests.
    isolate: false,
    // Most tests wait for processes rather than compute.
    maxWorkers: availableParallelism() + 1,
    coverage: {
      provider: 'v8',
      include: ['libs/*/src/**', 'apps/*/src/**'],
      exclude: ['libs/*/src/testing/**'],
      reporter: ['text-summary', 'json-summary'],
      // What decides and what replays is tested line by line; the rest is tested by what it does.
      thresholds: { 'libs/tasks/src/domain/**': { lines: 100 }, 'libs/tasks/src/replay/**': { lines: 100 } },
    },
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['{libs,apps,packages}/*/src/**/*.unit.test.ts', 'scripts/*.unit.test.ts'], testTimeout: 30_000 },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'test/containers/*.test.ts', ...(process.env['LONGHAUL_TEST_LONG'] === '1' ? [] : ONLY_LONG)],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
    ],
  },
});
