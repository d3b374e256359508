// Run by npm after it has installed: removes the headers that come with the bundled Node, which are for compiling add-ons, as
// nothing here does. An installation without scripts keeps them, and works the same. Any Node that runs npm runs this.
import { readdirSync, rmSync } from 'fs';
import { fileURLToPath } from 'url';

var packages = fileURLToPath(new URL('../node_modules/node/node_modules', import.meta.url));
try {
  readdirSync(packages).forEach(function (name) {
    rmSync(packages + '/' + name + '/include', { recursive: true, force: true });
  });
} catch {
  // Without development tools there is none.
}
