import { durationOf, type Milliseconds, problemOfPriority, problemOfSpending, wholeMs } from '@longhaul/tasks';
import type { TaskOptions } from './tool.js';

const HOUR_MS = 3_600_000;

/** The defaults for tools, milliseconds. */
const DEFAULTS = { ttlMs: 300_000, pollIntervalMs: 1_000, maxRunMs: 7 * 24 * HOUR_MS, maxWaitMs: 24 * HOUR_MS };

/** The times of a task of the tool, milliseconds, the most that it may spend, its priority, and the arguments by which it is found. */
export type TaskTimes = Readonly<Record<keyof typeof DEFAULTS, Milliseconds>> & Pick<TaskOptions, 'budget' | 'priority' | 'searchable'>;

/**
 * How long a task of the tool is kept, may run and may wait for its client.
 *
 * @param requestedTtlMs the caller's request; null for the longest time, nothing for the tool's time
 * @param maxTtlMs how long an ended task is kept at most
 */
export function taskTimesOf(tool: TaskOptions, requestedTtlMs: number | null | undefined, maxTtlMs: number): TaskTimes {
  const ttlMs = requestedTtlMs === null ? maxTtlMs : (requestedTtlMs ?? tool.ttlMs ?? DEFAULTS.ttlMs);
  return {
    ttlMs: wholeMs(Math.min(Math.max(ttlMs, 1), maxTtlMs)),
    pollIntervalMs: wholeMs(tool.pollIntervalMs ?? DEFAULTS.pollIntervalMs),
    maxRunMs: wholeMs(tool.maxRunMs ?? DEFAULTS.maxRunMs),
    maxWaitMs: wholeMs(tool.maxWaitMs ?? DEFAULTS.maxWaitMs),
    ...(tool.budget !== undefined && { budget: tool.budget }),
    ...(tool.priority !== undefined && { priority: tool.priority }),
    ...(tool.searchable !== undefined && { searchable: tool.searchable }),
  };
}

/** @throws RangeError that names the tool and the field, for a time, a budget or a priority that is none */
export function requireTimes(owner: string, options: TaskOptions): void {
  for (const name of Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[]) {
    const ms = options[name];
    if (ms !== undefined) durationOf(`${owner}: ${name}`, ms, 1);
  }
  const problem = options.budget === undefined ? undefined : problemOfSpending(`${owner}: budget`, options.budget);
  if (problem !== undefined) throw new RangeError(problem);
  const misplaced = options.priority === undefined ? undefined : problemOfPriority(`${owner}: priority`, options.priority);
  if (misplaced !== undefined) throw new RangeError(misplaced);
  if (options.handOverAfterMs !== undefined) durationOf(`${owner}: handOverAfterMs`, options.handOverAfterMs);
}
