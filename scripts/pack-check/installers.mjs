// Installs the tarballs into a folder, and runs installed programs there, with npm, pnpm and Yarn with Plug'n'Play. The packages name each
// other by version, and no registry has that version. So each installer takes the tarballs instead.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { npm, quietly } from '../packages/npm.mjs';

/** @typedef {import('../packages/pack.mjs').Package} Package */

/**
 * @typedef {object} Installer
 * @property {string} name
 * @property {boolean} isReadByCompiler whether the compiler finds what is installed
 * @property {(folder: string, wanted: Record<string, string>, tarballs: Record<string, string>) => Promise<void>} install installs `wanted` into a folder
 * @property {readonly [string, ...string[]]} runner the program, and its first arguments, that run a command that is installed there
 * @property {readonly [string, ...string[]]} node the same for a module
 */

const PNPM = 'pnpm@10.20.0';
const YARN = '@yarnpkg/cli-dist@4.18.1';

/**
 * Yarn resolves the optional packages of all platforms. One native part is optional, and its install script is not needed. Not every
 * registry has its packages in the latest version.
 */
const COMPLETE = { 'msgpackr-extract': 'npm:3.0.3' };

/** @param {readonly Package[]} packages @returns {Record<string, string>} */
export function tarballsOf(packages) {
  return Object.fromEntries(packages.map(({ name, file }) => [name, `file:${file}`]));
}

/**
 * @param {string} folder
 * @param {object} manifest
 */
function writeManifest(folder, manifest) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module', ...manifest }, null, 2));
}

/** @returns {Installer} */
export function npmInstaller() {
  const entry = process.env['npm_execpath'];
  return {
    name: 'npm',
    isReadByCompiler: true,
    node: [process.execPath],
    runner: entry === undefined ? ['npx', '--no-install'] : [process.execPath, entry, 'exec', '--no', '--'],
    async install(folder, wanted, tarballs) {
      // All of them at the top, so that each finds those that it names.
      writeManifest(folder, { dependencies: { ...wanted, ...tarballs } });
      await npm(['install', '--ignore-scripts', '--no-audit', '--no-fund'], folder);
    },
  };
}

/**
 * Installs a package manager with npm.
 *
 * @param {string} specifier
 * @param {string} entry
 * @param {string} folder
 * @returns {Promise<string>} its entry file
 */
async function fetchManager(specifier, entry, folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  await npm(['install', '--ignore-scripts', specifier], folder);
  return join(folder, 'node_modules', entry);
}

/** @param {string} tools a folder for pnpm itself @returns {Promise<Installer>} */
export async function pnpmInstaller(tools) {
  const entry = await fetchManager(PNPM, 'pnpm/bin/pnpm.cjs', join(tools, 'pnpm'));
  return {
    name: 'pnpm',
    isReadByCompiler: true,
    node: [process.execPath],
    runner: [process.execPath, entry, 'exec'],
    async install(folder, wanted, tarballs) {
      writeManifest(folder, { dependencies: wanted, pnpm: { overrides: tarballs } });
      await quietly(process.execPath, [entry, 'install', '--ignore-scripts', '--ignore-workspace'], folder);
    },
  };
}

/** @param {string} tools a folder for Yarn itself @returns {Promise<Installer>} */
export async function yarnInstaller(tools) {
  const entry = await fetchManager(YARN, '@yarnpkg/cli-dist/bin/yarn.js', join(tools, 'yarn'));
  const registry = (await npm(['config', 'get', 'registry'], tools)).trim();
  return {
    name: "Yarn with Plug'n'Play",
    isReadByCompiler: false,
    node: [process.execPath, entry, 'node'],
    runner: [process.execPath, entry, 'run', '--binaries-only'],
    async install(folder, wanted, tarballs) {
      writeManifest(folder, { dependencies: wanted, resolutions: { ...tarballs, ...COMPLETE } });
      writeFileSync(join(folder, 'yarn.lock'), '');
      const settings = {
        nodeLinker: 'pnp',
        enableTelemetry: false,
        enableScripts: false,
        enableImmutableInstalls: false,
        // How old a version is does not matter here, and not every registry says it.
        npmMinimalAgeGate: 0,
        npmRegistryServer: registry,
      };
      writeFileSync(
        join(folder, '.yarnrc.yml'),
        Object.entries(settings)
          .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
          .join(''),
      );
      await quietly(process.execPath, [entry, 'install'], folder);
    },
  };
}
