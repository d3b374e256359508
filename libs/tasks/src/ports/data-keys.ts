/** A data key as it is kept: encrypted ("wrapped") by a key of the ring. */
export interface DataKeyRecord {
  /** Random. Every value that the key has encrypted contains it. */
  readonly id: string;
  /** Whose payloads it encrypts: see `keyScopeOf`. */
  readonly scope: string;
  /** The key of the ring that wraps it, and the name that people gave that key. */
  readonly ringKeyId: string;
  readonly ringKeyName: string;
  readonly wrapped: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/**
 * The data keys of a deployment. They are permanent, and there is one for each tenant, or each known owner without one. A scope has a
 * second one only after the store has lost a key that a process knew and has put back. Then both are used to read, and the one that was
 * added first is the current one, which writes.
 *
 * Every method rejects with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached.
 */
export interface DataKeyStore {
  find(id: string): Promise<DataKeyRecord | undefined>;
  /** The keys of a scope, the current one first. */
  ofScope(scope: string): Promise<readonly DataKeyRecord[]>;
  /** Keeps the record unless its scope has a key. @returns the keys of the scope, the current one first */
  add(record: DataKeyRecord): Promise<readonly DataKeyRecord[]>;
  /** Keeps a record again that was kept before, unless it is still kept. @returns as `add` */
  putBack(record: DataKeyRecord): Promise<readonly DataKeyRecord[]>;
  /** Takes `record` instead of `was`. @returns whether it was the one that was kept */
  replace(was: DataKeyRecord, record: DataKeyRecord): Promise<boolean>;
  /** All of them, some at a time, in no order. */
  all(): AsyncIterable<readonly DataKeyRecord[]>;
}

/** A record as a text; the same record is always the same text. */
export function dataKeyText({ id, scope, ringKeyId, ringKeyName, wrapped, createdAt }: DataKeyRecord): string {
  return JSON.stringify({ id, scope, ringKeyId, ringKeyName, wrapped, createdAt });
}

/** Parses the text that `dataKeyText` has made. */
export function dataKeyFrom(text: string): DataKeyRecord {
  return JSON.parse(text) as DataKeyRecord;
}
