import type { SqliteDatabase } from './database.js';

/** More than one, so that a table shrinks when fewer rows are added than before. */
const AT_ONCE = 8;

/**
 * Removes some of the expired rows: called whenever a row is added, it keeps unused rows from filling a table, at a bounded cost. Readers
 * of the table must still check `expires_at`.
 *
 * @param table a table with rowids, a column `expires_at` and an index on it
 */
export function removeExpired(database: SqliteDatabase, table: string, now: number): void {
  database.run(`DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE expires_at <= ? LIMIT ${AT_ONCE})`, now);
}
