import type { Greeting } from './greeting.js';

/** A session of a server, with what it takes to continue it. Plain JSON. Anyone who has it can use the session. */
export interface KnownSession {
  readonly id: string;
  readonly greeting: Greeting;
}

/** Shares the session of a URL with clients in other processes. */
export interface SessionKeeper {
  /**
   * Finds the session to continue.
   *
   * @param lost the id of a session that the server does not know any more
   * @returns nothing if this client has to begin one
   */
  find(lost?: string): Promise<KnownSession | undefined>;
  /** Called when this client has begun a session; with nothing if the server has none. */
  begun(session: KnownSession | undefined): Promise<void>;
  /** Whether the session shall end with this client: no other process continues it. */
  mayEnd(): Promise<boolean>;
}
