// `npm run bench [-- NAME] [OPTION…]`: compiles, then measures in this process. `--help` prints the options; bench/src/options.ts has the
// names of the benchmarks.
import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { NoRedis } from './redis-program.mjs';
import { build } from './tools.mjs';

requireNode();
if (await build({ typed: ['bench'] })) {
  const { chosenKind } = await import('../bench/dist/options.js');
  try {
    await import(`../bench/dist/${chosenKind(process.argv.slice(2))}.js`);
  } catch (error) {
    if (!(error instanceof NoRedis)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
} else process.exitCode = 1;
