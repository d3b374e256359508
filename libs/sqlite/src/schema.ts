/**
 * The schema of a data file. All tables are made when the file is; `user_version` is the version of them. A file of another version is
 * refused, and left as it is.
 */
import type { SqliteDatabase } from './database.js';
import { PEERS } from './peers.js';

/** The tables of a data file. */
export interface Schema {
  /** Another one after each change of the tables. */
  readonly version: number;
  /** Statements, separated by semicolons. */
  readonly sql: string;
}

/** "LHUL", by which a file is known to be Longhaul's: https://sqlite.org/pragma.html#pragma_application_id */
const APPLICATION_ID = 0x4c48554c;

/**
 * Takes a new file for Longhaul, and makes its tables: all or none.
 *
 * @throws Error with one line that says what to do, when it is a database of another program or of another version
 */
export async function makeTables(database: SqliteDatabase, { version, sql }: Schema): Promise<void> {
  if (hasTables(database, version)) return;
  await database.transaction(() => {
    // Another process may have made them meanwhile.
    if (hasTables(database, version)) return;
    if (database.get('SELECT 1 FROM sqlite_schema LIMIT 1') !== undefined)
      throw new Error(`${database.path} is a database of another program: move it away, or set LONGHAUL_DATA_DIR to another folder.`);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${version}; ${PEERS}; ${sql}`);
  });
}

function hasTables(database: SqliteDatabase, version: number): boolean {
  if (database.get('PRAGMA application_id')?.['application_id'] !== APPLICATION_ID) return false;
  const found = database.get('PRAGMA user_version')?.['user_version'];
  if (found !== version)
    throw new Error(
      `${database.path} has version ${String(found)} of the data file, and this Longhaul has version ${version}: run the Longhaul that wrote it, or set LONGHAUL_DATA_DIR to another folder.`,
    );
  return true;
}
