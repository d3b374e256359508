// `npm run chaos`: runs the long form of the chaos test. `npm run chaos -- poison` runs another kind, and `-- all` runs each kind, one
// after the other. It uses a data file with `--sqlite`, and otherwise a Redis that it starts. `CHAOS_SEED=<number>` repeats a run.
import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { failedFor, reportCounts } from './report-counts.mjs';
import { runVitest } from './run-vitest.mjs';
import { build } from './tools.mjs';

/** @type {Readonly<Record<string, string>>} */
const KINDS = {
  kill: 'test/chaos/chaos.test.ts',
  proxy: 'test/chaos/proxy.test.ts',
  ...Object.fromEntries(
    ['poison', 'liveness', 'deploy', 'schedules', 'outage', 'full', 'cut'].map((kind) => [kind, `test/chaos/kinds/${kind}.test.ts`]),
  ),
};
/** A data file is never away, and what fills it is seen in `test/faults/processes/full-store`. */
const ON_SQLITE = ['kill', 'proxy', 'poison', 'liveness', 'deploy', 'schedules'];

requireNode();
const given = process.argv.slice(2);
const isOnSqlite = given.includes('--sqlite');
const [kind = 'kill', ...args] = given.filter((arg) => arg !== '--sqlite');
const known = isOnSqlite ? ON_SQLITE : Object.keys(KINDS);
const kinds = kind === 'all' ? known : known.filter((name) => name === kind);

await reportCounts(async () => {
  if (kinds.length === 0) return failedFor(`There is no kind "${kind}". Say one of: ${known.join(', ')}, all.`);
  if (!(await build())) return failedFor('it does not compile');
  const files = kinds.map((name) => KINDS[name] ?? '');
  const project = isOnSqlite ? 'sqlite' : 'integration';
  // One at a time: what is measured is the run's own.
  return runVitest(['--no-file-parallelism', '--project', project, ...files, ...args], { LONGHAUL_TEST_LONG: '1' });
});
