// Joins the sources of each package into a few files in `dist`: finding, reading and linking a file takes longer than running most of them,
// so a process starts in half the time. Types are left out and not checked: `tsc` does that, and also writes the declarations. Packages
// stay separate: code that features share with the apps, such as a class, exists once, and installed packages are imported as they are.
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { rolldown } from 'rolldown';

import { root } from '../root.mjs';
import { publishedWorkspaces } from './workspaces.mjs';

/** @typedef {import('./workspaces.mjs').Workspace} Workspace */

/** Modules that are started by their address, next to the module that starts them. That module is in its folder, or at the top. */
const STARTED = /** @type {Readonly<Record<string, readonly string[]>>} */ ({
  'apps/cli': ['main.js', 'processes/orphan-guard.js', 'processes/report-imports.js'],
  'apps/gateway': ['main.js', 'health-check.js'],
  'apps/operator': ['main.js'],
  'apps/worker': ['main.js', 'isolation/isolated.js', 'watchdog/watchdog-thread.js'],
  'libs/agent': ['loop/schema-check-process.js'],
  'libs/reference-servers': ['fetch/extraction-process.js'],
  'libs/runtime': ['computation/parent-watch.js'],
  'libs/tasks': ['simulation/loop-watch-thread.js'],
});

/** Says from what the files of a package were made, and which they are. */
const RECORD = 'dist/.joined.json';

/** As in `tsconfig.base.json`: the oldest Node that runs it knows this much. */
const TARGET = 'es2023';

/** @returns {readonly Workspace[]} the packages with sources that have changed since they were joined */
export function changedPackages() {
  // An installation of some of the packages, such as an image, has the sources of these.
  const present = publishedWorkspaces().filter(({ folder }) => existsSync(join(root, folder, 'src')));
  return present.filter((workspace) => recordIn(join(root, workspace.folder))?.state !== stateOf(workspace));
}

/**
 * Joins the modules of these packages.
 *
 * @param {readonly Workspace[]} workspaces
 * @throws Error that says where a source cannot be read
 */
export async function joinModules(workspaces) {
  for (const workspace of workspaces) await joinPackage(workspace);
}

/** @param {Workspace} workspace */
async function joinPackage(workspace) {
  const folder = join(root, workspace.folder);
  const state = stateOf(workspace);
  const before = recordIn(folder);
  const sources = Object.entries(entriesOf(workspace)).map(([name, module]) => [name, join(folder, 'src', module.replace(/\.js$/, '.ts'))]);
  const bundle = await rolldown({
    input: Object.fromEntries(sources),
    // Pages run packages too: nothing of Node.js may be added.
    platform: 'neutral',
    external: (id) => !id.startsWith('.') && !id.startsWith(folder),
    tsconfig: join(folder, 'tsconfig.json'),
    transform: { target: TARGET },
    treeshake: false,
    logLevel: 'warn',
  });
  const { output } = await bundle.write({
    dir: join(folder, 'dist'),
    format: 'esm',
    sourcemap: true,
    // A call with an unused value may be there for the error that it throws.
    minify: false,
    // Without a hash, and with the names of its exports: a running process still finds the modules that it imports later.
    minifyInternalExports: false,
    chunkFileNames: '[name].js',
  });
  await bundle.close();
  const files = output.map(({ fileName }) => fileName);
  for (const file of before?.files ?? []) if (!files.includes(file)) rmSync(join(folder, 'dist', file), { force: true });
  writeFileSync(join(folder, RECORD), JSON.stringify({ state, files }));
}

/** The sources of a package's files. The tools that join them may have changed too. */
const MADE_FROM = ['src/**/*.ts', 'package.json', 'tsconfig.json'];
const JOINED_BY = ['scripts/packages/join-modules.mjs', 'tsconfig.base.json', 'package-lock.json'];

/** @param {Workspace} workspace @returns {string} a different text after each change of its sources */
function stateOf({ folder }) {
  const sources = globSync(
    MADE_FROM.map((pattern) => `${folder}/${pattern}`),
    { cwd: root, exclude: ['**/*.unit.test.ts'] },
  );
  const times = [...sources.toSorted(), ...JOINED_BY].map((path) => [path, statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs]);
  return createHash('sha256').update(JSON.stringify(times)).digest('hex');
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
