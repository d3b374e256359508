import { TaskError } from '@longhaul/tasks';
import { StoreUnreached } from '@longhaul/tasks/store';
import { faultOf, isUnsent } from '@longhaul/redis';

const CODES = { away: 'STORE_UNAVAILABLE', full: 'STORE_FULL' } as const;

/** The meaning of a Redis error for the store: `STORE_FULL` or `STORE_UNAVAILABLE` with the cause, or nothing. */
function storeErrorOf(error: unknown): TaskError | undefined {
  if (isUnsent(error)) return new StoreUnreached({ cause: error });
  const fault = faultOf(error);
  return fault && new TaskError(CODES[fault], undefined, undefined, { cause: error });
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
