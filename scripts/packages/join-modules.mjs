// Joins the compiled modules of each package, in `build`, into a few files in `dist`, beside its declarations: finding, reading and
// linking a file takes longer than running most of them, so a process starts in half the time. Packages stay apart: what features
// share with the apps, such as a class, is there once, and what is installed is imported as it is.
import { globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

import { root } from '../tools.mjs';
import { publishedWorkspaces } from './workspaces.mjs';

/** @typedef {import('./workspaces.mjs').Workspace} Workspace */

/** Modules that are started by their address, beside the module that starts them: which is at its place, or at the top. */
const STARTED = /** @type {Readonly<Record<string, readonly string[]>>} */ ({
  'apps/cli': ['main.js', 'processes/orphan-guard.js', 'processes/report-imports.js'],
  'apps/gateway': ['main.js', 'health-check.js'],
  'apps/operator': ['main.js'],
  'apps/worker': ['main.js', 'isolation/isolated.js', 'watchdog/watchdog-thread.js'],
  'libs/reference-servers': ['fetch/extraction-thread.js'],
});

/** Says from what the files of a package were made, and which they are. */
const RECORD = 'build/.joined.json';

/** Joins the modules of all packages that were compiled anew. */
export async function joinModules() {
  for (const workspace of publishedWorkspaces()) await joinPackage(workspace);
}

/** @param {Workspace} workspace */
async function joinPackage(workspace) {
  const folder = join(root, workspace.folder);
  const compiled = globSync('build/**/*.js', { cwd: folder });
  // An installation of some of the packages, such as an image, compiles no others.
  if (compiled.length === 0) return;
  const entries = entriesOf(workspace);
  const madeFrom = [...compiled.map((file) => join(folder, file)), fileURLToPath(import.meta.url)].map((file) => statSync(file).mtimeMs);
  const state = JSON.stringify([entries, compiled.length, Math.max(...madeFrom)]);
  const before = recordIn(folder);
  if (before?.state === state) return;
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(entries).map(([name, module]) => [name, join(folder, 'build', module)])),
    // Pages run packages too: nothing of Node.js is to be added.
    platform: 'neutral',
    external: (id) => !id.startsWith('.') && !id.startsWith(folder),
    plugins: [{ name: 'maps to sources', load: withMap }],
    treeshake: false,
  });
  const { output } = await bundle.write({
    dir: join(folder, 'dist'),
    format: 'esm',
    sourcemap: true,
    // A call whose value nobody uses may be there for what it throws.
    minify: false,
    // Without a hash, and with the names of what it exports: a process that runs goes on to find what it imports later.
    minifyInternalExports: false,
    chunkFileNames: '[name].js',
  });
  await bundle.close();
  const files = output.map(({ fileName }) => fileName);
  for (const file of before?.files ?? []) if (!files.includes(file)) rmSync(join(folder, 'dist', file), { force: true });
  writeFileSync(join(folder, RECORD), JSON.stringify({ state, files }));
}

/** @param {Workspace} workspace @returns {Readonly<Record<string, string>>} by their names in `dist`, the modules that are imported or started from outside */
function entriesOf({ folder, manifest: { exports = {}, bin = {} } }) {
  const paths = [...Object.values(exports).map((entry) => entry['default'] ?? ''), ...Object.values(bin)];
  const imported = paths.flatMap((path) => /^(?:\.\/)?dist\/(.+)$/.exec(path)?.[1] ?? []);
  const started = STARTED[folder] ?? [];
  const named = [...[...imported, ...started].map((module) => [module, module]), ...started.map((module) => [basename(module), module])];
  return Object.fromEntries(named.map(([name = '', module = '']) => [name.replace(/\.js$/, ''), module]));
}

/** @param {string} folder of a package, within the repository @returns {ReadonlySet<string>} the paths in it of what was joined, without maps */
export function joinedModules(folder) {
  const files = recordIn(join(root, folder))?.files ?? [];
  return new Set(files.filter((file) => file.endsWith('.js')).map((file) => `dist/${file}`));
}

/** @param {string} folder @returns {{ state: string, files: string[] } | undefined} */
function recordIn(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, RECORD), 'utf8'));
  } catch {
    return undefined; // Nothing was joined yet.
  }
}

/** @param {string} file @returns {{ code: string, map: string } | null} a compiled module with the map that leads to its source */
function withMap(file) {
  const code = readFileSync(file, 'utf8');
  return { code, map: readFileSync(`${file}.map`, 'utf8') };
}
