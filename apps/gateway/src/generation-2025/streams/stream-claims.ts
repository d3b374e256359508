/**
 * The claims of the streams that this process serves. It remembers what each stream has claimed, to renew
 * it with the stream's lease and to let go of it with the stream.
 */
import type { TaskId } from '@longhaul/tasks';
import type { Logger } from 'pino';
import type { Presence } from '../../state/cluster/presence.js';
import type { Claimant, ClaimStore } from '../../state/claim-store.js';

/** What claims are made with. */
export interface StreamClaimsDeps {
  readonly store: ClaimStore;
  readonly presence: Presence;
  readonly leaseMs: number;
  readonly logger: Logger;
}

/** A request that is to be claimed. */
export interface Question {
  readonly taskId: TaskId;
  readonly key: string;
  /** Whether the client has just asked for the requests of the task. */
  readonly isAskedFor: boolean;
}

export class StreamClaims {
  readonly #held = new Map<Claimant, Map<TaskId, string[]>>();

  constructor(private readonly deps: StreamClaimsDeps) {}

  /** @returns whether the request is the claimant's to send */
  async take(claimant: Claimant, { taskId, key, isAskedFor }: Question): Promise<boolean> {
    const { store, presence, leaseMs } = this.deps;
    const request = { taskId, key, claimant, leaseMs, isAskedFor };
    let holder = await store.take(request);
    if (holder.streamId !== claimant.streamId && !(await presence.isAlive(holder.gatewayId)))
      holder = await store.take({ ...request, deadGatewayId: holder.gatewayId });
    if (holder.streamId !== claimant.streamId) return false;
    const held = this.#held.get(claimant) ?? new Map<TaskId, string[]>();
    this.#held.set(claimant, held);
    const keys = held.get(taskId);
    if (keys === undefined) held.set(taskId, [key]);
    else if (!keys.includes(key)) keys.push(key);
    return true;
  }

  /** Of the task's requests only the named ones are still unanswered: there is nothing to keep of the others. */
  retain(claimant: Claimant, taskId: TaskId, pending: ReadonlySet<string>): void {
    const held = this.#held.get(claimant);
    const keys = held?.get(taskId)?.filter((key) => pending.has(key));
    if (held === undefined || keys === undefined) return;
    if (keys.length > 0) held.set(taskId, keys);
    else held.delete(taskId);
    if (held.size === 0) this.#held.delete(claimant);
  }

  /** Keeps what the claimant has; without a claim it costs nothing. */
  renew(claimant: Claimant): void {
    const { store, leaseMs } = this.deps;
    for (const [taskId, keys] of this.#held.get(claimant) ?? []) this.#report(store.renew(taskId, keys, claimant, leaseMs));
  }

  /** The claimant's stream is no longer served here. */
  release(claimant: Claimant): void {
    for (const [taskId, keys] of this.#held.get(claimant) ?? []) this.#report(this.deps.store.detach(taskId, keys, claimant));
    this.#held.delete(claimant);
  }

  #report(work: Promise<void>): void {
    work.catch((error: unknown) => this.deps.logger.warn({ err: error }, 'claims not changed'));
  }
}
