import type { Clock } from '@longhaul/tasks';
import type { OutcomeStore } from '../../gateway/outcome-store.js';

/** Outcomes within one process. */
export class MemoryOutcomeStore implements OutcomeStore {
  readonly #known = new Map<string, { outcome: string; readonly until: number }>();

  constructor(private readonly clock: Clock) {}

  async begin(id: string, ttlMs: number): Promise<string | undefined> {
    const now = this.clock();
    for (const [other, { until }] of this.#known) if (until <= now) this.#known.delete(other);
    const known = this.#known.get(id);
    if (known === undefined) this.#known.set(id, { outcome: '', until: now + ttlMs });
    return known?.outcome;
  }

  async record(id: string, outcome: string): Promise<void> {
    const known = this.#known.get(id);
    if (known !== undefined) known.outcome = outcome;
  }
}
