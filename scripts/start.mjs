// `npm start`: builds what has changed (about a second), then hands over to the command line in this very process,
// so that no shell or script stands between npm's signals and the launcher.
import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { build } from './tools.mjs';

requireNode();
if (await build()) {
  process.argv.splice(2, 0, 'start');
  await import('../bin/longhaul.mjs');
} else {
  process.stderr.write('Longhaul cannot be built: see the errors above.\n');
  process.exitCode = 1;
}
