// Installs the dependencies of a package of this repository, in the versions of the lock file.
import { cpSync, existsSync, globSync, lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { root } from '../root.mjs';
import { npm } from './npm.mjs';
import { MANIFESTS, publishedWorkspaces } from './workspaces.mjs';

const READ_BY_NPM = [...MANIFESTS, 'package-lock.json', '.npmrc'];

/** Files that no program reads. */
const UNREAD = ['node_modules/**/*.{d.ts,d.mts,d.cts,map}', 'node_modules/**/.bin/**'];

/**
 * Installs the dependencies, without optional ones, and without files that only tools read. The packages of this repository are not
 * installed; each only gets a folder for its own dependencies.
 *
 * @param {string} workspace its folder within the repository
 * @param {string} target an empty folder that gets a `node_modules`
 */
export async function installDependencies(workspace, target) {
  const copied = globSync(READ_BY_NPM, { cwd: root });
  for (const path of copied) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    cpSync(join(root, path), join(target, path));
  }
  await npm(['ci', '--omit=dev', '--omit=optional', '--ignore-scripts', '--loglevel=error', '--workspace', workspace], target);
  const isLink = (/** @type {string} */ path) => lstatSync(join(target, path)).isSymbolicLink();
  for (const link of globSync('node_modules/{*,@*/*}', { cwd: target }).filter(isLink)) rmSync(join(target, link));
  for (const { folder, manifest } of publishedWorkspaces()) {
    const own = join(target, folder, 'node_modules');
    if (!existsSync(own)) continue;
    mkdirSync(join(target, 'node_modules', manifest.name), { recursive: true });
    renameSync(own, join(target, 'node_modules', manifest.name, 'node_modules'));
  }
  const places = new Set(copied.map((path) => path.split('/')[0] ?? path));
  for (const path of [...places, ...globSync(UNREAD, { cwd: target })]) rmSync(join(target, path), { recursive: true, force: true });
}
