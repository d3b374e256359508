// Runs Vitest and prints a count at the end, for every script that runs tests.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { slowestFiles, summarise } from './test-summary.mjs';
import { root } from './root.mjs';
import { tool } from './tools.mjs';

/** Has the slowest files printed; the other arguments are Vitest's. */
const SLOWEST = '--slowest';

/**
 * Runs tests and counts them.
 *
 * @param {readonly string[]} given Vitest's arguments, and `--slowest`
 * @param {NodeJS.ProcessEnv} [env] on top of this process's environment
 * @returns {Promise<import('./report-counts.mjs').Counts>}
 */
export async function runVitest(given, env) {
  const args = given.filter((arg) => arg !== SLOWEST);
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-test-'));
  const reportPath = join(folder, 'report.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportPath}`];
    const exitCode = await tool('vitest', ['run', ...reporters, ...args], { ...compileCache(args), ...env });
    const report = readReport(reportPath);
    const { notes, ...counts } = summarise(report, exitCode, args.some(isNameFilter));
    return { ...counts, notes: given.includes(SLOWEST) && report !== undefined ? [...slowestFiles(report, root), ...notes] : notes };
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
