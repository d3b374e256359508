import { outcomeBy } from '../domain/evolve.js';
import { TaskError } from '../errors.js';
import { fromStored } from '../ports/stored-event.js';
import { openedView, viewText } from './view-text.js';
import { isEncrypted, whenReady } from '../ports/payload-codec.js';
/** Says nothing of the task but who runs it. */
const PLAIN_EVENT = 'PassStarted';
/** What is kept of an append. @param maxOutcomeBytes a larger outcome is kept in its event only */
export function textsOf(codec, request, maxOutcomeBytes = 0) {
    const { taskId, expectedVersion, events, projection } = request;
    const outcome = outcomeText(projection.outcome, maxOutcomeBytes);
    return whenReady(codec.sealFor(projection.view.owner), (seal) => {
        const kept = events.map((event, at) => event.type === PLAIN_EVENT ? event : withData(event, seal(event.data, eventPlace(taskId, expectedVersion + 1 + at, event))));
        const end = kept.at(-1);
        return {
            events: kept,
            view: viewText(projection.view, seal),
            outcome: outcome !== undefined && end !== undefined && isEncrypted(end.data) ? JSON.stringify(end) : outcome,
        };
    });
}
/** Events that were kept, the first of which has the version. @throws TaskError `HISTORY_UNREADABLE`, and what the codec throws */
export async function eventsFrom(codec, taskId, firstVersion, stored) {
    const events = [];
    for (const [at, event] of stored.entries()) {
        const opened = codec.open(event.data, eventPlace(taskId, firstVersion + at, event));
        events.push(fromStored({ ...event, data: typeof opened === 'string' ? opened : await opened }));
    }
    return events;
}
/** An outcome that was kept with a view. @throws what the codec throws */
export function outcomeFrom(codec, view, text) {
    return openedOutcome(codec, view, JSON.parse(text));
}
function openedOutcome(codec, { taskId, version }, kept) {
    return 'meta' in kept ? outcomeOf(codec, taskId, version, kept) : kept;
}
async function outcomeOf(codec, taskId, version, kept) {
    const [event] = await eventsFrom(codec, taskId, version, [kept]);
    const outcome = event && outcomeBy(event);
    if (outcome === undefined)
        throw new TaskError('HISTORY_UNREADABLE', `A task does not end with ${kept.type}.`);
    return outcome;
}
/**
 * How a task ended, by the message that brings it: view and outcome as they are kept. Nothing if it brings none of this task that can
 * be read: a message may be anybody's, and who waits for the task then reads it where it is kept, and learns why.
 */
export function endFrom(codec, taskId, message) {
    try {
        const kept = JSON.parse(message);
        if (kept.view.taskId !== taskId)
            return undefined;
        const end = whenReady(openedView(codec, kept.view), (view) => whenReady(openedOutcome(codec, view, kept.outcome), (outcome) => ({ view, outcome })));
        return end instanceof Promise ? end.catch(() => undefined) : end;
    }
    catch {
        return undefined;
    }
}
function withData({ type, meta }, data) {
    return { type, data, meta };
}
/** Type and meta are plain, and belong to the data. */
function eventPlace(id, version, { type, meta }) {
    return { kind: 'task', id, field: `${type} ${meta}`, version };
}
function outcomeText(outcome, maxBytes) {
    if (outcome === undefined || maxBytes === 0)
        return undefined;
    const json = JSON.stringify(outcome);
    return Buffer.byteLength(json) > maxBytes ? undefined : json;
}
//# sourceMappingURL=task-texts.js.map