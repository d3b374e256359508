/**
 * The names under which the server itself keeps values of a session. They are persisted, so they are
 * frozen. Features that are no part of the server keep off this prefix.
 */
const OWN = 'longhaul/';
/** The session is subscribed to the resource. */
export const SUBSCRIPTIONS = `${OWN}subscription/`;
export function subscriptionTo(uri) {
    return `${SUBSCRIPTIONS}${uri}`;
}
/** The session job runs; the value is its run id. */
export function runningJob(name) {
    return `${OWN}job/${name}`;
}
//# sourceMappingURL=session-value-names.js.map