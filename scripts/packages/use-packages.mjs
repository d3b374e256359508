// Installs packed packages into another project, instead of packages from a registry.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** @typedef {import('./pack.mjs').Package} Package */

/** Where they lie in the project. */
const FOLDER = '.longhaul-packages';

/** The dependencies of a project without any of them. */
const FIRST = ['longhaul', '@longhaul/mcp-features'];

/**
 * Copies the tarballs into the project, and writes into its manifest that npm must take them for each dependency on the packages: the
 * project's own and the packages' own.
 *
 * @param {string} project its folder, with a `package.json`
 * @param {readonly Package[]} packages
 */
export function usePackages(project, packages) {
  rmSync(join(project, FOLDER), { recursive: true, force: true });
  mkdirSync(join(project, FOLDER));
  for (const { file } of packages) cpSync(file, join(project, FOLDER, basename(file)));
  const specs = Object.fromEntries(packages.map(({ name, file }) => [name, `file:${FOLDER}/${basename(file)}`]));
  const path = join(project, 'package.json');
  /** @type {{ dependencies?: Record<string, string>, overrides?: Record<string, unknown> }} */
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  const present = Object.keys(manifest.dependencies ?? {}).filter((name) => name in specs);
  const used = Object.fromEntries((present.length > 0 ? present : FIRST).map((name) => [name, specs[name]]));
  const changed = { ...manifest, dependencies: { ...manifest.dependencies, ...used }, overrides: { ...manifest.overrides, ...specs } };
  writeFileSync(path, `${JSON.stringify(changed, null, 2)}\n`);
  // Which names the versions of before.
  rmSync(join(project, 'package-lock.json'), { force: true });
}

/** @param {string} folder @returns {boolean} whether there is a project in it */
export function isProject(folder) {
  return existsSync(join(folder, 'package.json'));
}
