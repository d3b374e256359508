/**
 * Keeps the session of a URL in the store, so that every process continues it. One process begins it, and one of all that find it lost
 * begins the next one, while the others wait. It ends with the last process that uses it.
 */
import type { KnownSession, SessionKeeper } from '@longhaul/client';
import type { TakenHold } from '@longhaul/sessions';
import { setTimeout as wait } from 'node:timers/promises';
import type { HeldName } from './held-name.js';

/** How often a process looks whether another one has begun the session. */
const LOOK_MS = 100;

export class SessionHolder implements SessionKeeper {
  #epoch: number;
  #known: KnownSession | undefined;
  /** Whether the server has said that it has no session. */
  hasNone = false;

  /** @param taken as it is before the connection: with a session to continue, or held by this process, which begins one */
  constructor(
    private readonly name: HeldName,
    taken: TakenHold,
    private readonly options: { readonly waitMs: number; readonly onLoss: () => void },
  ) {
    this.#epoch = taken.epoch;
    this.#known = sessionIn(taken);
  }

  async find(lost?: string): Promise<KnownSession | undefined> {
    if (lost === undefined || (this.#known !== undefined && this.#known.id !== lost)) return this.#known;
    let ended: number | undefined = this.#epoch;
    for (const until = Date.now() + this.options.waitMs; ; await wait(LOOK_MS)) {
      const taken = await this.name.take(ended);
      ended = undefined;
      this.#epoch = taken.epoch;
      this.#known = sessionIn(taken);
      if (taken.isAfterLoss) this.options.onLoss();
      if (this.#known !== undefined || this.name.isOurs(taken)) return this.#known;
      if (Date.now() > until) throw new Error('another process begins a new session with the server, and does not come to an end');
    }
  }

  async begun(session: KnownSession | undefined): Promise<void> {
    this.#known = session;
    this.hasNone = session === undefined;
    if (session !== undefined) await this.name.write(this.#epoch, JSON.stringify(session));
  }

  mayEnd(): Promise<boolean> {
    return this.name.release(this.#epoch, { isInUse: true });
  }
}

/** The session to continue. */
export function sessionIn({ value }: Pick<TakenHold, 'value'>): KnownSession | undefined {
  return value === undefined ? undefined : (JSON.parse(value) as KnownSession);
}
