import type { Clock, TaskId } from '@longhaul/tasks';
import {
  type LeaseHolder,
  type DeliveryLeaseRequest,
  type DeliveryLeaseStore,
  DETACHED_LEASE_MS,
} from '../../gateway/delivery-lease-store.js';

interface Claim {
  readonly holder: LeaseHolder;
  readonly until: number;
  readonly isDetached: boolean;
}

/** Claims within one process. */
export class MemoryDeliveryLeaseStore implements DeliveryLeaseStore {
  readonly #deliveryLeases = new Map<string, Claim>();

  constructor(private readonly clock: Clock) {}

  async take({ taskId, key, holder, leaseMs, isAskedFor, deadGatewayId }: DeliveryLeaseRequest): Promise<LeaseHolder> {
    const now = this.clock();
    for (const [name, { until }] of this.#deliveryLeases) if (until <= now) this.#deliveryLeases.delete(name);
    const held = this.#deliveryLeases.get(nameOf(taskId, key));
    const isFree =
      held === undefined ||
      held.holder.streamId === holder.streamId ||
      (held.isDetached && isAskedFor) ||
      held.holder.gatewayId === deadGatewayId;
    if (!isFree) return held.holder;
    this.#deliveryLeases.set(nameOf(taskId, key), { holder, until: now + leaseMs, isDetached: false });
    return holder;
  }

  async renew(taskId: TaskId, keys: readonly string[], holder: LeaseHolder, leaseMs: number): Promise<void> {
    this.#change(taskId, keys, holder, { until: this.clock() + leaseMs, isDetached: false });
  }

  async detach(taskId: TaskId, keys: readonly string[], holder: LeaseHolder): Promise<void> {
    this.#change(taskId, keys, holder, { until: this.clock() + DETACHED_LEASE_MS, isDetached: true });
  }

  #change(taskId: TaskId, keys: readonly string[], { streamId, epoch }: LeaseHolder, change: Omit<Claim, 'holder'>): void {
    for (const key of keys) {
      const held = this.#deliveryLeases.get(nameOf(taskId, key));
      if (held?.holder.streamId === streamId && held.holder.epoch === epoch)
        this.#deliveryLeases.set(nameOf(taskId, key), { holder: held.holder, ...change });
    }
  }
}

function nameOf(taskId: TaskId, key: string): string {
  return `${taskId} ${key}`;
}
