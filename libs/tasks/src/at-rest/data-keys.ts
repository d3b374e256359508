/**
 * Manages the data keys of one process. A scope (a tenant) has one, made when it first writes, and kept in the store wrapped by the key of
 * the ring that writes. If several processes make it at once, all take the first one.
 *
 * A store may lose its last writes, and with them a key that processes continue using, while others make another one. So a process puts
 * back what it knows, and takes the one that writes from the store again: then both are read with, and all write with the same.
 */
import { createSecretKey, randomBytes } from 'node:crypto';
import { decrypted, encrypted, type Key, type KeyRing } from '@longhaul/runtime/keys';
import { LRUCache } from 'lru-cache';
import { TaskError } from '../errors.js';
import type { Clock } from '../ports/clock.js';
import type { DataKeyRecord, DataKeyStore } from '../ports/data-keys.js';
import { type DataKey, newSecret } from './envelope.js';

/** An id has 16 characters. */
const ID_BYTES = 12;
const USE = 'data keys';

/** Data keys that a process keeps in memory. */
const MAX_KEPT = 10_000;

/** A key that is used is put back into a store that has lost it, this long after the store was last known to have it, milliseconds. */
export const CONFIRMED_EVERY_MS = 60_000;

/** Dependencies of the keys. */
export interface DataKeysDeps {
  readonly ring: KeyRing;
  readonly store: DataKeyStore;
  readonly clock?: Clock;
}

/** The keys of a scope, the one that writes first; nearly always it is the only one. */
type ScopeKeys = readonly [DataKey, ...DataKey[]];

interface KnownKey extends DataKey {
  readonly createdAt: number;
}

/** What this process knows of a scope. */
interface KnownScope {
  readonly scope: string;
  readonly keys: Map<string, KnownKey>;
  /** Missing until the store has said which one writes. */
  inOrder?: ScopeKeys;
  /** When the keys were last known to be in the store, or put back, epoch milliseconds. */
  confirmedAt: number;
}

export class DataKeys {
  readonly #scopes = new LRUCache<string, KnownScope>({ max: MAX_KEPT });
  readonly #byId = new LRUCache<string, KnownKey>({ max: MAX_KEPT });
  readonly #loadingScopes = new Map<string, Promise<ScopeKeys>>();
  readonly #loadingKeys = new Map<string, Promise<DataKey>>();

  constructor(private readonly deps: DataKeysDeps) {}

  /** The keys of a scope; one is made if there is none. @throws TaskError `KEY_MISSING`, `VALUE_NOT_GENUINE`, `STORE_UNAVAILABLE` */
  ofScope(scope: string): ScopeKeys | Promise<ScopeKeys> {
    const known = this.#scopes.get(scope);
    if (known?.inOrder === undefined) return once(this.#loadingScopes, scope, () => this.#loadScope(scope));
    this.#confirm(known);
    return known.inOrder;
  }

  /** The key of that id. @throws TaskError `KEY_MISSING`, `VALUE_NOT_GENUINE`, `STORE_UNAVAILABLE` */
  byId(id: string): DataKey | Promise<DataKey> {
    const key = this.#byId.get(id);
    if (key === undefined) return once(this.#loadingKeys, id, () => this.#loadKey(id));
    this.#confirm(this.#known(key.scope));
    return key;
  }

  async #loadKey(id: string): Promise<DataKey> {
    const record = await this.deps.store.find(id);
    if (record === undefined) throw new TaskError('KEY_MISSING', `The value is encrypted with the data key ${id}, which is gone.`);
    if (record.id !== id) throw notTheOneKept(id);
    return this.#take(record);
  }

  async #loadScope(scope: string): Promise<ScopeKeys> {
    const { store } = this.deps;
    const kept = await store.ofScope(scope);
    if (kept.length > 0) return this.#learn(scope, kept);
    return this.#learn(scope, await store.add(this.#newRecord(scope)));
  }

  #newRecord(scope: string): DataKeyRecord {
    const id = randomBytes(ID_BYTES).toString('base64url');
    return wrap({ id, scope, createdAt: this.#now(), secret: newSecret() }, this.deps.ring.current);
  }

  /** Takes the keys of a scope from the store. Of those that do not write, some may not be readable. */
  #learn(scope: string, records: readonly DataKeyRecord[]): ScopeKeys {
    const [first, ...rest] = records;
    if (first === undefined || records.some((record) => record.scope !== scope)) throw notTheOneKept(first?.id ?? scope);
    const others = rest.filter((record) => this.#byId.has(record.id) || isReadable(record, this.deps.ring));
    const inOrder: ScopeKeys = [this.#take(first), ...others.map((record) => this.#take(record))];
    this.#known(scope).inOrder = inOrder;
    return inOrder;
  }

  #take(record: DataKeyRecord): KnownKey {
    const key = this.#byId.get(record.id) ?? { ...unwrapped(record, this.deps.ring), createdAt: record.createdAt };
    this.#byId.set(key.id, key);
    this.#known(key.scope).keys.set(key.id, key);
    return key;
  }

  #known(scope: string): KnownScope {
    const known = this.#scopes.get(scope);
    if (known !== undefined) return known;
    const begun: KnownScope = { scope, keys: new Map(), confirmedAt: this.#now() };
    this.#scopes.set(scope, begun);
    return begun;
  }

  /** Puts the keys of a scope back, should the store have lost them. It is done from time to time, in the background. */
  #confirm(known: KnownScope): void {
    const now = this.#now();
    if (now - known.confirmedAt < CONFIRMED_EVERY_MS) return;
    known.confirmedAt = now;
    // A failure is tried again a minute later; until then work that needs the store fails with the reason.
    this.#putBack(known).catch(() => undefined);
  }

  async #putBack({ scope, keys }: KnownScope): Promise<void> {
    const { ring, store } = this.deps;
    let records: readonly DataKeyRecord[] = [];
    for (const key of keys.values()) records = await store.putBack(wrap(key, ring.current));
    if (records.length > 0) this.#learn(scope, records);
  }

  #now(): number {
    return (this.deps.clock ?? Date.now)();
  }
}

/** The one load of that name that is under way. */
function once<T>(loading: Map<string, Promise<T>>, name: string, load: () => Promise<T>): Promise<T> {
  const underWay = loading.get(name) ?? load().finally(() => loading.delete(name));
  loading.set(name, underWay);
  return underWay;
}

/** A data key, as it is kept when the key of the ring wraps it. */
export function wrap({ id, scope, createdAt, secret }: DataKey & { readonly createdAt: number }, key: Key): DataKeyRecord {
  const { id: ringKeyId, name } = key;
  const wrapped = encrypted(key.of(USE), secret.export(), bindingOf({ id, scope, ringKeyId })).toString('base64url');
  return { id, scope, ringKeyId, ringKeyName: name, wrapped, createdAt };
}

/** The data key of a record. @throws TaskError `KEY_MISSING`, `VALUE_NOT_GENUINE` */
export function unwrapped(record: DataKeyRecord, ring: KeyRing): DataKey {
  const { id, scope, ringKeyId, ringKeyName, wrapped } = record;
  const key = ring.key(ringKeyId);
  if (key === undefined)
    throw new TaskError(
      'KEY_MISSING',
      `The value needs the key "${ringKeyName}" (${ringKeyId}), which LONGHAUL_KEYS of this process does not have.`,
    );
  const bytes = decrypted(key.of(USE), Buffer.from(wrapped, 'base64url'), bindingOf(record));
  if (bytes === undefined) throw notTheOneKept(id);
  return { id, scope, secret: createSecretKey(bytes) };
}

function isReadable(record: DataKeyRecord, ring: KeyRing): boolean {
  try {
    unwrapped(record, ring);
    return true;
  } catch {
    return false; // Work that needs it fails with the reason.
  }
}

function notTheOneKept(id: string): TaskError {
  return new TaskError('VALUE_NOT_GENUINE', `The data key ${id} is not the one that was kept: something else has changed it.`);
}

function bindingOf({ id, scope, ringKeyId }: Pick<DataKeyRecord, 'id' | 'scope' | 'ringKeyId'>): string {
  return JSON.stringify([id, scope, ringKeyId]);
}
