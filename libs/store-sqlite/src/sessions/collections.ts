/** Reads and writes the rows of a collection of records: see schema.ts. */
import {
  bytesOfRecord,
  type CollectionVersion,
  type FoundRecord,
  NO_VERSION,
  RECORD_LIMITS,
  type RecordChange,
  type RecordPage,
} from '@longhaul/sessions/store';
import { randomUUID } from 'node:crypto';
import type { SqliteDatabase } from '@longhaul/sqlite';

/** A row of `collections`. */
export interface Collection {
  readonly id: number;
  readonly epoch: string;
  readonly at: number;
  readonly floor: number;
  readonly bytes: number;
}

/** A position in a collection after which changes are read. */
export interface PageRequest {
  readonly ownerId: string;
  readonly name: string;
  readonly since: CollectionVersion;
  readonly now: number;
}

interface PageRow {
  readonly epoch: string;
  readonly at: number;
  readonly isAnew: 0 | 1;
  /** Null when nothing has changed. */
  readonly id: string | null;
  readonly changedAt: number;
  readonly addedAt: number;
  readonly json: string | null;
}

/** One statement, so that the records belong to the returned version. */
const PAGE = `
  WITH present AS (
    SELECT c.id, c.epoch, c.at, (c.epoch <> ? OR ? > c.at OR ? < c.floor) AS is_anew
    FROM record_owners o JOIN collections c ON c.owner = o.owner
    WHERE o.owner = ? AND c.name = ? AND (o.expires_at IS NULL OR o.expires_at > ?)
  )
  SELECT p.epoch, p.at, p.is_anew AS isAnew, r.id, r.changed_at AS changedAt, r.added_at AS addedAt, r.json
  FROM present p LEFT JOIN records r ON r.collection = p.id AND r.changed_at > CASE p.is_anew WHEN 1 THEN 0 ELSE ? END
  ORDER BY r.changed_at`;

/** About `RECORD_LIMITS.pageBytes`, but at least one record. */
export function readPage(database: SqliteDatabase, { ownerId, name, since, now }: PageRequest): RecordPage {
  const records: FoundRecord[] = [];
  let version: CollectionVersion | undefined;
  let [isAnew, last, bytes] = [since.epoch !== '', 0, 0];
  for (const row of database.iterate(PAGE, since.epoch, since.at, since.at, ownerId, name, now, since.at) as Iterable<PageRow>) {
    const { epoch, at, id, changedAt, addedAt, json } = row;
    version = { epoch, at };
    isAnew = row.isAnew === 1;
    if (id === null) break;
    if (records.length >= RECORD_LIMITS.pageRecords || bytes >= RECORD_LIMITS.pageBytes) {
      return { version: { epoch, at: last }, isAnew, hasMore: true, records };
    }
    records.push(json === null ? { id } : { id, live: { addedAt, json } });
    last = changedAt;
    bytes += json?.length ?? 0;
  }
  return { version: version ?? NO_VERSION, isAnew, hasMore: false, records };
}

/** By how many bytes changes make the collection larger; less than 0 when they make it smaller. */
export function growthOf(
  present: { readonly database: SqliteDatabase; readonly collection: number } | undefined,
  changes: readonly RecordChange[],
): number {
  return changes.reduce((sum, { id, json }) => {
    const old = present?.database.get(
      'SELECT bytes FROM records WHERE collection = ? AND id = ? AND json IS NOT NULL',
      present.collection,
      id,
    ) as { bytes: number } | undefined;
    return sum + (json === undefined ? 0 : bytesOfRecord({ id, json })) - (old?.bytes ?? 0);
  }, 0);
}

export function newCollection(database: SqliteDatabase, ownerId: string, name: string): Collection {
  const epoch = randomUUID();
  const sql = 'INSERT INTO collections (owner, name, epoch, at, floor, bytes) VALUES (?, ?, ?, 0, 0, 0) RETURNING id';
  const { id } = database.get(sql, ownerId, name, epoch) as { id: number };
  return { id, epoch, at: 0, floor: 0, bytes: 0 };
}

/** Stores changes, and the size of the collection with them. */
export function storeChanges(database: SqliteDatabase, collection: Collection, bytes: number, changes: readonly RecordChange[]): void {
  let { at } = collection;
  for (const { id, json } of changes) {
    if (json === undefined) {
      const sql = 'UPDATE records SET changed_at = ?, json = NULL, bytes = 0 WHERE collection = ? AND id = ? AND json IS NOT NULL';
      at += database.run(sql, at + 1, collection.id, id);
      continue;
    }
    at += 1;
    // A record that was removed and comes back has a new position.
    database.run(
      `INSERT INTO records (collection, id, changed_at, added_at, bytes, json) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (collection, id) DO UPDATE SET changed_at = excluded.changed_at, bytes = excluded.bytes, json = excluded.json,
         added_at = CASE WHEN json IS NULL THEN excluded.added_at ELSE added_at END`,
      collection.id,
      id,
      at,
      at,
      bytesOfRecord({ id, json }),
      json,
    );
  }
  const floor = forgetRemovals(database, collection);
  database.run('UPDATE collections SET at = ?, floor = ?, bytes = ? WHERE id = ?', at, floor, bytes, collection.id);
}

/** @returns up to which change removals are forgotten */
function forgetRemovals(database: SqliteDatabase, { id, floor }: Collection): number {
  const forgotten = database.get(
    'SELECT changed_at FROM records WHERE collection = ? AND json IS NULL ORDER BY changed_at DESC LIMIT 1 OFFSET ?',
    id,
    RECORD_LIMITS.removals,
  ) as { changed_at: number } | undefined;
  if (forgotten === undefined) return floor;
  database.run('DELETE FROM records WHERE collection = ? AND json IS NULL AND changed_at <= ?', id, forgotten.changed_at);
  return forgotten.changed_at;
}
