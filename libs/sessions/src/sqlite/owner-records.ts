import { removeExpired, type SqliteDatabase } from '@longhaul/sqlite';
import { type Clock, FIELD_LIMITS, type RecordOwner } from '@longhaul/tasks';
import {
  type ChangesVerdict,
  type CollectionRef,
  type CollectionVersion,
  type OwnerRecords,
  RECORD_LIMITS,
  type RecordChanges,
  type RecordPage,
  tooManyCollections,
} from '../ports/owner-records.js';
import { accountFull } from '../ports/session-state.js';
import { bytesOfAccount } from './account-bytes.js';
import type { DataFile } from './data-file.js';
import { type Collection, growthOf, newCollection, readPage, storeChanges } from './collections.js';

/** What the records are kept with. */
export interface SqliteOwnerRecordsDeps {
  readonly file: DataFile;
  readonly clock: Clock;
  /** What the sessions of an account may hold, with its records. @defaultValue as `FIELD_LIMITS` */
  readonly maxAccountBytes: number | undefined;
}

/** An owner that is read often is kept from being forgotten by a write in each such part of its idle time. */
const KEPT_PARTS = 8;

/** `OwnerRecords` in the data file. Readers see a collection as one version of it; writers take turns. */
export class SqliteOwnerRecords implements OwnerRecords {
  readonly #maxAccountBytes: number;

  constructor(private readonly deps: SqliteOwnerRecordsDeps) {
    this.#maxAccountBytes = deps.maxAccountBytes ?? FIELD_LIMITS.accountSessionBytes;
  }

  async changesSince({ owner, name }: CollectionRef, since: CollectionVersion): Promise<RecordPage> {
    await this.#keepUsed(owner);
    return this.deps.file.read((database) => readPage(database, { ownerId: owner.id, name, since, now: this.deps.clock() }));
  }

  async apply({ owner, name }: CollectionRef, changes: RecordChanges): Promise<ChangesVerdict> {
    return this.deps.file.write((database) => {
      this.#removeIfExpired(database, owner.id);
      const present = database.get('SELECT id, epoch, at, floor, bytes FROM collections WHERE owner = ? AND name = ?', owner.id, name) as
        Collection | undefined;
      const isPresent = changes.since.epoch === (present?.epoch ?? '') && changes.since.at === (present?.at ?? 0);
      if (!this.#mayApply(database, { ownerId: owner.id, name, isPresent, update: changes.update })) return 'conflict';
      if (present === undefined) requireRoomForCollection(database, owner.id);
      const grown = growthOf(present && { database, collection: present.id }, changes.changes);
      if (grown > 0 && (present?.bytes ?? 0) + grown > changes.maxBytes) return 'too-large';
      this.#requireRoomInAccount(database, owner, grown);
      const bytes = (present?.bytes ?? 0) + grown;
      this.#keepOwner(database, owner);
      // Without records there is no collection, and without collections no owner.
      if (bytes > 0) storeChanges(database, present ?? newCollection(database, owner.id, name), bytes, changes.changes);
      else if (present !== undefined) database.run('DELETE FROM collections WHERE id = ?', present.id);
      database.run('DELETE FROM record_owners WHERE owner = ?1 AND NOT EXISTS (SELECT 1 FROM collections WHERE owner = ?1)', owner.id);
      return 'applied';
    });
  }

  async keep(ownerId: string, ms: number): Promise<void> {
    const now = this.deps.clock();
    await this.deps.file.write((database) =>
      database.run(
        'UPDATE record_owners SET expires_at = ? WHERE owner = ? AND (expires_at IS NULL OR expires_at > ?)',
        now + ms,
        ownerId,
        now,
      ),
    );
  }

  async clear(ownerId: string): Promise<void> {
    await this.deps.file.write((database) => database.run('DELETE FROM record_owners WHERE owner = ?', ownerId));
  }

  /** Reading counts as a use. */
  async #keepUsed({ id, idleMs }: RecordOwner): Promise<void> {
    if (idleMs === undefined) return;
    const now = this.deps.clock();
    const due = [id, now, now + idleMs - idleMs / KEPT_PARTS] as const;
    const where = 'owner = ? AND expires_at > ? AND expires_at < ?';
    const isDue = await this.deps.file.read((database) => database.get(`SELECT 1 FROM record_owners WHERE ${where}`, ...due) !== undefined);
    if (isDue)
      await this.deps.file.write((database) =>
        database.run(`UPDATE record_owners SET expires_at = ? WHERE ${where}`, now + idleMs, ...due),
      );
  }

  /** Of an update that has lost several times, others wait for a moment until it is applied. */
  #mayApply(database: SqliteDatabase, { ownerId, name, isPresent, update }: Attempt): boolean {
    const now = this.deps.clock();
    const row = database.get('SELECT updater, expires_at FROM record_turns WHERE owner = ? AND name = ?', ownerId, name) as
      { updater: string; expires_at: number } | undefined;
    const awaited = row !== undefined && row.expires_at > now ? row.updater : undefined;
    const mayApply = isPresent && (awaited === undefined || awaited === update);
    if (mayApply) {
      if (row !== undefined) database.run('DELETE FROM record_turns WHERE owner = ? AND name = ?', ownerId, name);
    } else if (update !== undefined && awaited === undefined) {
      removeExpired(database, 'record_turns', now);
      database.run(
        'INSERT OR REPLACE INTO record_turns (owner, name, updater, expires_at) VALUES (?, ?, ?, ?)',
        ownerId,
        name,
        update,
        now + RECORD_LIMITS.turnMs,
      );
    }
    return mayApply;
  }

  #requireRoomInAccount(database: SqliteDatabase, { account }: RecordOwner, grown: number): void {
    if (grown <= 0 || account === undefined) return;
    if (bytesOfAccount(database, account, this.deps.clock()) + grown > this.#maxAccountBytes) throw accountFull(this.#maxAccountBytes);
  }

  #keepOwner(database: SqliteDatabase, { id, account, idleMs }: RecordOwner): void {
    const now = this.deps.clock();
    removeExpired(database, 'record_owners', now);
    database.run(
      `INSERT INTO record_owners (owner, account, expires_at) VALUES (?, ?, ?)
       ON CONFLICT (owner) DO UPDATE SET account = excluded.account, expires_at = excluded.expires_at`,
      id,
      account ?? null,
      idleMs === undefined ? null : now + idleMs,
    );
  }

  #removeIfExpired(database: SqliteDatabase, ownerId: string): void {
    database.run('DELETE FROM record_owners WHERE owner = ? AND expires_at <= ?', ownerId, this.deps.clock());
  }
}

interface Attempt {
  readonly ownerId: string;
  readonly name: string;
  /** Whether it was decided on the present state. */
  readonly isPresent: boolean;
  readonly update: string | undefined;
}

function requireRoomForCollection(database: SqliteDatabase, ownerId: string): void {
  const { count } = (database.get('SELECT count(*) AS count FROM collections WHERE owner = ?', ownerId) as
    { count: number } | undefined) ?? { count: 0 };
  if (count >= RECORD_LIMITS.collections) throw tooManyCollections();
}
