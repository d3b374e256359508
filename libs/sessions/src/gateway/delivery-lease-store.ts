/**
 * Which stream a request of a task to its client went out on. The specification wants each message on
 * one stream only; so a stream takes the lease of a request before it sends it. The lease of a stream whose client hung up
 * is short: the client may come back to the same stream, or ask on another.
 */
import type { TaskId } from '@longhaul/tasks';

/** How long a lease of a stream whose client is gone still keeps others from asking of their own accord. */
export const DETACHED_LEASE_MS = 5_000;

/** The stream that sends a request. */
export interface LeaseHolder {
  readonly streamId: string;
  readonly epoch: number;
  readonly gatewayId: string;
}

/** The wish of a stream to send a request. */
export interface DeliveryLeaseRequest {
  readonly taskId: TaskId;
  /** The input that is asked for. */
  readonly key: string;
  readonly holder: LeaseHolder;
  readonly leaseMs: number;
  /** Whether the lease of a stream without a client counts as none: the client itself has just asked for the task's requests. */
  readonly isAskedFor: boolean;
  /** A gateway that is known to be dead; its leases count as none. */
  readonly deadGatewayId?: string;
}

/** Where leases are seen by all. Every method rejects with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached. */
export interface DeliveryLeaseStore {
  /** @returns who has the lease: the one that asks for it, unless another one's holds */
  take(request: DeliveryLeaseRequest): Promise<LeaseHolder>;
  /** Renews the holder's leases of the task. */
  renew(taskId: TaskId, keys: readonly string[], holder: LeaseHolder, leaseMs: number): Promise<void>;
  /** The holder's client is gone. */
  detach(taskId: TaskId, keys: readonly string[], holder: LeaseHolder): Promise<void>;
}
