/** @typedef {{ readonly passed: number, readonly failed: number, readonly notes?: readonly string[] }} Counts */

/**
 * Prints `N passed, N failed` as the last line, and sets the exit code. An error is printed, and counts as one failure.
 *
 * @param {() => Promise<Counts | readonly Counts[]>} run
 */
export async function reportCounts(run) {
  const all = [await run().catch((error) => failedFor(error instanceof Error ? error.message : String(error)))].flat();
  for (const note of all.flatMap(({ notes = [] }) => notes)) process.stdout.write(`${note}\n`);
  const [passed, failed] = [all.reduce((sum, count) => sum + count.passed, 0), all.reduce((sum, count) => sum + count.failed, 0)];
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}

/**
 * @param {string} reason why nothing could run
 * @returns {Counts}
 */
export function failedFor(reason) {
  return { passed: 0, failed: 1, notes: [reason] };
}
