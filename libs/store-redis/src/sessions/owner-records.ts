import type { OwnerRecords } from '@longhaul/sessions';
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
import { randomUUID } from 'node:crypto';
import { defineScript, type RedisClient, type RunScript } from '@longhaul/redis';
import { FIELD_LIMITS, type StoreCapacity } from '@longhaul/tasks';
import { whileReachable } from '../tasks/store-fault.js';
import type { SessionKeys } from '../keys/sessions.js';
import { APPLY_CHANGES, APPLY_REMOVALS, CHANGES_SINCE } from './owner-records.lua.js';
import { RedisSessionBytes } from './session-bytes.js';

/** Dependencies of the records. */
export interface RedisOwnerRecordsDeps {
  readonly redis: RedisClient;
  readonly keys: SessionKeys;
  readonly capacity: StoreCapacity;
  /** Limit of the sessions of an account, with its records. @defaultValue as `FIELD_LIMITS` */
  readonly maxAccountBytes: number | undefined;
}

interface Applied {
  readonly verdict: ChangesVerdict;
  readonly grownBytes: number;
}

/** `OwnerRecords` on Redis: all keys of an owner share a hash tag, so that one script reads or changes a collection. */
export class RedisOwnerRecords implements OwnerRecords {
  readonly #changesSince: RunScript<typeof CHANGES_SINCE>;
  readonly #apply: RunScript<typeof APPLY_CHANGES>;
  readonly #remove: RunScript<typeof APPLY_REMOVALS>;
  readonly #maxAccountBytes: number;
  readonly #accounts: RedisSessionBytes;

  constructor(private readonly deps: RedisOwnerRecordsDeps) {
    const { redis, maxAccountBytes = FIELD_LIMITS.accountSessionBytes } = deps;
    this.#changesSince = defineScript(redis, CHANGES_SINCE);
    this.#apply = defineScript(redis, APPLY_CHANGES);
    this.#remove = defineScript(redis, APPLY_REMOVALS);
    this.#maxAccountBytes = maxAccountBytes;
    this.#accounts = new RedisSessionBytes({ redis, maxBytes: maxAccountBytes });
  }

  async changesSince({ owner, name }: CollectionRef, { epoch, at: since }: CollectionVersion): Promise<RecordPage> {
    const { pageRecords: maxRecords, pageBytes: maxBytes } = RECORD_LIMITS;
    const args = { epoch, since, maxRecords, maxBytes, idleMs: owner.idleMs ?? 0 };
    return whileReachable(() => this.#changesSince(this.deps.keys.collection(owner.id, name), args));
  }

  async apply(of: CollectionRef, changes: RecordChanges): Promise<ChangesVerdict> {
    const added = changes.changes.flatMap(({ id, json }) => (json === undefined ? [] : [{ id, json }]));
    if (added.length === 0) return (await this.#run(this.#remove, of, changes)).verdict;
    const bytes = added.reduce((sum, record) => sum + bytesOfRecord(record), 0);
    return this.deps.capacity.admit('creation', bytes, () => this.#counted(of, bytes, () => this.#run(this.#apply, of, changes)));
  }

  async keep(ownerId: string, ms: number): Promise<void> {
    const keys = await this.#keysOf(ownerId);
    await whileReachable(() => Promise.all(keys.map((key) => this.deps.redis.pexpire(key, ms))));
  }

  async clear(ownerId: string): Promise<void> {
    const keys = await this.#keysOf(ownerId);
    await whileReachable(() => Promise.all(keys.map((key) => this.deps.redis.del(key))));
  }

  /** Counts the growth by the changes under the owner's account, if it has one. */
  async #counted({ owner, name }: CollectionRef, bytes: number, apply: () => Promise<Applied>): Promise<ChangesVerdict> {
    if (owner.account === undefined) return (await apply()).verdict;
    const account = this.deps.keys.sessionsOf(owner.account);
    const { bytes: counted } = this.deps.keys.collection(owner.id, name);
    if (!(await this.#accounts.take(account, counted, bytes))) throw accountFull(this.#maxAccountBytes);
    const { verdict, grownBytes } = await apply();
    if (grownBytes < bytes) await this.#accounts.giveBack(account, counted, bytes - grownBytes);
    return verdict;
  }

  async #run(
    run: RunScript<typeof APPLY_CHANGES>,
    { owner, name }: CollectionRef,
    { since, changes, maxBytes, update = '' }: RecordChanges,
  ): Promise<Applied> {
    const { overheadBytes, collections: maxNames, removals: keptRemovals, turnMs } = RECORD_LIMITS;
    const limits = { maxBytes, overheadBytes, maxNames, keptRemovals, turnMs, idleMs: owner.idleMs ?? 0 };
    const args = { name, epoch: since.epoch, newEpoch: randomUUID(), update, since: since.at, ...limits };
    const pairs = changes.flatMap(({ id, json = '' }) => [id, json]);
    const { verdict, grownBytes } = await whileReachable(() => run(this.deps.keys.collection(owner.id, name), args, pairs));
    if (verdict === 'too-many') throw tooManyCollections();
    return { verdict, grownBytes };
  }

  async #keysOf(ownerId: string): Promise<readonly string[]> {
    const { redis, keys } = this.deps;
    const names = await whileReachable(() => redis.smembers(keys.collections(ownerId)));
    const ofAll = names.flatMap((name) => {
      const { turn: _shortLived, ...kept } = keys.collection(ownerId, name);
      return Object.values(kept);
    });
    return [...new Set(ofAll)];
  }
}
