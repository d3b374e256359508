/**
 * Lists which data keys use which key of the ring, and rewraps all of them with the key that writes. Only data keys are wrapped by the
 * ring, so no payload is read or written for it, and it may be done while tasks run.
 */
import type { KeyRing } from '@longhaul/runtime/keys';
import { TaskError } from '../errors.js';
import type { DataKeyRecord, DataKeyStore } from '../ports/data-keys.js';
import { unwrapped, wrap } from './data-keys.js';

/** A key of the ring, or one that is used and not in it. */
export interface KeyUsage {
  readonly id: string;
  readonly name: string;
  /** `writes`: wraps what is new. `reads`: only reads. `missing`: the ring does not have it. */
  readonly standing: 'writes' | 'reads' | 'missing';
  /** Data keys that it wraps. */
  readonly dataKeys: number;
  /** Whose some of them are, a few. */
  readonly scopes: readonly string[];
}

/** The result for the data keys. */
export interface Rewrapped {
  readonly rewrapped: number;
  /** They are wrapped by the key that writes already. */
  readonly unchanged: number;
  /** They cannot be read, each with the reason. */
  readonly failed: readonly { readonly scope: string; readonly reason: string }[];
}

const SHOWN_SCOPES = 5;

/** The keys of the ring, the one that writes first, then those that are missing. @throws TaskError `STORE_UNAVAILABLE` */
export async function keyUsages(store: DataKeyStore, ring: KeyRing): Promise<readonly KeyUsage[]> {
  const used = new Map<string, DataKeyRecord[]>(ring.keys.map(({ id }) => [id, []]));
  const counts = new Map<string, number>();
  for await (const records of store.all())
    for (const record of records) {
      const { ringKeyId } = record;
      counts.set(ringKeyId, (counts.get(ringKeyId) ?? 0) + 1);
      const shown = used.get(ringKeyId) ?? [];
      if (shown.length < SHOWN_SCOPES) used.set(ringKeyId, [...shown, record]);
    }
  return Array.from(used, ([id, records]): KeyUsage => {
    const key = ring.key(id);
    const standing = key === undefined ? 'missing' : id === ring.current.id ? 'writes' : 'reads';
    const name = key?.name ?? records[0]?.ringKeyName ?? id;
    return { id, name, standing, dataKeys: counts.get(id) ?? 0, scopes: records.map(({ scope }) => scope) };
  });
}

/** Wraps each data key with the key that writes. May be repeated, and done by several at once. @throws TaskError `STORE_UNAVAILABLE` */
export async function rewrap(store: DataKeyStore, ring: KeyRing): Promise<Rewrapped> {
  let [rewrapped, unchanged] = [0, 0];
  const failed: { scope: string; reason: string }[] = [];
  for await (const records of store.all())
    for (const record of records) {
      if (record.ringKeyId === ring.current.id) {
        unchanged += 1;
        continue;
      }
      try {
        const key = unwrapped(record, ring);
        await store.replace(record, wrap({ ...key, createdAt: record.createdAt }, ring.current));
        rewrapped += 1;
      } catch (error) {
        if (!(error instanceof TaskError) || error.code === 'STORE_UNAVAILABLE') throw error;
        failed.push({ scope: record.scope, reason: error.message });
      }
    }
  return { rewrapped, unchanged, failed };
}
