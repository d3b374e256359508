import { type RpcFailure, taskLeft } from '../rpc/errors.js';
import type { ExchangeTransport } from './open-request.js';

/** The exchanges of this process that wait, by session. It is about work that runs here only; sessions live elsewhere. */
export class OpenExchanges {
  readonly #bySession = new Map<string, Set<ExchangeTransport>>();
  readonly #whenNone = new Set<() => void>();
  #isDraining = false;

  /** It is removed when it is over. */
  add(sessionId: string, exchange: ExchangeTransport): void {
    const open = this.#bySession.get(sessionId);
    if (open === undefined) this.#bySession.set(sessionId, new Set([exchange]));
    else open.add(exchange);
    exchange.whenOver(() => this.#remove(sessionId, exchange));
    exchange.onBound = () => {
      if (this.#isDraining) sendElsewhere(exchange);
    };
  }

  /** Whether the session's request with this id is under way here. */
  has(sessionId: string, requestId: unknown): boolean {
    for (const exchange of this.#bySession.get(sessionId) ?? []) if (exchange.requestId === requestId) return true;
    return false;
  }

  /** Cancels the session's request with this id, if it is under way here. */
  cancel(sessionId: string, requestId: unknown): void {
    for (const exchange of Array.from(this.#bySession.get(sessionId) ?? [])) if (exchange.requestId === requestId) exchange.cancel();
  }

  /** Answers all open requests of the session with an error. */
  endSession(sessionId: string, failure: RpcFailure): void {
    for (const exchange of Array.from(this.#bySession.get(sessionId) ?? [])) exchange.fail(failure);
  }

  /** From now on, what waits for a task is sent to other gateways; what runs in this process may end here. */
  drain(): void {
    this.#isDraining = true;
    for (const exchanges of this.#bySession.values())
      for (const exchange of Array.from(exchanges)) if (exchange.taskId !== undefined) sendElsewhere(exchange);
  }

  /** Resolves when all of them are over, or so are the milliseconds. */
  async whenNoneIsLeft(withinMs: number): Promise<void> {
    if (this.#bySession.size === 0 || withinMs <= 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#whenNone.add(resolve);
    const timer = setTimeout(resolve, withinMs);
    await promise;
    clearTimeout(timer);
  }

  #remove(sessionId: string, exchange: ExchangeTransport): void {
    const open = this.#bySession.get(sessionId);
    open?.delete(exchange);
    if (open?.size === 0) this.#bySession.delete(sessionId);
    if (this.#bySession.size === 0) for (const resolve of this.#whenNone) resolve();
  }
}

function sendElsewhere(exchange: ExchangeTransport): void {
  if (!exchange.response.sendElsewhere()) exchange.fail(taskLeft(exchange.taskId));
}
