import type { OpenBackend } from '@longhaul/tasks/testing';
import type { Backend } from '../backend.js';

/** An open backend; `errors` is every error that it reported to its owner. */
export type OpenSessionBackend = OpenBackend<Backend>;

/** A kind of backend that the contracts are checked on. */
export interface SessionContractBackend {
  readonly name: string;
  /** @param accountSessionBytes what all sessions of an account may hold, if not as much as usual */
  open(accountSessionBytes?: number): Promise<OpenSessionBackend>;
}
