/**
 * What an error says of Redis, in one place. Anything that is in neither class is the caller's own fault, such as a
 * script with a mistake in it: it must not be taken for an outage, which others would wait for.
 */
const NAMES = new Set(['MaxRetriesPerRequestError', 'ClusterAllFailedError', 'AbortError', 'ConnectionClosedError']);
const CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH', 'ENOENT']);
/** What ioredis says in a plain `Error`, and replies of a server that cannot serve at the moment. */
const MESSAGES = /^(Connection is closed|Command timed out|Stream isn't writeable|Socket timeout|Cluster isn't ready|Too many Cluster redirections|None of startup nodes|(LOADING|MASTERDOWN|READONLY|CLUSTERDOWN|TRYAGAIN|BUSY|MISCONF|NOREPLICAS)\b)/;
const OUT_OF_MEMORY = /^OOM\b/;
/** What an error of ioredis says of Redis; nothing for any other error. */
export function faultOf(error) {
    if (isOutOfMemory(error))
        return 'full';
    return isAway(error) ? 'away' : undefined;
}
/** Whether an error of ioredis says that Redis cannot be reached, or cannot serve at the moment. */
export function isAway(error) {
    if (!(error instanceof Error))
        return false;
    const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
    return NAMES.has(error.name) || CODES.has(code) || MESSAGES.test(error.message);
}
/** Whether an error of ioredis says that a command was never sent, because there was no connection. */
export function isUnsent(error) {
    return error instanceof Error && error.message.startsWith("Stream isn't writeable");
}
function isOutOfMemory(error) {
    if (!(error instanceof Error))
        return false;
    if (OUT_OF_MEMORY.test(error.message))
        return true;
    // A transaction is refused for what was said of its commands.
    const earlier = 'previousErrors' in error ? error.previousErrors : undefined;
    return Array.isArray(earlier) && earlier.some(isOutOfMemory);
}
//# sourceMappingURL=fault.js.map