import type { OpenBackend, OpenOptions } from '@longhaul/tasks/testing';
import type { Store } from '../whole-store.js';

/** An open backend; `errors` is every error that it reported to its owner. */
export type OpenSessionBackend = OpenBackend<Store>;

/** What a contract may want of a backend. */
export interface OpenSessionOptions extends OpenOptions {
  /** What all sessions of an account may hold, if not as much as usual. */
  readonly accountSessionBytes?: number;
}

/** A kind of backend that the contracts are checked on. */
export interface SessionContractBackend {
  readonly name: string;
  /** Limits count what is kept, so that those of bytes are checked where that is the plain text. */
  readonly isEncrypted?: boolean;
  open(options?: OpenSessionOptions): Promise<OpenSessionBackend>;
}
