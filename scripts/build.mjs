// `npm run build`: compiles the packages with their types, the operator page, the benchmark and the examples.
import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { build, PUBLISHED } from './tools.mjs';

requireNode();
process.exitCode = (await build({ typed: [...PUBLISHED, 'bench', 'examples'] })) ? 0 : 1;
