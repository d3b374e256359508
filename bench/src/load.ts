/** A closed loop: `concurrency` callers, each of which starts the next operation when its last one is done. */
export interface Load {
  readonly count: number;
  readonly concurrency: number;
}

/** What a load measured. */
export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly count: number;
}

/** Runs `operation` `count` times. What it returns replaces its duration in the result, milliseconds. */
export async function load({ count, concurrency }: Load, operation: () => Promise<number | void>): Promise<LoadResult> {
  const durations: number[] = [];
  let started = 0;
  const startedAt = performance.now();
  const caller = async (): Promise<void> => {
    while (started < count) {
      started += 1;
      const before = performance.now();
      durations.push((await operation()) ?? performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
  const seconds = (performance.now() - startedAt) / 1000;
  durations.sort((a, b) => a - b);
  return { perSecond: count / seconds, p50Ms: quantile(durations, 0.5), p99Ms: quantile(durations, 0.99), count };
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
