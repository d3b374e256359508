/**
 * The methods of all protocol versions, and what is known of each without running it. This is the only list of them: what may be
 * sent again, what headers repeat, what is run in rounds, what may be kept and what is served is derived from it, here and
 * on standard input. So this file imports nothing.
 */
/** How long clients may keep what does not depend on who asks, milliseconds; a notification says when it changes. */
const LISTED_MS = 60_000;
/** Every method that a client may call, in some protocol version. */
export const METHODS = {
    initialize: { isRepeatable: true },
    ping: { isRepeatable: true },
    shutdown: { isRepeatable: true },
    'server/discover': { keptMs: LISTED_MS, isRepeatable: true },
    'tools/list': { keptMs: LISTED_MS, isRepeatable: true },
    'tools/call': { subject: 'name', mayAsk: true },
    'prompts/list': { capability: 'prompts', keptMs: LISTED_MS, isRepeatable: true },
    'prompts/get': { capability: 'prompts', subject: 'name', mayAsk: true, isRepeatable: true },
    'resources/list': { capability: 'resources', keptMs: 0, isRepeatable: true },
    'resources/templates/list': { capability: 'resources', keptMs: LISTED_MS, isRepeatable: true },
    'resources/read': { capability: 'resources', subject: 'uri', mayAsk: true, keptMs: 0, isRepeatable: true },
    'resources/subscribe': { capability: 'resources.subscribe', isRepeatable: true },
    'resources/unsubscribe': { capability: 'resources.subscribe', isRepeatable: true },
    'completion/complete': { capability: 'completions', isRepeatable: true },
    'logging/setLevel': { capability: 'logging', isRepeatable: true },
    'subscriptions/listen': { isRepeatable: true, isSubscription: true },
    'tasks/get': { subject: 'taskId', isRepeatable: true, standIns: ['task_status', 'task_result', 'task_view'] },
    'tasks/list': { capability: 'tasks.list', isRepeatable: true },
    'tasks/result': { isRepeatable: true },
    'tasks/update': { subject: 'taskId', standIns: ['task_answer'] },
    'tasks/cancel': { subject: 'taskId', standIns: ['task_cancel'] },
};
const BY_NAME = new Map(Object.entries(METHODS));
/** @returns no traits for a text that is the name of no method */
export function traitsOf(method) {
    return BY_NAME.get(method) ?? {};
}
/** A method as logs, spans and metrics name it. One that only its client knows is `_OTHER`, as in OpenTelemetry's conventions. */
export function shownMethod(method) {
    return BY_NAME.has(method) ? method : '_OTHER';
}
//# sourceMappingURL=methods.js.map