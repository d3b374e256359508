/**
 * Counts what happens to tasks, period by period, so that operators see rates and times without a system for metrics. Each process adds what
 * it has counted every few seconds; what a process that dies has not added yet is lost. Periods are those of the store's clock.
 *
 * Every method rejects with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached.
 */
export interface TaskCounters {
  /** Adds to the present periods: for each tool, and for all tools together. */
  add(counts: readonly Count[]): Promise<void>;
  /** Notes a level in the present periods, which keep the highest one. */
  raise(level: CounterLevel, value: number): Promise<void>;
  /**
   * The latest periods, oldest first; the last one is the present one.
   *
   * @param step one of `COUNTER_STEPS`
   * @param tool absent for all tools together
   */
  series(step: CounterStep, periods: number, tool?: string): Promise<readonly CounterPeriod[]>;
  /** The sums of periods, by tool. @param times when they began: the latest ones, oldest first, as in `series` */
  byTool(step: CounterStep, times: readonly number[]): Promise<ReadonlyMap<string, Counts>>;
}

/** How long a period is, and for how long it is kept: milliseconds. */
export const COUNTER_STEPS = [
  { stepMs: 60_000, keepMs: 2 * 3_600_000 },
  { stepMs: 600_000, keepMs: 26 * 3_600_000 },
  { stepMs: 3_600_000, keepMs: 8 * 24 * 3_600_000 },
] as const;

/** The length of a period, milliseconds. */
export type CounterStep = (typeof COUNTER_STEPS)[number]['stepMs'];

/** The longest time in `LEVELS` that was seen in a period, milliseconds. */
export const LEVELS = ['queueAge', 'questionAge'] as const;

/** One of `LEVELS`. */
export type CounterLevel = (typeof LEVELS)[number];

/** What is counted of tasks. */
export const COUNTED = ['created', 'completed', 'failed', 'cancelled'] as const;

/** What is counted of what tasks spend: tokens, and billionths of the currency. */
export const SPENT = ['tokens', 'costBillionths'] as const;

/** The number of classes of durations. The last one begins at about 12 days. */
const DURATION_CLASSES = 61;

/** The name of a count: one of `COUNTED`, `SPENT` or `LEVELS`, or `took:` and a class of durations. */
export type CountName = (typeof COUNTED)[number] | (typeof SPENT)[number] | CounterLevel | `took:${number}`;

/** Every name that a tool may have counts of. */
export const COUNT_NAMES: readonly CountName[] = [
  ...COUNTED,
  ...SPENT,
  ...Array.from({ length: DURATION_CLASSES }, (_, at) => `took:${at}` as const),
];

/** An addition to a count. */
export interface Count {
  readonly tool: string;
  readonly name: CountName;
  readonly value: number;
}

/** Counts by name; those that are 0 are absent. */
export type Counts = Readonly<Partial<Record<CountName, number>>>;

/** The counts of a period. */
export interface CounterPeriod {
  /** When it began, epoch milliseconds. */
  readonly at: number;
  readonly counts: Counts;
}

/** The class of a duration: two classes double it. */
export function durationClass(ms: number): number {
  return ms <= 1 ? 0 : Math.min(DURATION_CLASSES - 1, Math.ceil(2 * Math.log2(ms)));
}

/** A duration that a share of the tasks did not exceed, to about a fifth; absent when nothing was counted. */
export function durationWithin(counts: Counts, share: number): number | undefined {
  const sizes = Array.from({ length: DURATION_CLASSES }, (_, at) => counts[`took:${at}`] ?? 0);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total === 0) return undefined;
  let below = 0;
  const found = sizes.findIndex((size) => (below += size) >= share * total);
  return Math.round(2 ** ((found - 0.5) / 2));
}
