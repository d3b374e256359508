import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import type { ClientDescription, Requester } from './requester.js';

/** A stored session; any gateway can serve it. */
export interface Session extends Requester {
  readonly id: string;
  /** After its `shutdown` request it accepts only `exit`. */
  readonly isShutDown?: boolean;
  /** Whether it outlasts the request. In stateless mode no session does. */
  readonly isStored: boolean;
  /** Epoch milliseconds; absent for a session that does not outlast its request. */
  readonly openedAt?: number;
}

/** The initial data of a session. */
export interface NewSession {
  readonly id: string;
  readonly owner: string;
  readonly protocolVersion: string;
  readonly client: ClientDescription;
}

/**
 * Stores sessions. A session that was not used for its idle time is gone.
 *
 * Every method rejects with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached.
 */
export interface SessionStore {
  /** @throws TaskError `STORE_FULL` when the store has no room for another session */
  create(session: NewSession): Promise<void>;
  /** Reading a session counts as using it. */
  load(id: string): Promise<Session | undefined>;
  /** Counts as using the session. Returns false when there is none. */
  touch(id: string): Promise<boolean>;
  /** A session that has ended since it was read is not brought back. */
  setLogLevel(id: string, level: LoggingLevel): Promise<void>;
  /** Notes that the client follows tasks. A session that has ended since it was read is not brought back. */
  noteTasks(id: string): Promise<void>;
  /** From now on the session accepts nothing but its end. */
  shutDown(id: string): Promise<void>;
  /** Returns false when there was none. */
  end(id: string): Promise<boolean>;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether the untrusted text has the form of a session id; keys in the store are built from it. */
export function isSessionId(text: string): boolean {
  return UUID.test(text);
}
