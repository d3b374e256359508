import { TaskError } from '../errors.js';

const NAMES = new Set(['MaxRetriesPerRequestError', 'ClusterAllFailedError', 'AbortError', 'ConnectionClosedError']);
const CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH', 'ENOENT']);
/** What ioredis says in a plain `Error`, and replies of a server that cannot serve at the moment. */
const MESSAGES =
  /^(Connection is closed|Command timed out|Stream isn't writeable|Socket timeout|Cluster isn't ready|Too many Cluster redirections|None of startup nodes|(LOADING|MASTERDOWN|READONLY|CLUSTERDOWN|TRYAGAIN|BUSY|MISCONF|NOREPLICAS)\b)/;
const OUT_OF_MEMORY = /^OOM\b/;

/** Whether an error of ioredis says that Redis cannot be reached, or cannot serve at the moment. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return NAMES.has(error.name) || CODES.has(code) || MESSAGES.test(error.message);
}

/** Whether an error of ioredis says that Redis has refused a write for lack of memory. */
function isOutOfMemory(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (OUT_OF_MEMORY.test(error.message)) return true;
  // A transaction is refused for what was said of its commands.
  const earlier: unknown = 'previousErrors' in error ? error.previousErrors : undefined;
  return Array.isArray(earlier) && earlier.some(isOutOfMemory);
}

/** What an error of ioredis says of the store: `STORE_FULL` or `STORE_UNAVAILABLE` with the cause, or nothing. */
export function storeErrorOf(error: unknown): TaskError | undefined {
  if (isOutOfMemory(error)) return new TaskError('STORE_FULL', undefined, undefined, { cause: error });
  if (isUnavailable(error)) return new TaskError('STORE_UNAVAILABLE', undefined, undefined, { cause: error });
  return undefined;
}

/**
 * Runs something on Redis.
 *
 * @throws TaskError `STORE_UNAVAILABLE` when Redis cannot be reached, `STORE_FULL` when it is out of memory; other errors as they are.
 */
export async function whileReachable<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw storeErrorOf(error) ?? error;
  }
}
