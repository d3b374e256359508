import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { ONLY_LONG } from './scripts/long-tests.mjs';

const source = { conditions: ['longhaul-source', 'node', 'import', 'default'] };

/** Run by `npm run chaos`, with what it sets; the rest is run by `npm run test:long`. */
const EXCLUDED = ['test/chaos/kinds/*.test.ts', ...ONLY_LONG.map((folder) => `${folder}/**`)];

/** Suites in which it may matter where everything is kept: they run on a data file as well. See `test/support/stores/test-store.ts`. */
const ON_SQLITE = [
  'test/calls/in-process/given-up-calls.test.ts',
  'test/chaos/kinds/{poison,liveness,deploy,schedules}.test.ts',
  'test/deploys/in-process/drain.test.ts',
  'test/faults/long/innocents.test.ts',
  'test/faults/processes/{full-store,poison}/*.test.ts',
  'test/input/in-process/{client-requests,kept-questions,signals,task-input}.test.ts',
  'test/input/processes/signals.test.ts',
  'test/reference-servers/long/killed.test.ts',
  'test/sessions/in-process/session-jobs.test.ts',
  'test/streams/in-process/{resume,two-gateways}.test.ts',
  'test/tasks/in-process/{starting,webhooks}.test.ts',
];

/** The same, of suites that look at stores from far away: the contracts of the ports show in short what could differ. */
const ON_SQLITE_LONG = [
  'test/access/in-process/{expiry,owners,scope-matrix}.test.ts',
  'test/access/processes/owner-in-tasks/*.test.ts',
  'test/calls/in-process/long-calls.test.ts',
  'test/calls/in-process/plain-calls.test.ts',
  'test/calls/in-process/signs-of-life.test.ts',
  'test/chaos/{chaos,proxy}.test.ts',
  'test/deploys/long/*.test.ts',
  'test/features/in-process/{changed-lists,subscriptions}.test.ts',
  'test/input/in-process/{client-requests-ends,rounds,rounds-with-pages}.test.ts',
  'test/input/processes/question-links.test.ts',
  'test/proxy/processes/held.test.ts',
  'test/sessions/in-process/{session-lifecycle,session-values,sessions}.test.ts',
  'test/sessions/processes/session-jobs.test.ts',
  'test/streams/in-process/{close-stream,listening,listening-ends,push,streams}.test.ts',
  'test/streams/processes/streams.test.ts',
  'test/tasks/in-process/{both-generations,calling-tools,cancelled-creations,exposed-values,fractions-of-milliseconds}.test.ts',
  'test/tasks/in-process/{stateless-tasks,tasks,tasks-2026,without-extension}.test.ts',
  'test/tasks/long/waiting/*.test.ts',
  'test/tasks/processes/{large-values,modern-gateways,starters}.test.ts',
];

const isLong = process.env['LONGHAUL_TEST_LONG'] === '1';

/**
 * Ends what hangs. All tests have the same limits, far longer than they take on a busy machine: how fast something is, `npm run bench`
 * and `npm run chaos` show.
 */
const LIMITS = { testTimeout: 180_000, hookTimeout: 180_000, expect: { poll: { timeout: 60_000 } } };

const integration = {
  exclude: ['**/node_modules/**', 'test/containers/*.test.ts', ...(isLong ? [] : EXCLUDED)],
};

export default defineConfig({
  resolve: source,
  ssr: { resolve: source },
  test: {
    ...LIMITS,
    // Logs of servers, among others.
    silent: 'passed-only',
    // Files share a process and what it has loaded, which takes longer than most of their tests.
    isolate: false,
    // Most tests wait for processes rather than compute.
    maxWorkers: 2 * availableParallelism() + 1,
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
        test: { name: 'unit', include: ['{libs,apps,packages}/*/{src,page/src}/**/*.unit.test.ts', 'scripts/**/*.unit.test.ts'] },
      },
      {
        extends: true,
        test: { ...integration, name: 'integration', include: ['test/**/*.test.ts'], provide: { store: 'Redis' } },
      },
      {
        extends: true,
        test: { ...integration, name: 'sqlite', include: [...ON_SQLITE, ...(isLong ? ON_SQLITE_LONG : [])], provide: { store: 'SQLite' } },
      },
    ],
  },
});
