// `npm run --silent stdio`: serves MCP on standard input and output, for desktop clients. It builds only parts that were never built,
// because clients do not wait long. It reports this on standard error, because everything on standard output is a message.
import { existsSync } from 'node:fs';

import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { root } from './root.mjs';
import { build } from './tools.mjs';

requireNode();
const isBuilt = existsSync(`${root}/apps/cli/dist/main.js`);
if (isBuilt || (await build())) {
  process.argv.splice(2, 0, 'stdio');
  await import('../bin/longhaul.mjs');
} else {
  process.stderr.write('Longhaul cannot be built: see the errors above.\n');
  process.exitCode = 1;
}
