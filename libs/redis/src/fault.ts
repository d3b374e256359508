/**
 * Classifies errors of Redis, in one place. An error in neither class is the caller's own fault, such as a script with a mistake in it:
 * callers must not take it for an outage and wait.
 */

/** `away`: Redis cannot be reached, or cannot serve at the moment. `full`: it has refused a write for lack of memory. */
export type RedisFault = 'away' | 'full';

const NAMES = new Set(['MaxRetriesPerRequestError', 'ClusterAllFailedError', 'AbortError', 'ConnectionClosedError']);
const CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH', 'ENOENT']);
/** The messages of ioredis in a plain `Error`, and replies of a server that cannot serve at the moment. */
const MESSAGES =
  /^(Connection is closed|Command timed out|Stream isn't writeable|Socket timeout|Cluster isn't ready|Too many Cluster redirections|None of startup nodes|(LOADING|MASTERDOWN|READONLY|CLUSTERDOWN|TRYAGAIN|BUSY|MISCONF|NOREPLICAS)\b)/;
const OUT_OF_MEMORY = /^OOM\b/;

/** The class of an error of ioredis; nothing for any other error. */
export function faultOf(error: unknown): RedisFault | undefined {
  if (isOutOfMemory(error)) return 'full';
  return isAway(error) ? 'away' : undefined;
}

/** Whether an error of ioredis says that Redis cannot be reached, or cannot serve at the moment. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return NAMES.has(error.name) || CODES.has(code) || MESSAGES.test(error.message);
}

/** Whether an error of ioredis says that a command was never sent, because there was no connection. */
export function isUnsent(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("Stream isn't writeable");
}

function isOutOfMemory(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (OUT_OF_MEMORY.test(error.message)) return true;
  // A refused transaction contains the errors of its commands.
  const earlier: unknown = 'previousErrors' in error ? error.previousErrors : undefined;
  return Array.isArray(earlier) && earlier.some(isOutOfMemory);
}
