/** What features keep of an owner, beyond requests, sessions and tasks. Here is what they see of it; sessions bring it about. */
import type { RecordOwner } from '../domain/events.js';
import type { Json } from '../domain/json.js';

/** The records of a collection by id, in the order in which they were added. */
export type Records = ReadonlyMap<string, Json>;

/** A record to be set, or without a `value` to be removed. The last one of an id counts. */
export interface RecordUpdate {
  readonly id: string;
  readonly value?: Json | undefined;
}

/** What an update is to do. */
export interface Decision<T> {
  readonly changes: readonly RecordUpdate[];
  readonly result: T;
}

/** Records that belong together. Every method rejects with `STORE_UNAVAILABLE` while the store cannot be reached. */
export interface OwnerCollection {
  /**
   * Looks at the records as they are now, at least as new as the call.
   *
   * @param look gets all of them in one state, and is done with them when it returns. They are others' too: it does not change them
   */
  read<T>(look: (records: Records) => T): Promise<T>;
  /**
   * Changes records: all of what is decided, or nothing.
   *
   * @param decide what to do in the present state. It is called again when somebody else was faster, so it does nothing else;
   *   what it throws is thrown
   * @throws TaskError `OWNER_FULL` when they would take more than the collection may, or are too many at once; `INVALID_KEY`,
   *   `NOT_SERIALIZABLE` for an id or a value that is too large; `STORE_CONTENTION` when others were faster all the time;
   *   `STORE_FULL`
   */
  update<T>(decide: (records: Records) => Decision<T>): Promise<T>;
}

/** What a collection may have. */
export interface CollectionOptions {
  /** Bytes of ids and JSON, and 64 for each record. @defaultValue 16 MiB */
  readonly maxBytes?: number;
  /** The environment variable that this is set by, for the error of a full collection. */
  readonly setting?: string;
}

/** The collections of one owner. */
export interface OwnerCollections {
  /** @param name of the feature's own, at most 64 bytes. An owner has at most 16 collections. @throws TaskError `INVALID_KEY` for a longer one */
  collection(name: string, options?: CollectionOptions): OwnerCollection;
}

/** What lasts of a caller, in any session, process and protocol version. */
export interface OwnerContext extends OwnerCollections {
  /** Tells owners apart without saying who they are. Owners that anybody can become, such as sessions of one address, have one key. */
  readonly key: string;
  /**
   * Notifies every client of the owner that has subscribed to the resource that it has changed.
   *
   * @throws TaskError `INVALID_KEY` for a URI of more than 8 KiB
   */
  resourceUpdated(uri: string): void;
}

/** What features see of an owner. */
export type OwnerContexts = (owner: RecordOwner) => OwnerContext;
