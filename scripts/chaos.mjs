// `npm run chaos`: the long form of the chaos test; `npm run chaos -- poison` another kind of run, `-- all` each of them, one
// after the other. `CHAOS_SEED=<number>` repeats a run. It starts its own Redis.
import { requireNode } from '../bin/node-version.mjs';
import { build, tool } from './tools.mjs';

/** @type {Readonly<Record<string, string>>} */
const KINDS = {
  kill: 'test/chaos/chaos.test.ts',
  ...Object.fromEntries(['poison', 'liveness', 'deploy', 'outage', 'full'].map((kind) => [kind, `test/chaos/kinds/${kind}.test.ts`])),
};

requireNode();
const [kind = 'kill', ...args] = process.argv.slice(2);
const files = kind === 'all' ? Object.values(KINDS) : [KINDS[kind] ?? ''];
if (files.includes('')) {
  process.stderr.write(`There is no kind "${kind}". Say one of: ${Object.keys(KINDS).join(', ')}, all.\n`);
  process.exitCode = 2;
} else {
  const ready = await build();
  // One at a time: what is measured is the run's own.
  process.exitCode = ready ? await tool('vitest', ['run', '--no-file-parallelism', ...files, ...args], { CHAOS_LONG: '1' }) : 1;
}
