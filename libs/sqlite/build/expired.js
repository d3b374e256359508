/** More than one, so that a table shrinks when less is added to it than before. */
const AT_ONCE = 8;
/**
 * Removes some of the rows that have expired: called whenever a row is added, it keeps a table from growing with what nobody asks
 * for any more, at a bounded cost. Readers of the table look at `expires_at` all the same.
 *
 * @param table a table with rowids, a column `expires_at` and an index on it
 */
export function removeExpired(database, table, now) {
    database.run(`DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE expires_at <= ? LIMIT ${AT_ONCE})`, now);
}
//# sourceMappingURL=expired.js.map