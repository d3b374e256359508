import { randomUUID } from 'node:crypto';
import { type Clock, FIELD_LIMITS, type RecordOwner } from '@longhaul/tasks';
import {
  bytesOfRecord,
  type ChangesVerdict,
  type CollectionRef,
  type CollectionVersion,
  type FoundRecord,
  NO_VERSION,
  type OwnerRecords,
  RECORD_LIMITS,
  type RecordChange,
  type RecordChanges,
  type RecordPage,
  tooManyCollections,
} from '../ports/owner-records.js';
import { accountFull } from '../ports/session-state.js';

interface Collection {
  readonly epoch: string;
  at: number;
  /** By id: when it was changed last, and what it is by now. In the order of the changes. */
  readonly records: Map<string, { readonly changedAt: number; readonly found: FoundRecord }>;
  bytes: number;
}

interface Owned {
  readonly collections: Map<string, Collection>;
  account: string | undefined;
  expiresAt: number;
}

/** `OwnerRecords` in memory. Removals are remembered for as long as the collection has anything in it. */
export class MemoryOwnerRecords implements OwnerRecords {
  readonly #owners = new Map<string, Owned>();
  /** By collection: the update that others wait for. */
  readonly #turns = new Map<string, { readonly update: string; readonly until: number }>();

  constructor(
    private readonly clock: Clock,
    private readonly maxAccountBytes: number = FIELD_LIMITS.accountSessionBytes,
  ) {}

  async changesSince({ owner, name }: CollectionRef, since: CollectionVersion): Promise<RecordPage> {
    const collection = this.#used(owner)?.collections.get(name);
    if (collection === undefined) return { version: NO_VERSION, isAnew: since.epoch !== '', hasMore: false, records: [] };
    const isAnew = since.epoch !== collection.epoch;
    const from = isAnew ? 0 : since.at;
    const all = [...collection.records.values()].filter(({ changedAt }) => changedAt > from);
    const page = all.slice(0, RECORD_LIMITS.pageRecords);
    const hasMore = page.length < all.length;
    const at = hasMore ? (page.at(-1)?.changedAt ?? from) : collection.at;
    return { version: { epoch: collection.epoch, at }, isAnew, hasMore, records: page.map(({ found }) => found) };
  }

  async apply({ owner, name }: CollectionRef, { since, changes, maxBytes, update }: RecordChanges): Promise<ChangesVerdict> {
    const owned = this.#used(owner);
    const present = owned?.collections.get(name);
    const isPresent = since.epoch === (present?.epoch ?? '') && since.at === (present?.at ?? 0);
    if (!this.#mayApply(JSON.stringify([owner.id, name]), isPresent, update)) return 'conflict';
    if (present === undefined && owned !== undefined && owned.collections.size >= RECORD_LIMITS.collections) throw tooManyCollections();
    const collection = present ?? { epoch: randomUUID(), at: 0, records: new Map(), bytes: 0 };
    const grown = changes.reduce((sum, change) => sum + growthBy(change, collection), 0);
    if (grown > 0 && collection.bytes + grown > maxBytes) return 'too-large';
    if (grown > 0 && owner.account !== undefined && this.#bytesOf(owner.account) + grown > this.maxAccountBytes)
      throw accountFull(this.maxAccountBytes);
    for (const change of changes) put(change, collection);
    collection.bytes += grown;
    this.#set(owner, name, collection);
    return 'applied';
  }

  async keep(ownerId: string, ms: number): Promise<void> {
    const owned = this.#live(ownerId);
    if (owned !== undefined) owned.expiresAt = this.clock() + ms;
  }

  async clear(ownerId: string): Promise<void> {
    this.#owners.delete(ownerId);
  }

  #mayApply(collection: string, isPresent: boolean, update: string | undefined): boolean {
    const found = this.#turns.get(collection);
    const next = found !== undefined && found.until > this.clock() ? found : undefined;
    const mayApply = isPresent && (next === undefined || next.update === update);
    if (mayApply) this.#turns.delete(collection);
    else if (update !== undefined && next === undefined)
      this.#turns.set(collection, { update, until: this.clock() + RECORD_LIMITS.turnMs });
    return mayApply;
  }

  #set({ id, account, idleMs }: RecordOwner, name: string, collection: Collection): void {
    const owned = this.#live(id) ?? { collections: new Map<string, Collection>(), account, expiresAt: Infinity };
    if (collection.bytes > 0) owned.collections.set(name, collection);
    else owned.collections.delete(name);
    owned.account = account;
    owned.expiresAt = idleMs === undefined ? Infinity : this.clock() + idleMs;
    if (owned.collections.size > 0) this.#owners.set(id, owned);
    else this.#owners.delete(id);
  }

  #bytesOf(account: string): number {
    const owners = [...this.#owners].filter(([id, owned]) => owned.account === account && this.#live(id) !== undefined);
    return owners.reduce((sum, [, { collections }]) => [...collections.values()].reduce((all, { bytes }) => all + bytes, sum), 0);
  }

  #used({ id, idleMs }: RecordOwner): Owned | undefined {
    const owned = this.#live(id);
    if (owned !== undefined && idleMs !== undefined) owned.expiresAt = this.clock() + idleMs;
    return owned;
  }

  #live(id: string): Owned | undefined {
    const owned = this.#owners.get(id);
    if (owned === undefined || owned.expiresAt > this.clock()) return owned;
    this.#owners.delete(id);
    return undefined;
  }
}

function growthBy({ id, json }: RecordChange, { records }: Collection): number {
  const old = records.get(id)?.found.live?.json;
  const before = old === undefined ? 0 : bytesOfRecord({ id, json: old });
  return (json === undefined ? 0 : bytesOfRecord({ id, json })) - before;
}

function put({ id, json }: RecordChange, collection: Collection): void {
  const { records } = collection;
  const old = records.get(id)?.found.live;
  if (json === undefined && old === undefined) return;
  const changedAt = ++collection.at;
  const found = json === undefined ? { id } : { id, live: { addedAt: old?.addedAt ?? changedAt, json } };
  records.delete(id);
  records.set(id, { changedAt, found });
}
