/**
 * Keeps lasting records of owners for features. A process folds changes into the state that it knows of a collection, so reading a large
 * collection again costs one small read of the store. An update is decided on such a state and applied if that is still the present one;
 * otherwise it is decided again.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Decision, type OwnerCollections, type RecordOwner, type Records, type RecordUpdate, TaskError } from '@longhaul/tasks';
import { LRUCache } from 'lru-cache';
import { CollectionState } from './collection-state.js';
import { checkRecord, type CollectionRef, type OwnerRecords, RECORD_LIMITS, type RecordChange } from './ports/owner-records.js';

/** After this many losses an update asks for exclusive time: an update that takes long to decide would lose to short ones for ever. */
const TRIES_IN_A_RACE = 3;
/** Other processes may be faster this often before an update gives up. */
const MAX_TRIES = 200;
const LONGEST_PAUSE_MS = 50;

/** How much of collections a process caches, in bytes of their JSON, and the extra bytes for each of them. */
const KEPT_BYTES = 32 * 1024 * 1024;
/** The size of an empty collection. */
const STATE_BYTES = 2 * 1024;

/** The collections of all owners, in one process. */
export interface OwnerStore {
  of(owner: RecordOwner): OwnerCollections;
}

/** @param keptBytes the size of this process's cache. @defaultValue 32 MiB */
export function createOwnerStore(records: OwnerRecords, keptBytes = KEPT_BYTES): OwnerStore {
  const states = new LRUCache<string, CollectionState>({
    maxSize: keptBytes,
    // The collection that was used last stays, no matter how large it is: it is most likely to be used next.
    sizeCalculation: ({ bytes }) => Math.min(bytes + STATE_BYTES, keptBytes),
  });
  const withState = async <T>({ owner, name }: CollectionRef, work: (state: CollectionState) => Promise<T>): Promise<T> => {
    const key = JSON.stringify([owner.id, name]);
    const state = states.get(key) ?? new CollectionState(records, name);
    // Before, so that concurrent callers share it; and after, when its size is known.
    states.set(key, state);
    try {
      return await work(state);
    } finally {
      states.set(key, state);
    }
  };
  return {
    of: (owner) => ({
      collection(name, { maxBytes = RECORD_LIMITS.collectionBytes, setting } = {}) {
        if (Buffer.byteLength(name) > RECORD_LIMITS.collectionNameBytes)
          throw new TaskError('INVALID_KEY', `The name of a collection has at most ${RECORD_LIMITS.collectionNameBytes} bytes.`);
        const of = { owner, name };
        return {
          read: (look) => withState(of, async (state) => look(await state.refreshed(owner))),
          update: (decide) => withState(of, (state) => state.oneByOne(() => updated({ records, of, state, maxBytes, setting }, decide))),
        };
      },
    }),
  };
}

interface Updating {
  readonly records: OwnerRecords;
  readonly of: CollectionRef;
  readonly state: CollectionState;
  readonly maxBytes: number;
  readonly setting: string | undefined;
}

async function updated<T>({ records, of, state, maxBytes, setting }: Updating, decide: (records: Records) => Decision<T>): Promise<T> {
  const update = randomUUID();
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const present = await state.refreshed(of.owner);
    const since = state.version;
    const { changes: decided, result } = decide(present);
    const changes = changesOf(decided);
    if (changes.length === 0) return result;
    const verdict = await records.apply(of, { since, changes, maxBytes, update: tries > TRIES_IN_A_RACE ? update : undefined });
    if (verdict === 'applied') return result;
    if (verdict === 'too-large') throw collectionFull(of.name, maxBytes, setting);
    await delay(Math.random() * Math.min(tries, LONGEST_PAUSE_MS));
  }
  throw new TaskError('STORE_CONTENTION', `Others have changed "${of.name}" at the same time, again and again. Try again.`);
}

function changesOf(decided: readonly RecordUpdate[]): readonly RecordChange[] {
  const { changes: most } = RECORD_LIMITS;
  const values = new Map(decided.map(({ id, value }) => [id, value]));
  if (values.size > most)
    throw new TaskError('OWNER_FULL', `At most ${most} records can be changed at once, not ${values.size}: do it in parts.`);
  return Array.from(values, ([id, value]) => {
    if (value === undefined) return { id };
    const json = JSON.stringify(value);
    checkRecord(id, json);
    return { id, json };
  });
}

function collectionFull(name: string, maxBytes: number, setting: string | undefined): TaskError {
  const more = setting === undefined ? '' : `, or let the operator set ${setting}`;
  return new TaskError('OWNER_FULL', `What one owner keeps in "${name}" has at most ${maxBytes} bytes: remove some of it${more}.`);
}
