import { type Clock, TaskError } from '@longhaul/tasks';
import { StoreUnreached } from '@longhaul/tasks/store';
import { faultOf, SqliteBusyError, type SqliteChannels, type SqliteDatabase } from '@longhaul/sqlite';

/** The common dependencies of all adapters on a data file. */
export interface TaskFile {
  readonly database: SqliteDatabase;
  readonly channels: SqliteChannels;
  readonly clock: Clock;
}

/**
 * Reads or writes a data file.
 *
 * @throws TaskError `STORE_UNAVAILABLE` when it cannot be used at the moment, `STORE_FULL` without room; other errors as they are
 */
export async function whileUsable<T>(run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw storeErrorOf(error) ?? error;
  }
}

/** Writes everything that `run` does, or nothing. @throws as `whileUsable` */
export function writing<T>({ database }: Pick<TaskFile, 'database'>, run: () => T): Promise<T> {
  return whileUsable(() => database.transaction(run));
}

function storeErrorOf(error: unknown): TaskError | undefined {
  if (error instanceof SqliteBusyError) return new StoreUnreached({ cause: error });
  const fault = faultOf(error);
  if (fault === undefined) return undefined;
  const [code, text] =
    fault === 'full'
      ? (['STORE_FULL', 'The data file cannot grow: the disk is full, or the file is as large as it may be.'] as const)
      : (['STORE_UNAVAILABLE', 'The data file cannot be used at the moment.'] as const);
  return new TaskError(code, text, undefined, { cause: error });
}
