// Sets the version of all packages. They have one version, and name each other by exactly that version.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { MANIFESTS } from './workspaces.mjs';

/** Other files that name the version, and where in them: what comes before it, and what comes after it. */
const TEXTS = /** @type {const} */ ([
  ['Dockerfile', 'ARG VERSION=', '\n'],
  ['docker-bake.hcl', 'default = "', '"'],
  // The app's version too.
  ['deploy/helm/longhaul/Chart.yaml', 'ersion: ', '\n'],
  ['deploy/mcpb/manifest.json', '"version": "', '"'],
  ['docs/install.md', 'longhaul-', '.mcpb'],
  ['server.json', '"version": "', '"'],
  ['README.md', 'Longhaul ', ' serves MCP.'],
  ['libs/servers/src/connection/connect-server.ts', "version: '", "'"],
  ['libs/client/src/connect.ts', "version: '", "'"],
]);

const DEPENDENCIES = ['dependencies', 'devDependencies', 'peerDependencies'];
const OWN = /^(?:@longhaul\/.+|longhaul)$/;

/**
 * Sets the version of every package.
 *
 * @param {string} root the repository's folder
 * @param {string} version
 * @returns {readonly string[]} the files that have changed
 * @throws Error that names a file without the present version in the expected position
 */
export function setVersion(root, version) {
  const present = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
  /** @type {string[]} */
  const changed = [];
  const replace = (/** @type {string} */ path, /** @type {(text: string) => string} */ change) => {
    const text = readFileSync(join(root, path), 'utf8');
    const next = change(text);
    if (next === text) throw new Error(`${path} does not name the version ${present}`);
    writeFileSync(join(root, path), next);
    changed.push(path);
  };
  for (const path of globSync(MANIFESTS, { cwd: root }).toSorted()) replace(path, (text) => manifestWith(text, present, version));
  for (const [path, before, after] of TEXTS.filter(([path]) => existsSync(join(root, path))))
    replace(path, (text) => text.replaceAll(`${before}${present}${after}`, `${before}${version}${after}`));
  return changed;
}

/**
 * @param {string} text
 * @param {string} present
 * @param {string} version
 */
function manifestWith(text, present, version) {
  const manifest = JSON.parse(text);
  manifest.version = version;
  for (const kind of DEPENDENCIES)
    for (const [name, range] of Object.entries(manifest[kind] ?? {}))
      if (OWN.test(name)) manifest[kind][name] = String(range).replace(present, version);
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
