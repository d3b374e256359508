import type { Clock } from '@longhaul/tasks';
import { namedAccount, openSession, type OpenSessions, type SessionPlaces } from '../ports/session-places.js';
import { SESSION_STATE_TTL_MS } from '../ports/session-state.js';

interface Place {
  readonly account: string;
  readonly openedAt: number;
  readonly until: number;
}

/** Places of one process, gone with it. For tests. */
export class MemorySessionPlaces implements SessionPlaces {
  readonly #places = new Map<string, Place>();

  constructor(
    private readonly clock: Clock,
    private readonly idleMs = SESSION_STATE_TTL_MS,
  ) {}

  async take(account: string, sessionId: string, limit: number): Promise<boolean> {
    if (this.#openOf(account).length >= limit) return false;
    const now = this.clock();
    this.#places.set(sessionId, { account, openedAt: now, until: now + this.idleMs });
    return true;
  }

  async keep(sessionId: string, ms: number): Promise<void> {
    const place = this.#places.get(sessionId);
    if (place !== undefined) this.#places.set(sessionId, { ...place, until: this.clock() + ms });
  }

  async release(sessionId: string): Promise<void> {
    this.#places.delete(sessionId);
  }

  async openOf(account: string, most: number): Promise<OpenSessions> {
    const open = this.#openOf(account).toSorted(([, a], [, b]) => b.until - a.until);
    const sessions = open.slice(0, most).map(([id, { openedAt, until }]) => openSession({ id, openedAt, expiresAt: until }));
    return { count: open.length, sessions };
  }

  async *accounts(): AsyncGenerator<string> {
    this.#forgetExpired();
    yield* new Set([...this.#places.values()].map(({ account }) => account).filter((account) => namedAccount(account) !== undefined));
  }

  #openOf(account: string): [string, Place][] {
    this.#forgetExpired();
    return [...this.#places].filter(([, place]) => place.account === account);
  }

  #forgetExpired(): void {
    const now = this.clock();
    for (const [id, { until }] of this.#places) if (until <= now) this.#places.delete(id);
  }
}
