// Lists the published packages: every workspace of libs, apps and packages, and nothing else.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../root.mjs';

const PUBLISHED = '{libs,apps,packages}/*/package.json';

/** All manifests of the repository, as patterns of paths. */
export const MANIFESTS = ['package.json', PUBLISHED, '{bench,examples}/package.json'];

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
  const paths = globSync(PUBLISHED, { cwd: root }).toSorted();
  return paths.map((path) => path.slice(0, -'/package.json'.length)).map((folder) => ({ folder, manifest: readManifest(folder) }));
}

/**
 * @param {...string} wanted names of packages; all if there are none
 * @returns {readonly string[]} these and the packages of this repository that they need, each after its dependencies
 */
export function inOrder(...wanted) {
  const needs = new Map(publishedWorkspaces().map(({ manifest }) => [manifest.name, Object.keys(manifest.dependencies ?? {})]));
  /** @type {Set<string>} */
  const ordered = new Set();
  const add = (/** @type {string} */ name) => {
    for (const needed of needs.get(name) ?? []) if (needs.has(needed) && !ordered.has(needed)) add(needed);
    ordered.add(name);
  };
  for (const name of wanted.length === 0 ? needs.keys() : wanted) add(name);
  return [...ordered];
}
