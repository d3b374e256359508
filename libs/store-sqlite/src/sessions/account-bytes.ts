import type { SqliteDatabase } from '@longhaul/sqlite';

/** Counts the bytes of the values of an account's sessions, and of its records. */
export function bytesOfAccount(database: SqliteDatabase, account: string, now: number): number {
  const { bytes } = database.get(
    `SELECT (SELECT coalesce(sum(bytes), 0) FROM value_holders WHERE account = ? AND expires_at > ?)
       + (SELECT coalesce(sum(c.bytes), 0) FROM record_owners o JOIN collections c ON c.owner = o.owner
          WHERE o.account = ? AND (o.expires_at IS NULL OR o.expires_at > ?)) AS bytes`,
    account,
    now,
    account,
    now,
  ) as { bytes: number };
  return bytes;
}
