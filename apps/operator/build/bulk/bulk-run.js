/**
 * One process at a time works on a bulk operation: it holds the record for some seconds and renews that. Before it does something to
 * tasks, it writes down which; so another process that goes on does those again, and each act knows whether it was done before.
 */
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { codeOf } from '../http/problems.js';
/** For so long nobody else takes an operation whose process has died. */
const HELD_MS = 5_000;
/** An abort is noticed within this time. */
const LOOK_MS = 500;
/** Tasks that are written down together, and done at the same time. */
const PART = 100;
const AT_ONCE = 8;
/** Failures whose tasks are named. */
const NAMED_FAILURES = 20;
/** Works on an operation until it has ended, was aborted, or the process is about to end. @returns nothing when somebody else works on it */
export async function runBulk(deps, id) {
    const { records, holder } = deps;
    let record = await records.change(id, (present) => present.state === 'running' && (present.heldUntil <= Date.now() || present.holder === holder) ? held(present, holder) : undefined);
    if (record === undefined)
        return undefined;
    const stopped = new AbortController();
    const watch = watchFor(deps, id, stopped);
    const signal = AbortSignal.any([deps.signal, stopped.signal]);
    try {
        while (record?.state === 'running' && !signal.aborted)
            record = await doPart(deps, record, signal);
        return record;
    }
    finally {
        stopped.abort();
        await watch;
    }
}
/** Keeps the operation held, and stops the run when somebody has aborted or taken it. */
async function watchFor({ records, holder, signal }, id, stopped) {
    const ended = AbortSignal.any([signal, stopped.signal]);
    while (!ended.aborted) {
        await delay(LOOK_MS, undefined, { signal: ended, ref: false }).catch(() => undefined);
        if (ended.aborted)
            return;
        const isHeld = (present) => present.state === 'running' && present.holder === holder;
        const renewed = await records
            .change(id, (present) => (isHeld(present) ? held(present, holder) : undefined))
            .catch(() => 'unknown');
        if (renewed === undefined)
            stopped.abort();
    }
}
/** Does what was written down, and writes down what is next. @returns the record, nothing when somebody else has taken the operation */
async function doPart(deps, record, signal) {
    const tally = await actOn(deps, record, signal);
    const next = tally.left.size > 0 || record.isLast ? undefined : await deps.find(record, PART);
    return deps.records.change(record.id, (present) => {
        if (present.holder !== deps.holder)
            return undefined;
        const counted = withTally(present, tally);
        if (present.state !== 'running')
            return counted;
        if (next === undefined)
            return tally.left.size > 0 ? counted : { ...counted, state: 'done', endedAt: Date.now() };
        const { after: _after, ...rest } = counted;
        return held({ ...rest, pending: next.taskIds, isLast: next.next === undefined, ...(next.next !== undefined && { after: next.next }) }, deps.holder);
    });
}
async function actOn({ act }, record, signal) {
    const tally = { done: 0, skipped: 0, failures: [], left: new Set(record.pending) };
    const queue = record.pending.values();
    const lane = async () => {
        for (const taskId of queue) {
            // A data file answers within the turn: without this, no request would be answered meanwhile, and none could abort it.
            await nextTurn();
            if (signal.aborted)
                return;
            try {
                tally[await act(record, taskId)] += 1;
            }
            catch (error) {
                const code = codeOf(error);
                // The store is away: that says nothing of the task.
                if (code === 'STORE_UNAVAILABLE')
                    return await delay(LOOK_MS);
                tally.failures.push({ taskId, code });
            }
            tally.left.delete(taskId);
        }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    return tally;
}
function withTally(record, { done, skipped, failures, left }) {
    return {
        ...record,
        done: record.done + done,
        skipped: record.skipped + skipped,
        failed: record.failed + failures.length,
        failures: [...record.failures, ...failures].slice(0, NAMED_FAILURES),
        pending: [...left],
    };
}
function held(record, holder) {
    return { ...record, holder, heldUntil: Date.now() + HELD_MS };
}
//# sourceMappingURL=bulk-run.js.map