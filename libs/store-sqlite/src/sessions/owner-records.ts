import type { OwnerRecords } from '@longhaul/sessions';
import { type TaskFile, whileUsable, writing } from '../tasks/task-file.js';
import {
  accountFull,
  bytesOfRecord,
  type ChangesVerdict,
  type CollectionRef,
  type CollectionVersion,
  RECORD_LIMITS,
  type RecordChanges,
  type RecordPage,
  tooManyCollections,
} from '@longhaul/sessions/store';
import { removeExpired, type SqliteDatabase } from '@longhaul/sqlite';
import { FIELD_LIMITS, type RecordOwner, type StoreCapacity } from '@longhaul/tasks';
import { bytesOfAccount } from './account-bytes.js';
import { type Collection, growthOf, newCollection, readPage, storeChanges } from './collections.js';

/** Dependencies of the records. */
export interface SqliteOwnerRecordsDeps extends TaskFile {
  readonly capacity: StoreCapacity;
  /** Limit of the sessions of an account, with its records. @defaultValue as `FIELD_LIMITS` */
  readonly maxAccountBytes: number | undefined;
}

/** The expiry of an owner that is read often is pushed back by one write in each such part of its idle time. */
const KEPT_PARTS = 8;

/** `OwnerRecords` in the data file. Readers see a collection as one version of it; writers take turns. */
export class SqliteOwnerRecords implements OwnerRecords {
  readonly #maxAccountBytes: number;

  constructor(private readonly deps: SqliteOwnerRecordsDeps) {
    this.#maxAccountBytes = deps.maxAccountBytes ?? FIELD_LIMITS.accountSessionBytes;
  }

  async changesSince({ owner, name }: CollectionRef, since: CollectionVersion): Promise<RecordPage> {
    await this.#keepUsed(owner);
    return whileUsable(() => readPage(this.deps.database, { ownerId: owner.id, name, since, now: this.deps.clock() }));
  }

  async apply(of: CollectionRef, changes: RecordChanges): Promise<ChangesVerdict> {
    const write = (): Promise<ChangesVerdict> => writing(this.deps, () => this.#apply(of, changes));
    const added = changes.changes.flatMap(({ id, json }) => (json === undefined ? [] : [{ id, json }]));
    // Changes that only remove always have room.
    if (added.length === 0) return write();
    return this.deps.capacity.admit(
      'creation',
      added.reduce((sum, record) => sum + bytesOfRecord(record), 0),
      write,
    );
  }

  async keep(ownerId: string, ms: number): Promise<void> {
    const now = this.deps.clock();
    await writing(this.deps, () =>
      this.deps.database.run(
        'UPDATE record_owners SET expires_at = ? WHERE owner = ? AND (expires_at IS NULL OR expires_at > ?)',
        now + ms,
        ownerId,
        now,
      ),
    );
  }

  async clear(ownerId: string): Promise<void> {
    await writing(this.deps, () => this.deps.database.run('DELETE FROM record_owners WHERE owner = ?', ownerId));
  }

  #apply({ owner, name }: CollectionRef, { since, changes, maxBytes, update }: RecordChanges): ChangesVerdict {
    const { database } = this.deps;
    this.#removeIfExpired(owner.id);
    const sql = 'SELECT id, epoch, at, floor, bytes FROM collections WHERE owner = ? AND name = ?';
    const present = database.get(sql, owner.id, name) as Collection | undefined;
    const isPresent = since.epoch === (present?.epoch ?? '') && since.at === (present?.at ?? 0);
    if (!this.#mayApply({ ownerId: owner.id, name, isPresent, update })) return 'conflict';
    if (present === undefined) requireRoomForCollection(database, owner.id);
    const grown = growthOf(present && { database, collection: present.id }, changes);
    const bytes = (present?.bytes ?? 0) + grown;
    if (grown > 0 && bytes > maxBytes) return 'too-large';
    this.#requireRoomInAccount(owner, grown);
    this.#keepOwner(owner);
    // Without records there is no collection, and without collections no owner.
    if (bytes > 0) storeChanges(database, present ?? newCollection(database, owner.id, name), bytes, changes);
    else if (present !== undefined) database.run('DELETE FROM collections WHERE id = ?', present.id);
    database.run(
      'DELETE FROM record_owners AS o WHERE owner = ? AND NOT EXISTS (SELECT 1 FROM collections c WHERE c.owner = o.owner)',
      owner.id,
    );
    return 'applied';
  }

  /** Reading counts as a use. */
  async #keepUsed({ id, idleMs }: RecordOwner): Promise<void> {
    if (idleMs === undefined) return;
    const now = this.deps.clock();
    const due = [id, now, now + idleMs - idleMs / KEPT_PARTS] as const;
    const where = 'owner = ? AND expires_at > ? AND expires_at < ?';
    const isDue = await whileUsable(() => this.deps.database.get(`SELECT 1 FROM record_owners WHERE ${where}`, ...due) !== undefined);
    if (!isDue) return;
    const sql = `UPDATE record_owners SET expires_at = ? WHERE ${where}`;
    // Not awaited: a reader must not wait for writers, and if the write is lost the next use repeats it.
    writing(this.deps, () => this.deps.database.run(sql, now + idleMs, ...due)).catch(() => undefined);
  }

  /** When an update has lost several times, the others wait for a moment until it is applied. */
  #mayApply({ ownerId, name, isPresent, update }: Attempt): boolean {
    const now = this.deps.clock();
    const row = this.deps.database.get('SELECT updater, expires_at FROM record_turns WHERE owner = ? AND name = ?', ownerId, name) as
      { updater: string; expires_at: number } | undefined;
    const awaited = row !== undefined && row.expires_at > now ? row.updater : undefined;
    const mayApply = isPresent && (awaited === undefined || awaited === update);
    if (mayApply) {
      if (row !== undefined) this.deps.database.run('DELETE FROM record_turns WHERE owner = ? AND name = ?', ownerId, name);
    } else if (update !== undefined && awaited === undefined) {
      removeExpired(this.deps.database, 'record_turns', now);
      this.deps.database.run(
        'INSERT OR REPLACE INTO record_turns (owner, name, updater, expires_at) VALUES (?, ?, ?, ?)',
        ownerId,
        name,
        update,
        now + RECORD_LIMITS.turnMs,
      );
    }
    return mayApply;
  }

  #requireRoomInAccount({ account }: RecordOwner, grown: number): void {
    if (grown <= 0 || account === undefined) return;
    if (bytesOfAccount(this.deps.database, account, this.deps.clock()) + grown > this.#maxAccountBytes)
      throw accountFull(this.#maxAccountBytes);
  }

  #keepOwner({ id, account, idleMs }: RecordOwner): void {
    const now = this.deps.clock();
    removeExpired(this.deps.database, 'record_owners', now);
    this.deps.database.run(
      `INSERT INTO record_owners (owner, account, expires_at) VALUES (?, ?, ?)
       ON CONFLICT (owner) DO UPDATE SET account = excluded.account, expires_at = excluded.expires_at`,
      id,
      account ?? null,
      idleMs === undefined ? null : now + idleMs,
    );
  }

  #removeIfExpired(ownerId: string): void {
    this.deps.database.run('DELETE FROM record_owners WHERE owner = ? AND expires_at <= ?', ownerId, this.deps.clock());
  }
}

interface Attempt {
  readonly ownerId: string;
  readonly name: string;
  /** Whether the changes were decided on the present state. */
  readonly isPresent: boolean;
  readonly update: string | undefined;
}

function requireRoomForCollection(database: SqliteDatabase, ownerId: string): void {
  const { count } = database.get('SELECT count(*) AS count FROM collections WHERE owner = ?', ownerId) as { count: number };
  if (count >= RECORD_LIMITS.collections) throw tooManyCollections();
}
