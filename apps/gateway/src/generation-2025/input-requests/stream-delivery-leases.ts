/**
 * Holds the delivery leases of the streams that this process serves. It remembers the leases of each stream, to renew them with the
 * stream's own lease and to release them with the stream.
 */
import type { DeliveryLeaseStore, LeaseHolder } from '@longhaul/sessions/gateway';
import type { Presence } from '../../cluster/presence.js';
import type { TaskId } from '@longhaul/tasks';
import type { Logger } from 'pino';

/** The parts that leases are taken with. */
export interface StreamDeliveryLeasesDeps {
  readonly store: DeliveryLeaseStore;
  readonly presence: Presence;
  readonly leaseMs: number;
  readonly logger: Logger;
}

/** A request that must be sent. */
export interface Question {
  readonly taskId: TaskId;
  readonly key: string;
  /** Whether the client has just asked for the requests of the task. */
  readonly isAskedFor: boolean;
}

export class StreamDeliveryLeases {
  readonly #held = new Map<LeaseHolder, Map<TaskId, string[]>>();

  constructor(private readonly deps: StreamDeliveryLeasesDeps) {}

  /** @returns whether the holder must send the request */
  async take(holder: LeaseHolder, { taskId, key, isAskedFor }: Question): Promise<boolean> {
    const { store, presence, leaseMs } = this.deps;
    const request = { taskId, key, holder, leaseMs, isAskedFor };
    let current = await store.take(request);
    if (current.streamId !== holder.streamId && !(await presence.isAlive(current.gatewayId)))
      current = await store.take({ ...request, deadGatewayId: current.gatewayId });
    if (current.streamId !== holder.streamId) return false;
    const held = this.#held.get(holder) ?? new Map<TaskId, string[]>();
    this.#held.set(holder, held);
    const keys = held.get(taskId);
    if (keys === undefined) held.set(taskId, [key]);
    else if (!keys.includes(key)) keys.push(key);
    return true;
  }

  /** Only the named requests of the task are still unanswered: the leases of the others are forgotten. */
  retain(holder: LeaseHolder, taskId: TaskId, pending: ReadonlySet<string>): void {
    const held = this.#held.get(holder);
    const keys = held?.get(taskId)?.filter((key) => pending.has(key));
    if (held === undefined || keys === undefined) return;
    if (keys.length > 0) held.set(taskId, keys);
    else held.delete(taskId);
    if (held.size === 0) this.#held.delete(holder);
  }

  /** Renews the holder's leases; without a lease it costs nothing. */
  renew(holder: LeaseHolder): void {
    const { store, leaseMs } = this.deps;
    for (const [taskId, keys] of this.#held.get(holder) ?? []) this.#report(store.renew(taskId, keys, holder, leaseMs));
  }

  /** The holder's stream is no longer served here. */
  release(holder: LeaseHolder): void {
    for (const [taskId, keys] of this.#held.get(holder) ?? []) this.#report(this.deps.store.detach(taskId, keys, holder));
    this.#held.delete(holder);
  }

  #report(work: Promise<void>): void {
    work.catch((error: unknown) => this.deps.logger.warn({ err: error }, 'delivery leases not changed'));
  }
}
