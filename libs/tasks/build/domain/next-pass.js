import {} from './state.js';
import { isSettled } from './operations.js';
/**
 * When the next pass is due is decided here and nowhere else. The process that appends an event asks this of the
 * state after it and enqueues what it says; so an answer that arrives while a pass is still suspending is not lost,
 * and no pass starts while one is running.
 *
 * @returns `undefined` when the task has ended, is running, or waits for something without a time.
 */
export function nextPass(state) {
    if (state.version === 0 || state.outcome !== undefined)
        return undefined;
    const pass = state.passNumber + 1;
    switch (state.pass.phase) {
        case 'running':
            return undefined;
        case 'idle':
            return { pass, dueAt: 0 };
        case 'retrying':
            return { pass, dueAt: state.pass.retryAt };
        case 'suspended': {
            const dueAt = settlesAt(state, state.pass.waitingFor);
            return Number.isFinite(dueAt) ? { pass, dueAt } : undefined;
        }
    }
}
/** When the first of the operations settles: 0 when one has or when there is none, infinity when only others can settle them. */
export function settlesAt(state, keys) {
    if (keys.length === 0)
        return 0;
    return keys.reduce((earliest, key) => Math.min(earliest, settlementTime(state.operations.get(key))), Number.POSITIVE_INFINITY);
}
function settlementTime(operation) {
    if (isSettled(operation))
        return 0;
    if (operation?.status === 'scheduled')
        return operation.dueAt;
    if (operation?.status === 'retrying')
        return operation.retryAt;
    return Number.POSITIVE_INFINITY;
}
//# sourceMappingURL=next-pass.js.map