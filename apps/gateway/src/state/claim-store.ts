/**
 * Which stream a request of a task to its client went out on. The specification wants each message on
 * one stream only; so whoever is to send a request claims it first. A claim ends with its lease. That of
 * a stream whose client hung up is short: the client may come back to the very stream, or ask on another.
 */
import type { TaskId } from '@longhaul/tasks';

/** How long a claim of a stream whose client is gone still keeps others from asking of their own accord. */
export const DETACHED_LEASE_MS = 5_000;

/** The stream that sends a request. */
export interface Claimant {
  readonly streamId: string;
  readonly epoch: number;
  readonly gatewayId: string;
}

/** The wish of a stream to send a request. */
export interface ClaimRequest {
  readonly taskId: TaskId;
  /** The input that is asked for. */
  readonly key: string;
  readonly claimant: Claimant;
  readonly leaseMs: number;
  /** Whether a claim of a stream without a client counts as none: the client itself has just asked for the task's requests. */
  readonly isAskedFor: boolean;
  /** A gateway that is known to be dead; its claims count as none. */
  readonly deadGatewayId?: string;
}

/** Where claims are seen by all. Every method rejects with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached. */
export interface ClaimStore {
  /** @returns who has the claim: the claimant itself, unless another one's holds */
  take(request: ClaimRequest): Promise<Claimant>;
  /** Renews the claimant's claims of the task. */
  renew(taskId: TaskId, keys: readonly string[], claimant: Claimant, leaseMs: number): Promise<void>;
  /** The claimant's client is gone. */
  detach(taskId: TaskId, keys: readonly string[], claimant: Claimant): Promise<void>;
}
