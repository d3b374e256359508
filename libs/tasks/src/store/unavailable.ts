import { TaskError } from '../errors.js';

const NAMES = new Set(['MaxRetriesPerRequestError', 'ClusterAllFailedError', 'AbortError', 'ConnectionClosedError']);
const CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH', 'ENOENT']);
/** What ioredis says in a plain `Error`, and replies of a server that cannot serve at the moment. */
const MESSAGES =
  /^(Connection is closed|Command timed out|Stream isn't writeable|Socket timeout|Cluster isn't ready|Too many Cluster redirections|None of startup nodes|(LOADING|MASTERDOWN|READONLY|CLUSTERDOWN|TRYAGAIN|BUSY|MISCONF|NOREPLICAS|OOM)\b)/;

/** Whether an error of ioredis says that Redis cannot be reached, or cannot serve at the moment. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return NAMES.has(error.name) || CODES.has(code) || MESSAGES.test(error.message);
}

/**
 * Runs something on Redis.
 *
 * @throws TaskError `STORE_UNAVAILABLE` with the cause, when Redis cannot be reached; other errors as they are.
 */
export async function whileReachable<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isUnavailable(error)) throw new TaskError('STORE_UNAVAILABLE', undefined, undefined, { cause: error });
    throw error;
  }
}
