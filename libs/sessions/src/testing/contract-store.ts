import type { OpenedStore, OpenOptions } from '@longhaul/tasks/testing';
import type { Store } from '../whole-store.js';

/** An open store; `errors` is every error that it reported to its owner. */
export type OpenedSessionStore = OpenedStore<Store>;

/** What a contract may want of a store. */
export interface OpenSessionOptions extends OpenOptions {
  /** What all sessions of an account may hold, if not as much as usual. */
  readonly accountSessionBytes?: number;
}

/** A kind of store that the contracts are checked on. */
export interface SessionContractStore {
  readonly name: string;
  /** Limits count what is kept, so that those of bytes are checked where that is the plain text. */
  readonly isEncrypted?: boolean;
  open(options?: OpenSessionOptions): Promise<OpenedSessionStore>;
}
