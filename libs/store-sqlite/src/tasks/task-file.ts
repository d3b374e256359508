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
 * @param path names the file in the error
 *
 * @throws TaskError `STORE_UNAVAILABLE` when it cannot be used at the moment, `STORE_FULL` without room; other errors as they are
 */
export async function whileUsable<T>(run: () => T | Promise<T>, path?: string): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw storeErrorOf(error, path) ?? error;
  }
}

/** Writes everything that `run` does, or nothing. @throws as `whileUsable` */
export function writing<T>({ database }: Pick<TaskFile, 'database'>, run: () => T): Promise<T> {
  return whileUsable(() => database.transaction(run), database.path);
}

function storeErrorOf(error: unknown, path?: string): TaskError | undefined {
  if (error instanceof SqliteBusyError) return new StoreUnreached({ cause: error });
  const fault = faultOf(error);
  if (fault === undefined) return undefined;
  const [code, text] =
    fault === 'full'
      ? ([
          'STORE_FULL',
          `The data file${path === undefined ? '' : ` ${path}`} cannot grow: its disk is full, or it is as large as LONGHAUL_SQLITE_MAX_BYTES lets it be. Make room on the disk, set a larger limit, or wait until ended tasks have expired.`,
        ] as const)
      : (['STORE_UNAVAILABLE', 'The data file cannot be used at the moment.'] as const);
  return new TaskError(code, text, undefined, { cause: error });
}
