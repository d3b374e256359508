import { faultOf, type SqliteDatabase } from '@longhaul/sqlite';
import { TaskError } from '@longhaul/tasks';

const CODES = { away: 'STORE_UNAVAILABLE', full: 'STORE_FULL' } as const;

/**
 * Reads and writes in a data file.
 *
 * @throws TaskError `STORE_UNAVAILABLE` when the file cannot be read or written at the moment, `STORE_FULL` when there is no room
 */
export interface DataFile {
  /** Reads; what is more than one statement may see what others write in between. */
  read<T>(run: (database: SqliteDatabase) => T): Promise<T>;
  /** Reads and writes as one, alone among all processes. @param run synchronous */
  write<T>(run: (database: SqliteDatabase) => T): Promise<T>;
}

export function dataFile(database: SqliteDatabase): DataFile {
  return {
    read: (run) => whileReachable(async () => run(database)),
    write: (run) => whileReachable(() => database.transaction(() => run(database))),
  };
}

async function whileReachable<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const fault = faultOf(error);
    throw fault === undefined ? error : new TaskError(CODES[fault], undefined, undefined, { cause: error });
  }
}
