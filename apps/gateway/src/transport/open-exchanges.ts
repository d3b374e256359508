import type { RpcFailure } from '../errors.js';
import type { ExchangeTransport } from './exchange.js';

/** The exchanges of this process that wait, by session. It is about open sockets only; sessions live elsewhere. */
export class OpenExchanges {
  readonly #bySession = new Map<string, Set<ExchangeTransport>>();

  add(sessionId: string, exchange: ExchangeTransport): void {
    const open = this.#bySession.get(sessionId);
    if (open === undefined) this.#bySession.set(sessionId, new Set([exchange]));
    else open.add(exchange);
  }

  remove(sessionId: string, exchange: ExchangeTransport): void {
    const open = this.#bySession.get(sessionId);
    open?.delete(exchange);
    if (open?.size === 0) this.#bySession.delete(sessionId);
  }

  /** Cancels the session's request with this id, if it is still open here. */
  cancel(sessionId: string, requestId: unknown): void {
    for (const exchange of this.#bySession.get(sessionId) ?? []) if (exchange.requestId === requestId) exchange.cancel();
  }

  /** Answers all open requests of the session with an error. */
  endSession(sessionId: string, failure: RpcFailure): void {
    for (const exchange of this.#bySession.get(sessionId) ?? []) exchange.fail(failure);
  }

  /** Answers all open requests with an error. */
  endAll(failure: RpcFailure): void {
    for (const sessionId of this.#bySession.keys()) this.endSession(sessionId, failure);
  }
}
