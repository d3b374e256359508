// Makes the copy of a workspace's folder that is published. Parts that only this repository needs are left out (the condition that leads to
// sources, entries for tests, maps). Parts that all packages share are added (licence, change log, repository, engines). So a workspace
// stays `private`: npm refuses to publish its folder as it is.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { root } from '../root.mjs';
import { joinedModules } from './join-modules.mjs';
import { npm } from './npm.mjs';
import { readManifest } from './workspaces.mjs';

/** @typedef {import('./workspaces.mjs').Workspace} Workspace */

/** Leads to sources within the repository. */
const SOURCE_CONDITION = 'longhaul-source';

/** The members that every package takes from the manifest of the repository. */
const SHARED = /** @type {const} */ (['version', 'license', 'bugs', 'engines']);

const SHARED_FILES = ['LICENSE', 'CHANGELOG.md'];

/**
 * Copies a package as it is published. It must be compiled.
 *
 * @param {Workspace} workspace
 * @param {string} target a folder that is made
 */
export async function stage({ folder, manifest }, target) {
  const files = await packedFiles(folder);
  for (const file of files) copy(join(root, folder, file), join(target, file));
  for (const file of SHARED_FILES) cpSync(join(root, file), join(target, file));
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(publishedManifest(folder, manifest, new Set(files)), null, 2)}\n`);
}

/**
 * @param {string} folder @returns {Promise<string[]>} the files that `files` of its manifest includes, without other results of compiling
 */
async function packedFiles(folder) {
  const [report] = JSON.parse(await npm(['pack', '--dry-run', '--json', '--ignore-scripts'], join(root, folder)));
  /** @type {string[]} */
  const paths = report.files.map((/** @type {{ path: string }} */ file) => file.path);
  const joined = joinedModules(folder);
  const isMade = (/** @type {string} */ path) =>
    !path.startsWith('dist/') || joined.has(path) || isDeclaration(folder, path) || isOfPage(folder, path);
  const files = paths.filter((path) => path !== 'package.json' && isMade(path));
  if (!files.some((path) => path.startsWith('dist/'))) throw new Error(`${folder} is not compiled: run npm run build first`);
  return files;
}

/**
 * @param {string} folder
 * @param {string} path
 * @returns {boolean} whether it declares a module that still has a source and is no test
 */
function isDeclaration(folder, path) {
  const [, name] = /^dist\/(.+?)\.d\.ts$/.exec(path) ?? [];
  return name !== undefined && !/\.(?:fixture|test)$/.test(name) && existsSync(join(root, folder, 'src', `${name}.ts`));
}

/**
 * @param {string} folder
 * @param {string} path
 * @returns {boolean} whether it belongs to a page; what builds a page empties its folder before
 */
function isOfPage(folder, path) {
  return path.startsWith('dist/page/') && existsSync(join(root, folder, 'page/index.html'));
}

/**
 * @param {string} from
 * @param {string} to
 */
function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
  // The maps lead to sources that are not published.
  if (/\.(?:js|ts)$/.test(to)) writeFileSync(to, readFileSync(to, 'utf8').replace(/^\/\/# sourceMappingURL=.*\n?/m, ''));
}

/**
 * @param {string} folder
 * @param {import('./workspaces.mjs').Manifest} workspaceManifest
 * @param {ReadonlySet<string>} files
 */
function publishedManifest(folder, workspaceManifest, files) {
  const { private: _private, exports, devDependencies: _tools, ...own } = { private: true, ...workspaceManifest };
  const repository = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (readManifest('.')));
  const { url } = /** @type {{ url: string }} */ (repository['repository']);
  const shared = Object.fromEntries(SHARED.map((name) => [name, repository[name]]));
  return {
    ...own,
    ...shared,
    keywords: repository['keywords'],
    homepage: `${url.replace(/^git\+|\.git$/g, '')}/tree/main/${folder}#readme`,
    repository: { type: 'git', url, directory: folder },
    ...(exports !== undefined && { exports: publishedExports(exports, files) }),
    publishConfig: { access: 'public', provenance: true },
  };
}

/**
 * The entries without the sources, and without entries for unpublished files: those are for the tests of this repository.
 *
 * @param {Record<string, Record<string, string>>} entries
 * @param {ReadonlySet<string>} files
 */
function publishedExports(entries, files) {
  const published = Object.entries(entries).flatMap(([entry, { [SOURCE_CONDITION]: _source, ...conditions }]) =>
    Object.values(conditions).every((file) => files.has(file.slice('./'.length))) ? [[entry, conditions]] : [],
  );
  return { ...Object.fromEntries(published), './package.json': './package.json' };
}
