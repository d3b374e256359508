// `npm run chaos`: the long form of the chaos test; `CHAOS_SEED=<number>` repeats a run. It starts its own Redis.
import { requireNode } from '../bin/node-version.mjs';
import { build, tool } from './tools.mjs';

requireNode();
process.exitCode = (await build()) ? await tool('vitest', ['run', 'test/chaos', ...process.argv.slice(2)], { CHAOS_LONG: '1' }) : 1;
