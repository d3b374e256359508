import type { Clock, TaskId } from '@longhaul/tasks';
import { type Claimant, type ClaimRequest, type ClaimStore, DETACHED_LEASE_MS } from '../claim-store.js';

interface Claim {
  readonly claimant: Claimant;
  readonly until: number;
  readonly isDetached: boolean;
}

/** Claims within one process. */
export class MemoryClaimStore implements ClaimStore {
  readonly #claims = new Map<string, Claim>();

  constructor(private readonly clock: Clock) {}

  async take({ taskId, key, claimant, leaseMs, isAskedFor, deadGatewayId }: ClaimRequest): Promise<Claimant> {
    const now = this.clock();
    for (const [name, { until }] of this.#claims) if (until <= now) this.#claims.delete(name);
    const held = this.#claims.get(nameOf(taskId, key));
    const isFree =
      held === undefined ||
      held.claimant.streamId === claimant.streamId ||
      (held.isDetached && isAskedFor) ||
      held.claimant.gatewayId === deadGatewayId;
    if (!isFree) return held.claimant;
    this.#claims.set(nameOf(taskId, key), { claimant, until: now + leaseMs, isDetached: false });
    return claimant;
  }

  async renew(taskId: TaskId, keys: readonly string[], claimant: Claimant, leaseMs: number): Promise<void> {
    this.#change(taskId, keys, claimant, { until: this.clock() + leaseMs, isDetached: false });
  }

  async detach(taskId: TaskId, keys: readonly string[], claimant: Claimant): Promise<void> {
    this.#change(taskId, keys, claimant, { until: this.clock() + DETACHED_LEASE_MS, isDetached: true });
  }

  #change(taskId: TaskId, keys: readonly string[], { streamId, epoch }: Claimant, change: Omit<Claim, 'claimant'>): void {
    for (const key of keys) {
      const held = this.#claims.get(nameOf(taskId, key));
      if (held?.claimant.streamId === streamId && held.claimant.epoch === epoch)
        this.#claims.set(nameOf(taskId, key), { claimant: held.claimant, ...change });
    }
  }
}

function nameOf(taskId: TaskId, key: string): string {
  return `${taskId} ${key}`;
}
