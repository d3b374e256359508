// The packages that are published: every workspace of libs, apps and packages, and nothing else.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../tools.mjs';

/**
 * @typedef {object} Manifest as far as it matters here
 * @property {string} name
 * @property {string} version
 * @property {string} description
 * @property {string[]} [keywords]
 * @property {Record<string, string>} [bin]
 * @property {Record<string, Record<string, string>>} [exports]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [devDependencies]
 */

/** @typedef {{ readonly folder: string, readonly manifest: Manifest }} Workspace a package, and its folder within the repository */

/** @param {string} folder within the repository @returns {Manifest} */
export function readManifest(folder) {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
}

/** @returns {readonly Workspace[]} */
export function publishedWorkspaces() {
  const paths = globSync('{libs,apps,packages}/*/package.json', { cwd: root }).toSorted();
  return paths.map((path) => path.slice(0, -'/package.json'.length)).map((folder) => ({ folder, manifest: readManifest(folder) }));
}

/** @returns {readonly string[]} the names of all packages, each after those that it needs */
export function inOrder() {
  const workspaces = new Map(publishedWorkspaces().map(({ manifest }) => [manifest.name, Object.keys(manifest.dependencies ?? {})]));
  /** @type {Set<string>} */
  const ordered = new Set();
  const add = (/** @type {string} */ name) => {
    for (const needed of workspaces.get(name) ?? []) if (workspaces.has(needed) && !ordered.has(needed)) add(needed);
    ordered.add(name);
  };
  for (const name of workspaces.keys()) add(name);
  return [...ordered];
}
