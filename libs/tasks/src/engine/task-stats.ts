/** Makes rates and durations of the counters, and notes how long work and questions wait. */
import { COUNTED, type CounterPeriod, type CounterStep, type Counts, durationWithin } from '../ports/task-counters.js';
import type { Spending } from '../domain/spending.js';
import type { TaskStore } from '../ports/task-store.js';
import { isView, readableViews } from './readable-views.js';

const BILLION = 1e9;

/** The spans of time that operators look at, and the periods of each. */
export const STATS_SPANS = {
  hour: { step: 60_000, periods: 60 },
  day: { step: 600_000, periods: 144 },
  week: { step: 3_600_000, periods: 168 },
} as const satisfies Readonly<Record<string, { readonly step: CounterStep; readonly periods: number }>>;

/** A span of time up to now. */
export type StatsSpan = keyof typeof STATS_SPANS;

/** What happened to tasks, and how long those took that completed or failed: in half of the cases, and in 95 of 100, to about a fifth. */
export interface TaskCounts extends Readonly<Record<(typeof COUNTED)[number], number>> {
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  /** What was spent in the span. */
  readonly spent?: Spending;
}

/** A period. Times are milliseconds. */
export interface StatsPeriod extends TaskCounts {
  /** When it began, since the epoch. */
  readonly at: number;
  /** The longest time that a job waited for a worker. */
  readonly queueAgeMs?: number;
  /** The longest time that a question was open. */
  readonly questionAgeMs?: number;
}

/** A tool in the span. */
export interface ToolStats extends TaskCounts {
  readonly tool: string;
}

/** What happened in a span. */
export interface TaskStats {
  /** How long a period is, milliseconds. */
  readonly stepMs: number;
  /** Oldest first; the last one has not ended. */
  readonly periods: readonly StatsPeriod[];
  /** All periods together. */
  readonly total: TaskCounts;
  /** Tools with tasks in the span, those with the most first. */
  readonly tools: readonly ToolStats[];
}

/** How long the oldest job and question have waited, milliseconds; 0 without one. */
export interface WaitingAges {
  readonly queueAgeMs: number;
  readonly questionAgeMs: number;
}

/** @param tool absent for all tools together */
export async function statsOf(store: TaskStore, span: StatsSpan, tool?: string): Promise<TaskStats> {
  const { step, periods: count } = STATS_SPANS[span];
  const periods = await store.counters.series(step, count, tool);
  const total = sumOf(periods.map(({ counts }) => counts));
  const times = periods.map(({ at }) => at);
  const byTool =
    tool === undefined ? await store.counters.byTool(step, times) : new Map(Object.keys(total).length > 0 ? [[tool, total]] : []);
  return {
    stepMs: step,
    periods: periods.map(periodOf),
    total: countsOf(total),
    tools: [...byTool]
      .map(([name, counts]) => Object.assign({ tool: name }, countsOf(counts)))
      .sort((left, right) => sizeOf(right) - sizeOf(left)),
  };
}

/** Questions whose tasks were created first are looked at; one of a later task may be older. */
const LOOKED_AT_QUESTIONS = 50;

/** How long the oldest job and the oldest question have waited by now. */
export async function waitingAges({ load, operators, events }: TaskStore, now: number): Promise<WaitingAges> {
  const [{ oldestWaitMs = 0 }, taskIds] = await Promise.all([load.queue(), operators.oldest('input_required', LOOKED_AT_QUESTIONS)]);
  const views = (await readableViews(events, taskIds, 'operator')).filter(isView);
  const asked = views.flatMap(({ pendingInputs }) => pendingInputs.map(({ askedAt }) => askedAt));
  return { queueAgeMs: Math.round(oldestWaitMs), questionAgeMs: Math.max(0, now - Math.min(now, ...asked)) };
}

function periodOf({ at, counts }: CounterPeriod): StatsPeriod {
  const { queueAge, questionAge } = counts;
  return {
    at,
    ...countsOf(counts),
    ...(queueAge !== undefined && { queueAgeMs: queueAge }),
    ...(questionAge !== undefined && { questionAgeMs: questionAge }),
  };
}

function countsOf(counts: Counts): TaskCounts {
  const [p50Ms, p95Ms] = [durationWithin(counts, 0.5), durationWithin(counts, 0.95)];
  const { created = 0, completed = 0, failed = 0, cancelled = 0, tokens, costBillionths } = counts;
  const cost = costBillionths === undefined ? {} : { cost: costBillionths / BILLION };
  const spent = { ...cost, ...(tokens !== undefined && { tokens }) };
  return {
    created,
    completed,
    failed,
    cancelled,
    ...(p50Ms !== undefined && { p50Ms }),
    ...(p95Ms !== undefined && { p95Ms }),
    ...(Object.keys(spent).length > 0 && { spent }),
  };
}

function sumOf(all: readonly Counts[]): Counts {
  const sums: Record<string, number> = {};
  for (const counts of all) for (const [name, value = 0] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + value;
  return sums;
}

function sizeOf(counts: TaskCounts): number {
  return COUNTED.reduce((sum, name) => sum + counts[name], 0);
}
