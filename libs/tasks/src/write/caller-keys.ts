/** Distinguishes callers for what is kept for each of them outside of the store, such as connections, without saying who they are. */
import { createHash } from 'node:crypto';
import type { TaskCreatedData } from '../domain/events.js';
import { ANONYMOUS_OWNER } from '../domain/owner-names.js';
import { accountsOf } from './accounts.js';

/** A caller, by hashes. */
export interface CallerKeys {
  /**
   * The caller's session; without one, the owner that its token or its secret stands for. Absent if nothing is known of it: then no two
   * calls are known to be of the same caller.
   */
  readonly key: string | undefined;
  /** The account under which what it uses is counted: its owner, or its address. */
  readonly account: string;
}

/** What is known of a caller. */
export interface KnownCaller extends Pick<TaskCreatedData, 'owner' | 'accounts'> {
  readonly sessionId?: string | undefined;
}

/** The keys of a caller: the same for its requests and for its tasks. Most calls need none, so they are made when they are read. */
export function callerKeys(caller: KnownCaller): CallerKeys {
  return new LazyKeys(caller);
}

class LazyKeys implements CallerKeys {
  readonly #caller: KnownCaller;

  constructor(caller: KnownCaller) {
    this.#caller = caller;
  }

  get key(): string | undefined {
    const { sessionId, owner } = this.#caller;
    if (sessionId !== undefined) return hashed(`session ${sessionId}`);
    return owner === ANONYMOUS_OWNER ? undefined : hashed(`owner ${owner}`);
  }

  get account(): string {
    return hashed(`account ${accountsOf(this.#caller).at(-1)}`);
  }
}

function hashed(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
