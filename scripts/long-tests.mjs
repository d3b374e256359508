// Tests that take too long for `npm test`, by their paths or folders.

/** Run in the long form only: what they show, shorter tests show as well, one thing at a time; or they measure, or install. */
export const ONLY_LONG = [
  'test/agent/killed.test.ts',
  'test/cli/stdio-survival.test.ts',
  'test/clocks',
  'test/cluster/contracts.test.ts',
  'test/cluster/lost-writes.test.ts',
  'test/distribution/bundle.test.ts',
  'test/docs/fresh-copy.test.ts',
  'test/isolation/innocents.test.ts',
  'test/isolation/outages.test.ts',
  'test/neighbours',
  'test/reference-servers/killed.test.ts',
  'test/reference-servers/memory-large.test.ts',
  'test/waiting',
  // They start the servers of others beside ours, some of which need Python.
  'test/everything/side-by-side.test.ts',
  'test/reference-servers/fetch-side-by-side.test.ts',
  'test/reference-servers/git-side-by-side.test.ts',
  'test/reference-servers/memory-side-by-side.test.ts',
  'test/reference-servers/sequential-thinking-side-by-side.test.ts',
  'test/reference-servers/time-side-by-side.test.ts',
];

/** All that have a long form: see test/support/scale.ts. */
export const LONG = [
  ...ONLY_LONG,
  'libs/tasks/src/replay/long-tasks.unit.test.ts',
  'test/browser/operator/exercise.test.ts',
  'test/browser/operator/live.test.ts',
  'test/fuzz',
  'test/integration/gateway-2026/listening-ends.test.ts',
  'test/integration/outage',
  'test/integration/sweep.test.ts',
  'test/isolation/poison.test.ts',
  'test/operator/exercise',
  'test/properties/isolation.test.ts',
];
