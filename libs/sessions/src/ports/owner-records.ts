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

/** What has become of a record. */
export interface FoundRecord {
  readonly id: string;
  /** Absent when the record was removed. */
  readonly live?: {
    /** The number of the change that has added it: a record keeps its place when it is changed. */
    readonly addedAt: number;
    readonly json: string;
  };
}

/** Some of the changes since a version. */
export interface RecordPage {
  /** Up to which these are all. */
  readonly version: CollectionVersion;
  /** Whether what was known of the collection is void: the page is the first of all records that there are. */
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
  /** What the collection may have, bytes, if the changes add to it. */
  readonly maxBytes: number;
  /**
   * The id of an update that has lost several times: if it loses again, and nobody else has the turn, the turn is its for
   * `turnMs`, in which the changes of others are conflicts. It ends when its changes are applied.
   */
  readonly update?: string | undefined;
}

/** What became of changes: of several that were decided on the same state, one is applied. */
export type ChangesVerdict = 'applied' | 'conflict' | 'too-large';

/**
 * Records that belong to owners, in collections. Any process sees the same. Every method rejects with `TaskError`
 * `STORE_UNAVAILABLE` while the store cannot be reached.
 */
export interface OwnerRecords {
  /** A page of what has changed since a version, in the order of the changes; of everything where that is not known any more. */
  changesSince(of: CollectionRef, since: CollectionVersion): Promise<RecordPage>;
  /**
   * @throws TaskError `OWNER_FULL` when the owner has too many collections, or its account too many bytes; `STORE_FULL` when
   *   there is no room for new records
   */
  apply(of: CollectionRef, changes: RecordChanges): Promise<ChangesVerdict>;
  /** Keeps what there is for so long from now, milliseconds. */
  keep(ownerId: string, ms: Milliseconds): Promise<void>;
  /** Forgets all collections of the owner. */
  clear(ownerId: string): Promise<void>;
}

export const RECORD_LIMITS = {
  idBytes: 256,
  recordBytes: 4 * 1024 * 1024,
  /** What each record counts beside its id and its JSON: it takes that much, and more, to keep it. */
  overheadBytes: 64,
  /** Records that one update changes. */
  changes: 10_000,
  /** Collections of one owner. Their names are those of features, and no input of clients. */
  collections: 16,
  collectionNameBytes: 64,
  /** What a collection may have unless its feature says something else. */
  collectionBytes: 16 * 1024 * 1024,
  /** How long others wait for an update that has lost several times, milliseconds. */
  turnMs: 500,
  /** Records of a page, and about so many bytes. */
  pageRecords: 250,
  pageBytes: 256 * 1024,
  /** Removals that are remembered, for those who know an older state: who has missed more reads everything. */
  removals: 1_000,
} as const;

/** What a record counts. */
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

/** The owner has as many collections as it may. */
export function tooManyCollections(): TaskError {
  return new TaskError('OWNER_FULL', `An owner has at most ${RECORD_LIMITS.collections} collections.`);
}
