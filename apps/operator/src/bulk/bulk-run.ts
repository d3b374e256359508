/**
 * Runs a bulk operation in one process at a time: the process holds the record for some seconds and renews that. It writes down which tasks
 * it will change before it does. So another process that continues repeats those, and each act knows whether it was done before.
 */
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { Clock, TaskId } from '@longhaul/tasks';
import { codeOf } from '../http/problems.js';
import type { BulkFailure, BulkRecord, BulkRecords, MadeTask } from './bulk-record.js';
import type { Found } from './find-tasks.js';

/** The time after which another process may take an operation whose process has died. */
const HELD_MS = 5_000;
/** An abort is noticed within this time. */
const LOOK_MS = 500;
/** Tasks that are written down together, and changed at the same time. */
const PART = 100;
const AT_ONCE = 8;
/** How many failed tasks, and how many new ones, are named. */
const NAMED = 20;

/** The result for one task: it was done, now or before, perhaps by a new task; or there was nothing to do. */
export type ActVerdict = 'done' | 'skipped' | Pick<MadeTask, 'retriedAs'>;

/** The parts of a run. */
export interface BulkRunDeps {
  readonly records: BulkRecords;
  /** The clock of the store. */
  readonly clock: Clock;
  /** Names this run. */
  readonly holder: string;
  /** Finds the next tasks of the operation. */
  readonly find: (record: BulkRecord, limit: number) => Promise<Found>;
  /** Applies the action to one task. Repeated for the same task of the same operation, it returns `done` and does nothing. */
  readonly act: (record: BulkRecord, taskId: TaskId) => Promise<ActVerdict>;
  /** Aborts when the process is about to end. */
  readonly signal: AbortSignal;
}

interface Tally {
  done: number;
  skipped: number;
  readonly failures: BulkFailure[];
  readonly made: MadeTask[];
  readonly left: Set<TaskId>;
}

/**
 * Works on an operation until it has ended, was aborted, or the process is about to end. @returns nothing when another process works on it
 */
export async function runBulk(deps: BulkRunDeps, id: string): Promise<BulkRecord | undefined> {
  const { records, holder, clock } = deps;
  let record = await records.change(id, (present) =>
    present.state === 'running' && (present.heldUntil <= clock() || present.holder === holder) ? held(present, deps) : undefined,
  );
  if (record === undefined) return undefined;
  const stopped = new AbortController();
  const watch = watchFor(deps, id, stopped);
  const signal = AbortSignal.any([deps.signal, stopped.signal]);
  try {
    while (record?.state === 'running' && !signal.aborted) record = await doPart(deps, record, signal);
    return record;
  } finally {
    stopped.abort();
    await watch;
  }
}

/** Keeps the operation held, and stops the run when another process has aborted or taken it. */
async function watchFor(deps: BulkRunDeps, id: string, stopped: AbortController): Promise<void> {
  const { records, holder, signal } = deps;
  const ended = AbortSignal.any([signal, stopped.signal]);
  while (!ended.aborted) {
    await delay(LOOK_MS, undefined, { signal: ended, ref: false }).catch(() => undefined);
    if (ended.aborted) return;
    const isHeld = (present: BulkRecord): boolean => present.state === 'running' && present.holder === holder;
    const renewed = await records
      .change(id, (present) => (isHeld(present) ? held(present, deps) : undefined))
      .catch(() => 'unknown' as const);
    if (renewed === undefined) stopped.abort();
  }
}

/**
 * Changes the tasks that were written down, and writes down the next ones. @returns the record, nothing when another process has taken the
 * operation
 */
async function doPart(deps: BulkRunDeps, record: BulkRecord, signal: AbortSignal): Promise<BulkRecord | undefined> {
  const tally = await actOn(deps, record, signal);
  const next = tally.left.size > 0 || record.isLast ? undefined : await deps.find(record, PART);
  return deps.records.change(record.id, (present) => {
    if (present.holder !== deps.holder) return undefined;
    const counted = withTally(present, tally);
    if (present.state !== 'running') return counted;
    if (next === undefined) return tally.left.size > 0 ? counted : { ...counted, state: 'done', endedAt: deps.clock() };
    const { after: _after, ...rest } = counted;
    return held(
      { ...rest, pending: next.taskIds, isLast: next.next === undefined, ...(next.next !== undefined && { after: next.next }) },
      deps,
    );
  });
}

async function actOn({ act }: BulkRunDeps, record: BulkRecord, signal: AbortSignal): Promise<Tally> {
  const tally: Tally = { done: 0, skipped: 0, failures: [], made: [], left: new Set(record.pending) };
  const queue = record.pending.values();
  const lane = async (): Promise<void> => {
    for (const taskId of queue) {
      // A data file answers within the same turn of the event loop: without this pause, no request would be answered during the operation,
      // and none could abort it.
      await nextTurn();
      if (signal.aborted) return;
      try {
        const verdict = await act(record, taskId);
        tally[verdict === 'skipped' ? 'skipped' : 'done'] += 1;
        if (typeof verdict === 'object') tally.made.push({ taskId, ...verdict });
      } catch (error) {
        const code = codeOf(error);
        // The store is unreachable: that is no failure of the task.
        if (code === 'STORE_UNAVAILABLE') return await delay(LOOK_MS);
        tally.failures.push({ taskId, code });
      }
      tally.left.delete(taskId);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return tally;
}

function withTally(record: BulkRecord, { done, skipped, failures, made, left }: Tally): BulkRecord {
  return {
    ...record,
    done: record.done + done,
    skipped: record.skipped + skipped,
    failed: record.failed + failures.length,
    failures: [...record.failures, ...failures].slice(0, NAMED),
    made: [...record.made, ...made].slice(0, NAMED),
    pending: [...left],
  };
}

function held(record: BulkRecord, { holder, clock }: Pick<BulkRunDeps, 'holder' | 'clock'>): BulkRecord {
  return { ...record, holder, heldUntil: clock() + HELD_MS };
}
