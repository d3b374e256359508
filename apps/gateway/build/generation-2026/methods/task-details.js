import { codeIn2026 } from '../requests/error-codes.js';
import { canBeAsked, inputRequestsOf } from '../multi-round-trip/input-requests.js';
/** While a task is young its client may ask sooner; one that has run for long is not about to end. */
const YOUNG_MS = 5_000;
const OLD_MS = 60_000;
const YOUNG_POLL_MS = 500;
const OLD_FACTOR = 5;
/** @param now epoch milliseconds */
export function taskHead(view, now) {
    const message = statusMessageOf(view);
    return {
        taskId: view.taskId,
        status: statusOf(view),
        ...(message !== undefined && { statusMessage: message }),
        createdAt: new Date(view.createdAt).toISOString(),
        lastUpdatedAt: new Date(view.updatedAt).toISOString(),
        ttlMs: view.ttlMs,
        pollIntervalMs: pollIntervalOf(view, now),
    };
}
/** @param outcome how the task ended, once it has */
export function taskDetails(view, outcome, { capabilities, now }) {
    const head = taskHead(view, now);
    if (outcome?.kind === 'result')
        return { ...head, result: { ...outcome.result, resultType: 'complete' } };
    if (outcome?.kind === 'error')
        return { ...head, error: { ...outcome.error, code: codeIn2026(outcome.error.code) } };
    if (head.status !== 'input_required')
        return head;
    return { ...head, inputRequests: inputRequestsOf(view.pendingInputs, capabilities) };
}
function statusOf({ ending, pendingInputs }) {
    if (ending === undefined)
        return pendingInputs.some(({ method }) => canBeAsked(method)) ? 'input_required' : 'working';
    if (ending.kind === 'result')
        return 'completed';
    return ending.kind === 'error' ? 'failed' : 'cancelled';
}
/** What the workflow said last is about work that is over once the task has ended. */
function statusMessageOf({ ending, statusMessage }) {
    return ending === undefined ? statusMessage : ending.message;
}
function pollIntervalOf({ createdAt, pollIntervalMs }, now) {
    const age = now - createdAt;
    if (age < YOUNG_MS)
        return Math.min(pollIntervalMs, YOUNG_POLL_MS);
    return age < OLD_MS ? pollIntervalMs : pollIntervalMs * OLD_FACTOR;
}
//# sourceMappingURL=task-details.js.map