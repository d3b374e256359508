// Runs the project's tools on the Node that runs the script, which is the bundled one under npm.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

import './npm-settings.mjs';
import { root } from './root.mjs';

/** The tools' entry files: no shell and no PATH decides which Node runs them. */
const ENTRIES = {
  tsc: 'node_modules/typescript/bin/tsc',
  vitest: 'node_modules/vitest/vitest.mjs',
  prettier: 'node_modules/prettier/bin/prettier.cjs',
  oxlint: 'node_modules/oxlint/bin/oxlint',
  knip: 'node_modules/knip/bin/knip.js',
};

/**
 * Runs a program in the repository's folder with this terminal.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env] on top of this process's environment
 * @param {import('node:child_process').StdioOptions} [stdio]
 * @returns {Promise<number>} its exit code; 1 when a signal ended it
 */
export async function run(program, args, env = {}, stdio = 'inherit') {
  const child = spawn(program, args, { cwd: root, stdio, env: { ...process.env, ...env } });
  // A stop reaches the tool; when the tool ends, this script ends too. A terminal's own Ctrl-C has reached it already.
  const pass = () => child.kill('SIGTERM');
  const ignore = () => undefined;
  process.on('SIGTERM', pass);
  process.on('SIGINT', ignore);
  try {
    const [code] = await once(child, 'exit');
    return code ?? 1;
  } finally {
    process.off('SIGTERM', pass);
    process.off('SIGINT', ignore);
  }
}

/**
 * Runs one of the project's tools, which are installed when the first of them is needed.
 *
 * @param {keyof typeof ENTRIES} name
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @param {import('node:child_process').StdioOptions} [stdio]
 * @returns {Promise<number>} its exit code
 */
export async function tool(name, args, env, stdio) {
  if (!existsSync(`${root}/${ENTRIES[name]}`) && (await installTools()) !== 0) return 1;
  return run(process.execPath, [ENTRIES[name], ...args], env, stdio);
}

/** `npm ci` leaves them out: see `.npmrc`. @returns {Promise<number>} npm's exit code */
function installTools() {
  process.stderr.write('Installing the tools of development.\n');
  const args = ['install', '--include=dev', '--no-save'];
  const npm = process.env['npm_execpath'];
  return npm === undefined ? run('npm', args) : run(process.execPath, [npm, ...args]);
}

/**
 * Builds the packages and the operator page from changed sources. Types are left out and not checked. If it builds anything, it says so in
 * one line on standard error.
 *
 * @param {{ typed?: readonly string[] }} [options] projects that are compiled with their types, which writes their declarations and the
 * declarations of their dependencies
 * @returns {Promise<boolean>} whether it can be made
 */
export async function build({ typed = [] } = {}) {
  if (typed.length > 0 && (await tool('tsc', ['-b', ...typed])) !== 0) return false;
  const { changedPackages, joinModules } = await import('./packages/join-modules.mjs');
  const { buildPage, isPageFresh } = await import('./packages/build-page.mjs');
  const changed = changedPackages();
  const isPageOld = !isPageFresh();
  const parts = [...(changed.length > 0 ? [`${changed.length} packages`] : []), ...(isPageOld ? ['the operator page'] : [])];
  if (parts.length > 0) process.stderr.write(`Building ${parts.join(' and ')} from source.\n`);
  try {
    await Promise.all([joinModules(changed), isPageOld && buildPage()]);
    return true;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return false;
  }
}

/** The TypeScript projects that are published, with their declarations. */
export const PUBLISHED = ['apps/cli', 'libs/client', 'packages/create-longhaul'];
