// `npm run bench`, `npm run bench -- streams`: compiles, then measures in this process. Other options are those of bench/src/main.ts.
import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { build } from './tools.mjs';

requireNode();
const streams = process.argv[2] === 'streams';
if (await build()) await import(streams ? '../bench/dist/streams.js' : '../bench/dist/main.js');
else process.exitCode = 1;
