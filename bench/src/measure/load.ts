/** A closed loop: each of `concurrency` callers starts its next operation when its last one has ended. */
export type Load = { readonly concurrency: number } & ({ readonly count: number } | { readonly ms: number });

/** The result of a load. */
export interface LoadResult {
  /** The number of operations. */
  readonly count: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/**
 * Runs `operation` the given number of times, or for the given time. The number that it returns replaces its duration in the result,
 * milliseconds.
 */
export async function load(of: Load, operation: () => Promise<number | void>): Promise<LoadResult> {
  const durations: number[] = [];
  let started = 0;
  const startedAt = performance.now();
  const goesOn = (): boolean => ('ms' in of ? performance.now() - startedAt < of.ms : started < of.count);
  const caller = async (): Promise<void> => {
    while (goesOn()) {
      started += 1;
      const before = performance.now();
      durations.push((await operation()) ?? performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: of.concurrency }, caller));
  const seconds = (performance.now() - startedAt) / 1000;
  durations.sort((a, b) => a - b);
  const { length: count } = durations;
  return { count, perSecond: count / seconds, p50Ms: quantile(durations, 0.5), p99Ms: quantile(durations, 0.99) };
}

/** @param sorted ascending */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
