import type { OpenedStore, OpenOptions } from '@longhaul/tasks/testing';
import type { Store } from '../whole-store.js';

/** An open store; `errors` is every error that it reported to its owner. */
export type OpenedSessionStore = OpenedStore<Store>;

/** Options that a contract may set on a store. */
export interface OpenSessionOptions extends OpenOptions {
  /** Limit of all sessions of an account, if it is not the default. */
  readonly accountSessionBytes?: number;
}

/** A kind of store that the contracts are checked on. */
export interface SessionContractStore {
  readonly name: string;
  /** Limits count the kept form, so limits of bytes are checked only if payloads are kept as plain text. */
  readonly isEncrypted?: boolean;
  open(options?: OpenSessionOptions): Promise<OpenedSessionStore>;
}
