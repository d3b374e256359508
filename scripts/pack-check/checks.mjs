// Runs checks, one after the other, and prints the time of each. The others run even if one fails.

/** @typedef {(title: string, check: () => Promise<unknown>) => Promise<boolean>} Check makes a check, and resolves with whether it has passed */

/**
 * @param {(line: string) => void} say
 * @returns {{ readonly check: Check, readonly counts: { passed: number, failed: number } }}
 */
export function createChecks(say) {
  const counts = { passed: 0, failed: 0 };
  return {
    counts,
    async check(title, run) {
      const startedAt = performance.now();
      const seconds = () => ((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6);
      try {
        await run();
        counts.passed += 1;
        say(`ok      ${seconds()} s  ${title}`);
        return true;
      } catch (error) {
        counts.failed += 1;
        say(`FAILED  ${seconds()} s  ${title}\n${error instanceof Error ? error.message : String(error)}`);
        return false;
      }
    },
  };
}
