// `npm start`: builds what has changed (about a second), then hands over to the command line in this very process,
// so that no shell or script stands between npm's signals and the launcher.
import { existsSync } from 'node:fs';

import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { build, root } from './tools.mjs';

requireNode();
// An installation without development tools runs what was built before.
const compiles = existsSync(`${root}/node_modules/typescript`) ? await build() : true;
if (compiles) {
  process.argv.splice(2, 0, 'start');
  await import('../bin/longhaul.mjs');
} else {
  process.stderr.write('Longhaul cannot be built: see the errors above.\n');
  process.exitCode = 1;
}
