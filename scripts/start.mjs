// `npm start`: builds changed sources (about a second), then runs the command line in this process. So no shell or script stands between
// npm's signals and the launcher.
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
