import { standingOf } from './standing.js';
import { isJsonObject } from '../json.js';
/** An ended task is kept at least this long after its end, also with a shorter `ttlMs`. */
export const MIN_RETENTION_MS = 60_000;
/** A message in a view is cut off here; the outcome has all of it. */
const MAX_MESSAGE_LENGTH = 500;
const REASON = /^[A-Z][A-Z0-9_]{0,63}$/;
/** @returns nothing as long as the task has not ended */
export function retentionOf(view) {
    const { endedAt, ttlMs, implicit, keptMs = 0 } = view;
    if (endedAt === undefined)
        return undefined;
    return { fromBeginMs: implicit === true ? 0 : ttlMs, fromEndMs: MIN_RETENTION_MS, keptMs };
}
/** About when an ended task is gone for everybody, by the clock of the process that ended it. @returns nothing as long as it has not ended */
export function goneAt(view) {
    const { createdAt, continuedAt = createdAt, endedAt } = view;
    const retention = retentionOf(view);
    if (retention === undefined || endedAt === undefined)
        return undefined;
    return Math.max(continuedAt + retention.fromBeginMs, endedAt + retention.fromEndMs, endedAt + retention.keptMs);
}
/** Projects a state of at least one event. */
export function project(taskId, state) {
    const { task, outcome } = state;
    if (task === undefined)
        throw new RangeError('A task without events has no view.');
    const pendingInputs = outcome === undefined ? pendingInputsOf(state) : [];
    const view = {
        taskId,
        version: state.version,
        tool: task.tool,
        owner: task.owner,
        ...(task.scopes !== undefined && { scopes: task.scopes }),
        ...(task.accounts !== undefined && { accounts: task.accounts }),
        ...(task.sessionId !== undefined && { sessionId: task.sessionId }),
        generation: task.client.generation,
        ...(task.implicit === true && { implicit: true }),
        createdAt: state.createdAt,
        ...(state.runStartedAt !== state.createdAt && { continuedAt: state.runStartedAt }),
        updatedAt: state.updatedAt,
        ...(state.endedAt !== undefined && { endedAt: state.endedAt }),
        ttlMs: task.ttlMs,
        pollIntervalMs: task.pollIntervalMs,
        // The token is that of the request that created the origin, whose progress is another one.
        ...(task.progressToken !== undefined && task.forkedFrom === undefined && { progressToken: task.progressToken }),
        ...(task.idempotencyKey !== undefined && { idempotencyKey: task.idempotencyKey }),
        ...(task.forkedFrom !== undefined && { forkedFrom: task.forkedFrom }),
        ...(task.imported !== undefined && { isImported: true }),
        ...(task.trace !== undefined && { trace: task.trace }),
        ...(task.traceState !== undefined && { traceState: task.traceState }),
        ...(state.statusMessage !== undefined && { statusMessage: state.statusMessage }),
        ...(state.progress !== undefined && { progress: state.progress, progressAt: state.progressAt }),
        ...(state.notifiedAt > 0 && { notifiedAt: state.notifiedAt }),
        pendingInputs,
        standing: standingOf(state),
        ...(state.workerVersion !== undefined && { workerVersion: state.workerVersion }),
        ...(outcome !== undefined && { ending: endingOf(outcome) }),
    };
    return outcome === undefined ? { view } : { view, outcome };
}
function pendingInputsOf(state) {
    const pending = [];
    for (const key of state.pendingInputs) {
        const operation = state.operations.get(key);
        if (operation?.status === 'pending')
            pending.push({ key, method: operation.method, params: operation.params, askedAt: operation.askedAt });
    }
    return pending;
}
function endingOf(outcome) {
    switch (outcome.kind) {
        case 'result': {
            if (outcome.result['isError'] !== true)
                return { kind: 'result', isError: false };
            const message = firstText(outcome.result);
            return { kind: 'result', isError: true, ...(message !== undefined && { message }) };
        }
        case 'error':
            return { kind: 'error', isError: true, message: outcome.error.message, reason: reasonOf(outcome.error) };
        case 'cancelled':
            return { kind: 'cancelled', isError: false, ...(outcome.reason !== undefined && { message: outcome.reason }) };
    }
}
/** A word that the engine, or an author, gave the failure; else its code. Failures are grouped by it, so no free text may be one. */
function reasonOf({ code, data }) {
    const reason = isJsonObject(data) ? data['reason'] : undefined;
    return typeof reason === 'string' && REASON.test(reason) ? reason : String(code);
}
/** What a tool's error result says, for the status message of its task. */
function firstText({ content }) {
    const first = Array.isArray(content) ? content[0] : undefined;
    if (typeof first !== 'object' || first === null || !('text' in first) || typeof first.text !== 'string')
        return undefined;
    return first.text.slice(0, MAX_MESSAGE_LENGTH);
}
//# sourceMappingURL=task-view.js.map