// `npm run bench`, `npm run bench -- streams`, `npm run bench -- turns`, `npm run bench -- scale`, `npm run bench -- cluster`, `npm run
// bench -- operators`, `npm run bench -- proxy`, `npm run bench -- trust`, `npm run bench -- telemetry`, `npm run bench -- start`, `npm run bench -- memory`, `npm run bench -- children`, `npm run bench -- instructions`:
// compiles, then measures in this process. bench/src/main.ts defines the other options.
import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { build } from './tools.mjs';

requireNode();
const [, , name = ''] = process.argv;
const main = [
  'streams',
  'turns',
  'scale',
  'cluster',
  'operators',
  'proxy',
  'trust',
  'telemetry',
  'start',
  'memory',
  'children',
  'instructions',
].includes(name)
  ? name
  : 'main';
if (await build({ typed: ['bench'] })) await import(`../bench/dist/${main}.js`);
else process.exitCode = 1;
