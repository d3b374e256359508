/**
 * The ids of the spans of a task. They follow from the task and from what is recorded of it, so that every process knows the id of
 * a span before somebody reports it: a step gives its own to the systems that it calls, on whichever worker it runs, and
 * the worker that records it reports the span under the same one.
 */
import { hash } from 'node:crypto';
const TRACE_ID_LENGTH = 32;
const SPAN_ID_LENGTH = 16;
const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})/;
/** The trace that a task belongs to: that of the request which created it, otherwise one of its own. */
export function traceOfTask(taskId, task) {
    const [, traceId, parentSpanId, flags = ''] = TRACEPARENT.exec(task?.trace ?? '') ?? [];
    if (traceId === undefined || parentSpanId === undefined)
        return { traceId: hashOf(taskId, 'trace').slice(0, TRACE_ID_LENGTH) };
    const tracestate = task?.traceState;
    return {
        traceId,
        parentSpanId,
        isSampled: (Number.parseInt(flags, 16) & 1) === 1,
        ...(tracestate !== undefined && { tracestate }),
    };
}
/** The span of the whole task. */
export function taskSpanId(taskId) {
    return spanIdOf(taskId, 'task');
}
/** The span of a pass. Its epoch is that of one claim: a pass that is taken over has another one. */
export function passSpanId(taskId, epoch) {
    return spanIdOf(taskId, `pass ${epoch}`);
}
/** The span of a try of a step: the same when the try was lost with its worker, and is made again. @param state before the record of the try */
export function stepSpanId(taskId, state, key, tried) {
    return spanIdOf(taskId, `step ${state.runSince} ${state.attempt} ${tried} ${key}`);
}
/** The span of a wait for the client or for a time. @param since when it was recorded, epoch milliseconds */
export function waitSpanId(taskId, key, since) {
    return spanIdOf(taskId, `wait ${since} ${key}`);
}
/** A `traceparent` for what happens within a span of the task. */
export function traceparentOf({ traceId, isSampled = true }, spanId) {
    return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}
function spanIdOf(taskId, what) {
    return hashOf(taskId, what).slice(0, SPAN_ID_LENGTH);
}
function hashOf(taskId, what) {
    return hash('sha256', `${taskId} ${what}`, 'hex');
}
//# sourceMappingURL=span-ids.js.map