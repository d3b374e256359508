// `npm run build`: builds the packages and the operator page. `npm run build -- examples` compiles the examples as well, with their types.
import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { build } from './tools.mjs';

requireNode();
process.exitCode = (await build({ typed: process.argv.slice(2) })) ? 0 : 1;
