// Vitest with a count at the end, for every script that runs tests.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { summarise } from './test-summary.mjs';
import { root } from './root.mjs';
import { tool } from './tools.mjs';

/**
 * Runs tests and counts them.
 *
 * @param {readonly string[]} args Vitest's
 * @param {NodeJS.ProcessEnv} [env] on top of this process's environment
 * @returns {Promise<import('./report-counts.mjs').Counts>}
 */
export async function runVitest(args, env) {
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-test-'));
  const reportPath = join(folder, 'report.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportPath}`];
    const exitCode = await tool('vitest', ['run', ...reporters, ...args], { ...compileCache(args), ...env });
    return summarise(readReport(reportPath), exitCode, args.some(isNameFilter));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Whether the argument chooses tests by their names.
 *
 * @param {string} arg
 */
function isNameFilter(arg) {
  return arg === '-t' || arg.startsWith('--testNamePattern');
}

/**
 * Tests start hundreds of processes with the same code, which need not compile it each. It would spoil the coverage.
 *
 * @param {readonly string[]} args
 */
function compileCache(args) {
  return args.includes('--coverage') ? {} : { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled') };
}

/**
 * @param {string} path
 * @returns {import('./test-summary.mjs').Report | undefined}
 */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
