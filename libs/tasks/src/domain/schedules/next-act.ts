/**
 * Decides what a schedule does next, from its state and the present facts. Each decision about a time is recorded before a worker acts on
 * it. If several workers decide at the same time, one of them records its decision.
 */
import type { TaskId } from '../task-id.js';
import type { ScheduleEvent, SkipReason, StartCause } from './schedule-events.js';
import type { PendingStart, ScheduleState } from './schedule-state.js';

/** How soon a start that waits for the end of another task is looked at again. */
const WAITS_FOR_END_MS = 5_000;
/** A schedule of the API that has no more times is kept for so long. */
export const KEEP_ENDED_MS = 7 * 24 * 3_600_000;
/** Times that one decision may skip: a time of cron takes a third of a millisecond. */
const MAX_SKIPPED = { cron: 250, other: 100_000 };

/** The facts that a decision depends on, besides the state. */
export interface ScheduleFacts {
  /** Epoch milliseconds, by the store's clock. */
  readonly now: number;
  /** The first time of the schedule after a date, whether or not it has ended by then. */
  readonly after: (ms: number) => number | undefined;
  /** How much later than its time a start is. */
  readonly offsetOf: (dueAt: number) => number;
  /** The earlier tasks that have not ended. */
  readonly unfinished: readonly TaskId[];
  /** The id of the task of a time, or of a run. */
  readonly taskIdOf: (key: string) => TaskId;
}

/** The next act of a schedule. */
export type ScheduleAct =
  | { readonly kind: 'wait'; /** Absent: nothing will come. */ readonly until?: number }
  | { readonly kind: 'record'; readonly event: ScheduleEvent }
  /** The earlier tasks are cancelled; then the schedule is looked at again. */
  | { readonly kind: 'cancel'; readonly tasks: readonly TaskId[] }
  | { readonly kind: 'create'; readonly start: PendingStart }
  /** The schedule ended long ago. */
  | { readonly kind: 'remove' };

/** Decides the next act. */
export function nextAct(state: ScheduleState, facts: ScheduleFacts): ScheduleAct {
  const { now } = facts;
  if (state.starting !== undefined) return actOnStart(state, state.starting, facts);
  const [run] = state.runs;
  if (run !== undefined) return begin('run', run.at, run.id, null, facts);
  if (state.paused !== undefined) return { kind: 'wait' };
  const { next } = state;
  if (next !== undefined && next + facts.offsetOf(next) <= now) return actOnTime(state, next, facts);
  const waiting = actOnWaiting(state, facts);
  if (waiting !== undefined) return waiting;
  if (next !== undefined) return { kind: 'wait', until: next + facts.offsetOf(next) };
  if (state.endedAt === undefined) return { kind: 'record', event: { type: 'ScheduleEnded', at: now } };
  if (state.origin === 'file') return { kind: 'wait' };
  const until = state.endedAt + KEEP_ENDED_MS;
  return until > now ? { kind: 'wait', until } : { kind: 'remove' };
}

/** The next time of a schedule after one that is handled, unless it ends before. */
export function timeAfter(
  { definition: { until } }: Pick<ScheduleState, 'definition'>,
  after: ScheduleFacts['after'],
  ms: number,
): number | null {
  const next = after(ms);
  return next === undefined || (until !== undefined && next > until) ? null : next;
}

/** A start that was decided continues, unless it was refused for too long, or the schedule was paused after a refusal. */
function actOnStart({ definition, paused }: ScheduleState, start: PendingStart, { now, offsetOf }: ScheduleFacts): ScheduleAct {
  const { cause, dueAt, begunAt, refusals, retryAt, code } = start;
  if (refusals === 0) return { kind: 'create', start };
  const since = cause === 'time' ? dueAt + offsetOf(dueAt) : begunAt;
  const isPaused = paused !== undefined && cause !== 'run';
  if (isPaused || now > since + definition.catchUpMs) {
    const reason = isPaused ? 'paused' : 'refused';
    const skip = { type: 'TimesSkipped', at: now, cause, reason, from: dueAt, to: dueAt, count: 1, next: null } as const;
    return { kind: 'record', event: code === undefined ? skip : { ...skip, code } };
  }
  return retryAt !== undefined && retryAt > now ? { kind: 'wait', until: retryAt } : { kind: 'create', start };
}

function actOnTime(state: ScheduleState, dueAt: number, facts: ScheduleFacts): ScheduleAct {
  const { now, unfinished, after } = facts;
  const { pausedUntil = -Infinity, queued, definition } = state;
  const { overlap, catchUpMs, jitterMs } = definition;
  if (dueAt <= pausedUntil) return skip(state, dueAt, 'paused', facts, (time) => time <= pausedUntil);
  const isMissed = (time: number, lateMs: number): boolean => time + lateMs + catchUpMs < now;
  if (isMissed(dueAt, facts.offsetOf(dueAt))) return skip(state, dueAt, 'outage', facts, (time) => isMissed(time, jitterMs));
  const isBusy = unfinished.length > 0 || queued !== undefined;
  const next = timeAfter(state, after, dueAt);
  if (overlap === 'allow' || !isBusy || (overlap === 'cancel' && unfinished.length === 0))
    return begin('time', dueAt, String(dueAt), next, facts);
  if (overlap === 'cancel') return { kind: 'cancel', tasks: unfinished };
  if (overlap === 'queue' && queued === undefined) return { kind: 'record', event: { type: 'StartQueued', at: now, dueAt, next } };
  return skip(state, dueAt, 'overlap', facts, () => true);
}

/** Starts that wait for the end of an earlier task: the queued time, then the times of backfills, one after the other unless they may overlap. */
function actOnWaiting({ queued, backfills, definition, next }: ScheduleState, facts: ScheduleFacts): ScheduleAct | undefined {
  const { now, unfinished, after, offsetOf } = facts;
  const [backfill] = backfills;
  if (queued === undefined && backfill === undefined) return undefined;
  const mayOverlap = definition.overlap === 'allow';
  if (unfinished.length > 0 && !mayOverlap) {
    const again = now + WAITS_FOR_END_MS;
    return { kind: 'wait', until: next === undefined ? again : Math.min(again, next + offsetOf(next)) };
  }
  if (queued !== undefined) return begin('queue', queued, String(queued), null, facts);
  if (backfill === undefined) return undefined;
  const { next: dueAt, to } = backfill;
  const later = after(dueAt);
  return begin('backfill', dueAt, String(dueAt), later === undefined || later > to ? null : later, facts);
}

function begin(
  cause: StartCause,
  dueAt: number,
  key: string,
  next: number | null,
  { now, unfinished, taskIdOf }: ScheduleFacts,
): ScheduleAct {
  return { kind: 'record', event: { type: 'StartBegun', at: now, cause, dueAt, taskId: taskIdOf(key), unfinished, next } };
}

/** Skips the time, and those after it that are due and skipped for the same reason. */
function skip(state: ScheduleState, dueAt: number, reason: SkipReason, facts: ScheduleFacts, fits: (time: number) => boolean): ScheduleAct {
  const { now, offsetOf, after } = facts;
  const most = 'cron' in state.definition.rule ? MAX_SKIPPED.cron : MAX_SKIPPED.other;
  let [count, to, next] = [1, dueAt, timeAfter(state, after, dueAt)];
  while (next !== null && count < most && fits(next) && next + offsetOf(next) <= now) {
    count += 1;
    to = next;
    next = timeAfter(state, after, next);
  }
  return { kind: 'record', event: { type: 'TimesSkipped', at: now, cause: 'time', reason, from: dueAt, to, count, next } };
}
