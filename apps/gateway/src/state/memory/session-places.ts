import type { Clock } from '@longhaul/tasks';
import type { SessionPlaces } from '../session-places.js';

interface Place {
  readonly account: string;
  readonly until: number;
}

/** Places of one process, gone with it. For tests. */
export class MemorySessionPlaces implements SessionPlaces {
  readonly #places = new Map<string, Place>();

  constructor(
    private readonly clock: Clock,
    private readonly idleMs: number,
  ) {}

  async take(account: string, sessionId: string, limit: number): Promise<boolean> {
    const now = this.clock();
    for (const [id, { until }] of this.#places) if (until <= now) this.#places.delete(id);
    const taken = [...this.#places.values()].filter((place) => place.account === account).length;
    if (taken >= limit) return false;
    this.#places.set(sessionId, { account, until: now + this.idleMs });
    return true;
  }

  async keep(sessionId: string, ms: number): Promise<void> {
    const place = this.#places.get(sessionId);
    if (place !== undefined) this.#places.set(sessionId, { ...place, until: this.clock() + ms });
  }

  async release(sessionId: string): Promise<void> {
    this.#places.delete(sessionId);
  }
}
