import { type Milliseconds, type RecordOwner, TaskError, tooLong } from '@longhaul/tasks';

/** Records of one owner that belong together: they are read and changed as a whole. */
export interface CollectionRef {
  readonly owner: RecordOwner;
  readonly name: string;
}

/** A state of a collection. */
export interface CollectionVersion {
  /** Another one whenever the collection has begun again; `''` while there is none. */
  readonly epoch: string;
  /** The number of the last change. */
  readonly at: number;
}

/** The version of a collection that nothing is in. */
export const NO_VERSION: CollectionVersion = { epoch: '', at: 0 };

/** A change of a record. */
export interface FoundRecord {
  readonly id: string;
  /** Absent when the record was removed. */
  readonly live?: {
    /** The number of the change that has added it: a record keeps its position when it is changed. */
    readonly addedAt: number;
    readonly json: string;
  };
}

/** Some of the changes since a version. */
export interface RecordPage {
  /** The version up to which these are all changes. */
  readonly version: CollectionVersion;
  /** Whether the known state of the collection is invalid: then this page is the first of all present records. */
  readonly isAnew: boolean;
  readonly hasMore: boolean;
  readonly records: readonly FoundRecord[];
}

/** A record to be set, or without `json` to be removed. */
export interface RecordChange {
  readonly id: string;
  readonly json?: string | undefined;
}

/** Changes of a collection, all of them or none. Each id is in it once. */
export interface RecordChanges {
  /** The state that they were decided on. */
  readonly since: CollectionVersion;
  readonly changes: readonly RecordChange[];
  /** Limit of the collection, bytes, if the changes add to it. */
  readonly maxBytes: number;
  /**
   * The id of an update that has lost several times. If it loses again, and no other update has the turn, it gets the turn for `turnMs`, in
   * which the changes of others are conflicts. The turn ends when its changes are applied.
   */
  readonly update?: string | undefined;
}

/** The result of changes: of several that were decided on the same state, one is applied. */
export type ChangesVerdict = 'applied' | 'conflict' | 'too-large';

/**
 * Stores records that belong to owners, in collections. All processes see the same records. Every method rejects with `TaskError`
 * `STORE_UNAVAILABLE` while the store cannot be reached.
 */
export interface OwnerRecords {
  /** A page of what has changed since a version, in the order of the changes; of all records if that version is no longer known. */
  changesSince(of: CollectionRef, since: CollectionVersion): Promise<RecordPage>;
  /**
   * @throws TaskError `OWNER_FULL` when the owner has too many collections, or its account too many bytes; `STORE_FULL` when the store has
   * no room for new records
   */
  apply(of: CollectionRef, changes: RecordChanges): Promise<ChangesVerdict>;
  /** Keeps all of the owner's records for this long from now, milliseconds. */
  keep(ownerId: string, ms: Milliseconds): Promise<void>;
  /** Forgets all collections of the owner. */
  clear(ownerId: string): Promise<void>;
}

export const RECORD_LIMITS = {
  idBytes: 256,
  recordBytes: 4 * 1024 * 1024,
  /** The bytes that each record counts in addition to its id and its JSON: storing it takes at least that much. */
  overheadBytes: 64,
  /** How many records one update may change. */
  changes: 10_000,
  /** How many collections one owner may have. Features choose their names; they are never input of clients. */
  collections: 16,
  collectionNameBytes: 64,
  /** The limit of a collection unless its feature sets another one. */
  collectionBytes: 16 * 1024 * 1024,
  /** How long other updates wait for one that has lost several times, milliseconds. */
  turnMs: 500,
  /** How many records a page has, and about how many bytes. */
  pageRecords: 250,
  pageBytes: 256 * 1024,
  /** How many removals are remembered, for processes that know an older state: a process that has missed more reads everything. */
  removals: 1_000,
} as const;

/** How many bytes a record counts. */
export function bytesOfRecord({ id, json }: { readonly id: string; readonly json: string }): number {
  return Buffer.byteLength(id) + Buffer.byteLength(json) + RECORD_LIMITS.overheadBytes;
}

/** @throws TaskError `INVALID_KEY`, `NOT_SERIALIZABLE` for an id or a value that is too large */
export function checkRecord(id: string, json: string): void {
  const { idBytes, recordBytes } = RECORD_LIMITS;
  const [ofId, ofValue] = [tooLong('The id of a record', id, idBytes), tooLong('The JSON of a record', json, recordBytes)];
  if (ofId !== undefined) throw new TaskError('INVALID_KEY', `${ofId}.`);
  if (ofValue !== undefined) throw new TaskError('NOT_SERIALIZABLE', `${ofValue}.`);
}

/** The error of an owner that has as many collections as it may. */
export function tooManyCollections(): TaskError {
  return new TaskError('OWNER_FULL', `An owner has at most ${RECORD_LIMITS.collections} collections.`);
}
