// `npm run chaos`: the long form of the chaos test; `npm run chaos -- poison` another kind of run, `-- all` each of them, one
// after the other. `CHAOS_SEED=<number>` repeats a run. It starts its own Redis.
import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { failedFor, reportCounts, runVitest } from './run-vitest.mjs';
import { build } from './tools.mjs';

/** @type {Readonly<Record<string, string>>} */
const KINDS = {
  kill: 'test/chaos/chaos.test.ts',
  ...Object.fromEntries(['poison', 'liveness', 'deploy', 'outage', 'full'].map((kind) => [kind, `test/chaos/kinds/${kind}.test.ts`])),
};

requireNode();
const [kind = 'kill', ...args] = process.argv.slice(2);
const files = kind === 'all' ? Object.values(KINDS) : [KINDS[kind] ?? ''];

await reportCounts(async () => {
  if (files.includes('')) return failedFor(`There is no kind "${kind}". Say one of: ${Object.keys(KINDS).join(', ')}, all.`);
  if (!(await build())) return failedFor('it does not compile');
  // One at a time: what is measured is the run's own.
  return runVitest(['--no-file-parallelism', ...files, ...args], { LONGHAUL_TEST_LONG: '1' });
});
