/**
 * Defines the records that features keep for an owner, beyond requests, sessions and tasks. These are the interfaces for features; the
 * sessions package implements them.
 */
import type { RecordOwner } from '../domain/events.js';
import type { Json } from '../domain/json.js';

/** The records of a collection by id, in the order in which they were added. */
export type Records = ReadonlyMap<string, Json>;

/** A record to be set, or without a `value` to be removed. The last one of an id counts. */
export interface RecordUpdate {
  readonly id: string;
  readonly value?: Json | undefined;
}

/** The decision of an update. */
export interface Decision<T> {
  readonly changes: readonly RecordUpdate[];
  readonly result: T;
}

/** Records that belong together. Every method rejects with `STORE_UNAVAILABLE` while the store cannot be reached. */
export interface OwnerCollection {
  /**
   * Looks at the records as they are now, at least as new as the call.
   *
   * @param look gets all records in one state, and must not use them after it returns. The records are shared, so it does not change them
   */
  read<T>(look: (records: Records) => T): Promise<T>;
  /**
   * Changes records: all that `decide` returns, or nothing.
   *
   * @param decide returns the changes for the present state. It is called again when another writer was faster, so it has no side effects;
   * its error is thrown on
   * @throws TaskError `OWNER_FULL` when the records would take more than the collection may hold, or are too many at once; `INVALID_KEY`,
   * `NOT_SERIALIZABLE` for an id or a value that is too large; `STORE_CONTENTION` when other writers were faster every time; `STORE_FULL`
   */
  update<T>(decide: (records: Records) => Decision<T>): Promise<T>;
}

/** Limits of a collection. */
export interface CollectionOptions {
  /** Bytes of ids and JSON, and 64 for each record. @defaultValue 16 MiB */
  readonly maxBytes?: number;
  /** The environment variable that this is set by, for the error of a full collection. */
  readonly setting?: string;
}

/** The collections of one owner. */
export interface OwnerCollections {
  /**
   * @param name chosen by the feature, at most 64 bytes. An owner has at most 16 collections. @throws TaskError `INVALID_KEY` for a longer
   * one
   */
  collection(name: string, options?: CollectionOptions): OwnerCollection;
}

/** The lasting state of a caller, in any session, process and protocol version. */
export interface OwnerContext extends OwnerCollections {
  /**
   * Distinguishes owners without revealing who they are. Owners that anybody can become, such as sessions of one address, share one key.
   */
  readonly key: string;
  /**
   * Notifies every client of the owner that has subscribed to the resource that it has changed.
   *
   * @throws TaskError `INVALID_KEY` for a URI of more than 8 KiB
   */
  resourceUpdated(uri: string): void;
}

/** The features' view of an owner. */
export type OwnerContexts = (owner: RecordOwner) => OwnerContext;
