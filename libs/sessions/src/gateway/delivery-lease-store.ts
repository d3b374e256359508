/**
 * Records on which stream a request of a task was sent to its client. The specification requires each message on one stream only; so a
 * stream takes the lease of a request before it sends the request. When the client of a stream hangs up, its lease becomes short: the
 * client may come back to the same stream, or ask on another.
 */
import type { TaskId } from '@longhaul/tasks';

/** How long a stream's lease still keeps other streams from sending the request after its client is gone. */
export const DETACHED_LEASE_MS = 5_000;

/** The stream that sends a request. */
export interface LeaseHolder {
  readonly streamId: string;
  readonly epoch: number;
  readonly gatewayId: string;
}

/** A stream's application for the lease of a request. */
export interface DeliveryLeaseRequest {
  readonly taskId: TaskId;
  /** The requested input. */
  readonly key: string;
  readonly holder: LeaseHolder;
  readonly leaseMs: number;
  /** Whether the lease of a stream without a client is ignored: the client itself has just asked for the task's requests. */
  readonly isAskedFor: boolean;
  /** A gateway that is known to be dead; its leases count as none. */
  readonly deadGatewayId?: string;
}

/**
 * Stores leases where all gateways see them. Every method rejects with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached.
 */
export interface DeliveryLeaseStore {
  /** @returns the holder of the lease: the stream that asks for it, unless another stream's lease holds */
  take(request: DeliveryLeaseRequest): Promise<LeaseHolder>;
  /** Renews the holder's leases of the task. */
  renew(taskId: TaskId, keys: readonly string[], holder: LeaseHolder, leaseMs: number): Promise<void>;
  /** The holder's client is gone. */
  detach(taskId: TaskId, keys: readonly string[], holder: LeaseHolder): Promise<void>;
}
