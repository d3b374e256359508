/**
 * Makes the tables of a data file, and checks their version. All tables are made when the file is; `user_version` is their version. A file
 * of another version is refused and left unchanged.
 */
import type { SqliteDatabase } from './database.js';
import { PEERS } from './peers.js';

/** The tables of a data file. */
export interface Schema {
  /** Another number after each change of the tables. */
  readonly version: number;
  /** Statements, separated by semicolons. */
  readonly sql: string;
}

/** "LHUL", which marks a file as Longhaul's: https://sqlite.org/pragma.html#pragma_application_id */
const APPLICATION_ID = 0x4c48554c;

/**
 * Marks a new file as Longhaul's, and makes its tables: all or none.
 *
 * @throws Error with one line that says what to do, when it is a database of another program or of another version
 */
export async function makeTables(database: SqliteDatabase, { version, sql }: Schema): Promise<void> {
  if (hasTables(database, version)) return;
  await database.transaction(() => {
    // Another process may have made them since the check.
    if (hasTables(database, version)) return;
    if (database.get('SELECT 1 FROM sqlite_schema LIMIT 1') !== undefined)
      throw new Error(`${database.path} is a database of another program: move it away, or set LONGHAUL_DATA_DIR to another folder.`);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${version}; ${PEERS}; ${sql}`);
  });
}

/** Whether it has the tables of this version. @throws Error with one line when it has those of another one */
export function hasTables(database: Pick<SqliteDatabase, 'get' | 'path'>, version: number): boolean {
  if (database.get('PRAGMA application_id')?.['application_id'] !== APPLICATION_ID) return false;
  const found = database.get('PRAGMA user_version')?.['user_version'];
  if (found !== version)
    throw new Error(
      `${database.path} has version ${String(found)} of the data file, and this Longhaul has version ${version}: run the Longhaul that wrote it, or set LONGHAUL_DATA_DIR to another folder.`,
    );
  return true;
}
