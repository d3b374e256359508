/**
 * The data keys of one process. A scope (a tenant) has one, made when it first writes, and kept in the store wrapped by the key of
 * the ring that writes. Of several processes that make it at once, the first one's is taken by all.
 */
import { createHash, createSecretKey } from 'node:crypto';
import type { Key, KeyRing } from '@longhaul/runtime/keys';
import { LRUCache } from 'lru-cache';
import { TaskError } from '../errors.js';
import type { Clock } from '../ports/clock.js';
import type { DataKeyRecord, DataKeyStore } from '../ports/data-keys.js';
import { remembered } from '../remembered.js';
import { type DataKey, decrypted, encrypted, newSecret } from './envelope.js';

const ID_LENGTH = 16;
const USE = 'data keys';

/** Data keys that a process keeps in memory. */
const MAX_KEPT = 10_000;

/** What the keys are read and made with. */
export interface DataKeysDeps {
  readonly ring: KeyRing;
  readonly store: DataKeyStore;
  readonly clock?: Clock;
}

export class DataKeys {
  readonly #known = new LRUCache<string, DataKey>({ max: MAX_KEPT });
  readonly #loading = new Map<string, Promise<DataKey>>();

  constructor(private readonly deps: DataKeysDeps) {}

  /** The key of a scope, which is made if there is none. @throws TaskError `KEY_MISSING`, `STORE_UNAVAILABLE` */
  ofScope(scope: string): DataKey | Promise<DataKey> {
    const id = dataKeyId(scope);
    return this.#known.get(id) ?? this.#once(id, async () => (await this.deps.store.find(id)) ?? this.#make(id, scope));
  }

  /** The key of that id. @throws TaskError `KEY_MISSING`, `STORE_UNAVAILABLE` */
  byId(id: string): DataKey | Promise<DataKey> {
    const find = async (): Promise<DataKeyRecord> => {
      const record = await this.deps.store.find(id);
      if (record === undefined) throw new TaskError('KEY_MISSING', `The value is encrypted with the data key ${id}, which is gone.`);
      return record;
    };
    return this.#known.get(id) ?? this.#once(id, find);
  }

  #once(id: string, find: () => Promise<DataKeyRecord>): Promise<DataKey> {
    const loading = this.#loading.get(id) ?? this.#load(id, find).finally(() => this.#loading.delete(id));
    this.#loading.set(id, loading);
    return loading;
  }

  async #load(id: string, find: () => Promise<DataKeyRecord>): Promise<DataKey> {
    const key = unwrapped(await find(), this.deps.ring);
    this.#known.set(id, key);
    return key;
  }

  #make(id: string, scope: string): Promise<DataKeyRecord> {
    const { ring, store, clock = Date.now } = this.deps;
    return store.add(wrap({ id, scope, createdAt: clock(), secret: newSecret() }, ring.current));
  }
}

/** The id of the data key of a scope. */
const dataKeyId = remembered(MAX_KEPT, (scope) =>
  createHash('sha256').update(`longhaul data key ${scope}`).digest('base64url').slice(0, ID_LENGTH),
);

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
  if (bytes === undefined || dataKeyId(scope) !== id)
    throw new TaskError('VALUE_NOT_GENUINE', `The data key ${id} is not the one that was kept: something else has changed it.`);
  return { id, scope, secret: createSecretKey(bytes) };
}

function bindingOf({ id, scope, ringKeyId }: Pick<DataKeyRecord, 'id' | 'scope' | 'ringKeyId'>): string {
  return JSON.stringify([id, scope, ringKeyId]);
}
