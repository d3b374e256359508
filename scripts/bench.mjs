// `npm run bench`: compiles, then measures in this process. Options are those of bench/src/main.ts.
import { requireNode } from '../bin/node-version.mjs';
import { build } from './tools.mjs';

requireNode();
if (await build()) await import('../bench/dist/main.js');
else process.exitCode = 1;
