// How scripts run the project's tools: on the Node that runs the script, which is the bundled one under npm.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The repository's folder. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** The tools' entry files: no shell and no PATH decides which Node runs them. */
const ENTRIES = {
  tsc: 'node_modules/typescript/bin/tsc',
  vitest: 'node_modules/vitest/vitest.mjs',
  prettier: 'node_modules/prettier/bin/prettier.cjs',
  oxlint: 'node_modules/oxlint/bin/oxlint',
  knip: 'node_modules/knip/bin/knip.js',
  vite: 'node_modules/vite/bin/vite.js',
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
  // A stop reaches the tool, which ends, and thereby this script; a terminal's own Ctrl-C has reached it already.
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
 * Runs one of the project's tools.
 *
 * @param {keyof typeof ENTRIES} name
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @param {import('node:child_process').StdioOptions} [stdio]
 * @returns {Promise<number>} its exit code
 */
export function tool(name, args, env, stdio) {
  return run(process.execPath, [ENTRIES[name], ...args], env, stdio);
}

/**
 * Compiles what runs: the apps with their libraries and the operator page, the client library, the benchmark and the examples; not the
 * tests.
 *
 * @param {{ also?: readonly string[], stdio?: import('node:child_process').StdioOptions }} [options] further projects, and where the compiler writes
 * @returns {Promise<boolean>} whether it compiles
 */
export async function build({ also = [], stdio } = {}) {
  const projects = ['apps/cli', 'libs/client', 'packages/create-longhaul', 'bench', 'examples', ...also];
  if ((await tool('tsc', ['-b', ...projects], {}, stdio)) !== 0) return false;
  const { joinModules } = await import('./packages/join-modules.mjs');
  await joinModules();
  return isPageFresh() || (await tool('vite', ['build', PAGE], {}, stdio)) === 0;
}

const PAGE = 'apps/operator/page';

/** What the page is made of; a folder has the time at which a file of it was removed. */
const PAGE_SOURCES = [PAGE, `${PAGE}/**`, 'package-lock.json'];

/** @returns {boolean} whether the page was built after the last change of what it is made of */
function isPageFresh() {
  const timeOf = (/** @type {string} */ path) => statSync(`${root}/${path}`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const builtAt = timeOf('apps/operator/dist/page/index.html');
  return globSync(PAGE_SOURCES, { cwd: root }).every((path) => timeOf(path) < builtAt);
}
