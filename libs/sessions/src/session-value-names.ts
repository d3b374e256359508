/**
 * Defines the names under which the server itself keeps values of a session. They are persisted, so they are frozen. Features outside of
 * the server must not use this prefix.
 */
const OWN = 'longhaul/';

/** The value that says that the session is subscribed to the resource. */
export const SUBSCRIPTIONS = `${OWN}subscription/`;

export function subscriptionTo(uri: string): string {
  return `${SUBSCRIPTIONS}${uri}`;
}

/** The value that says that the session job runs; it holds the run id. */
export function runningJob(name: string): string {
  return `${OWN}job/${name}`;
}
