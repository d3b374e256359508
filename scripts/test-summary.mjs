/**
 * @typedef {object} Report what Vitest's JSON reporter writes, as far as it is needed
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {readonly { name: string, status: string, assertionResults: readonly unknown[] }[]} testResults
 */

/**
 * Counts a test run. Everything that is not a passed test is a failure: a file that did not load, a skipped test, no tests at
 * all, an error outside of tests, a run that crashed before its report.
 *
 * @param {Report | undefined} report undefined when there is none
 * @param {number} exitCode Vitest's
 * @param {boolean} [isFiltered] whether only tests of some names were asked for: then the others are skipped as they should be
 * @returns {{ passed: number, failed: number, notes: string[] }} notes say what was counted beside failed tests
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
