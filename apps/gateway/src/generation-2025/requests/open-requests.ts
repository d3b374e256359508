import type { Cancellation } from '@longhaul/sessions/gateway';
import { within } from '@longhaul/runtime/within';
import { type RpcFailure, taskLeft } from '../../rpc/errors.js';
import type { OpenRequest } from './open-request.js';

/** Holds the requests that wait in this process, by session. It contains only work that runs here; sessions are stored elsewhere. */
export class OpenRequests {
  readonly #bySession = new Map<string, Set<OpenRequest>>();
  readonly #whenNone = new Set<() => void>();
  #isDraining = false;

  /** The request is removed when it has ended. */
  add(sessionId: string, request: OpenRequest): void {
    const open = this.#bySession.get(sessionId);
    if (open === undefined) this.#bySession.set(sessionId, new Set([request]));
    else open.add(request);
    request.whenOver(() => this.#remove(sessionId, request));
    request.whenBound(() => {
      if (this.#isDraining) sendElsewhere(request);
    });
  }

  /** Whether the session's request with this id runs here. */
  has(sessionId: string, requestId: unknown): boolean {
    for (const request of this.#bySession.get(sessionId) ?? []) if (request.id === requestId) return true;
    return false;
  }

  /** Cancels the session's request with this id, if it runs here. */
  cancel(sessionId: string, requestId: unknown, cancellation: Cancellation): void {
    for (const request of Array.from(this.#bySession.get(sessionId) ?? [])) if (request.id === requestId) request.cancel(cancellation);
  }

  /** Answers all open requests of the session with an error. */
  endSession(sessionId: string, failure: RpcFailure): void {
    for (const request of Array.from(this.#bySession.get(sessionId) ?? [])) request.fail(failure);
  }

  /** From now on, requests that wait for a task are sent to other gateways; requests that run in this process may end here. */
  drain(): void {
    this.#isDraining = true;
    for (const requests of this.#bySession.values())
      for (const request of Array.from(requests)) if (request.taskId !== undefined) sendElsewhere(request);
  }

  /** Resolves when all of them have ended, or the milliseconds have passed. */
  async whenNoneIsLeft(withinMs: number): Promise<void> {
    if (this.#bySession.size === 0 || withinMs <= 0) return;
    const none = new Promise<void>((resolve) => this.#whenNone.add(resolve));
    await within(withinMs, none, () => undefined);
  }

  #remove(sessionId: string, request: OpenRequest): void {
    const open = this.#bySession.get(sessionId);
    open?.delete(request);
    if (open?.size === 0) this.#bySession.delete(sessionId);
    if (this.#bySession.size === 0) for (const resolve of this.#whenNone) resolve();
  }
}

function sendElsewhere(request: OpenRequest): void {
  request.sendElsewhere(taskLeft(request.taskId), true);
}
