import { relative } from 'node:path';

/**
 * @typedef {object} Report the used part of the output of Vitest's JSON reporter
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {readonly ReportedFile[]} testResults
 */

/**
 * @typedef {object} ReportedFile
 * @property {string} name
 * @property {string} status
 * @property {readonly unknown[]} assertionResults
 * @property {number} startTime
 * @property {number} endTime
 */

/** How many of the slowest files are listed. */
const SLOWEST = 20;

/**
 * The slowest files, a line each, and the total time of all files one after the other.
 *
 * @param {Report} report
 * @param {string} root the folder that their names are relative to
 * @returns {string[]}
 */
export function slowestFiles({ testResults }, root) {
  const seconds = (/** @type {number} */ ms) => `${(ms / 1_000).toFixed(1).padStart(7)} s`;
  const files = testResults.map(({ name, startTime, endTime }) => ({ name: relative(root, name), ms: endTime - startTime }));
  const all = files.reduce((sum, { ms }) => sum + ms, 0);
  const slowest = files.toSorted((one, other) => other.ms - one.ms).slice(0, SLOWEST);
  return [`${seconds(all)}  all files, one after the other; the slowest:`, ...slowest.map(({ name, ms }) => `${seconds(ms)}  ${name}`)];
}

/**
 * Counts a test run. Everything that is not a passed test is a failure: a file that did not load, a skipped test, no tests at
 * all, an error outside of tests, a run that crashed before its report.
 *
 * @param {Report | undefined} report undefined when there is none
 * @param {number} exitCode Vitest's
 * @param {boolean} [isFiltered] whether only tests of some names were requested: then the others are skipped as they should be
 * @returns {{ passed: number, failed: number, notes: string[] }} notes name the counted failures that are not tests
 */
export function summarise(report, exitCode, isFiltered = false) {
  if (report === undefined) return { passed: 0, failed: 1, notes: ['the test run ended without a report'] };
  const notes = [];
  let failed = report.numFailedTests;
  const unloaded = report.testResults.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0);
  for (const { name } of unloaded) notes.push(`did not load: ${name}`);
  failed += unloaded.length;
  const skipped = isFiltered ? 0 : report.numPendingTests + report.numTodoTests;
  if (skipped > 0) notes.push(`${skipped} skipped tests count as failed`);
  failed += skipped;
  if (failed === 0 && report.numPassedTests === 0) {
    notes.push('no test ran');
    failed = 1;
  }
  if (failed === 0 && exitCode !== 0) {
    notes.push(`the test run ended with exit code ${exitCode} though no test failed`);
    failed = 1;
  }
  return { passed: report.numPassedTests, failed, notes };
}
