/**
 * Brings a request, or a batch, to its answer. The client receives exactly one answer for each request that it has not cancelled, also when
 * the gateway fails:
 * - it cannot be reached: the request waits for it;
 * - it dies before the response begins: the request is sent again if that does no harm, or else answered with an error;
 * - it dies while it streams: the stream continues at the next gateway (`Last-Event-ID`), which knows the task.
 *
 * Revision 2026-07-28 has no streams that continue. There a subscription ends with the gateway that served it, and its client receives the
 * notification that the revision defines for this.
 */
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { traitsOf } from '@longhaul/gateway/methods';

import { type Cursor, isEventStream, newCursor, readEvents } from './event-stream.js';
import { answerLost, Failure, failureAnswer, failureOf, subscriptionEnd, unreachable } from './failure.js';
import { type GatewayConnection, isBroken, isUnsent } from './gateway-connection.js';
import { answeredId, type Incoming, type MessageId } from './incoming.js';
import type { Output } from './output.js';
import { PROTOCOL_VERSION_KEY } from './stateless-headers.js';

/** A gateway that has died is back sooner. If it is not, it has failed permanently, and its launcher stops. */
const OUT_OF_REACH_LIMIT_MS = 30_000;
const RETRY_MS = 50;
const CANCELLED = 'notifications/cancelled';
const TYPES = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/**
 * The delay from the last notification of a request to its answer. The SDK's client handles a notification only after everything that it
 * has read together with it. So it would drop the last progress of a call that is answered in the same moment.
 */
const BREATH_MS = 10;

/** The parts of an exchange. */
export interface ExchangeDeps {
  readonly connection: GatewayConnection;
  readonly headers: OutgoingHttpHeaders;
  /** Whether to cancel a request is to hang up, and nothing that is sent. */
  readonly isCancelledByHangingUp: boolean;
  readonly output: Output;
  /** Aborts when no answers are wanted any more. */
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
  /** Called with the answer before it goes out. */
  readonly onAnswer?: (answer: unknown, headers: IncomingHttpHeaders) => void;
}

export class Exchange {
  readonly #pending: Set<MessageId | null>;
  readonly #isRepeatable: boolean;
  readonly #cursor: Cursor = newCursor();
  readonly #cancelled = new AbortController();
  readonly #signal: AbortSignal;
  #onTaken: () => void = () => undefined;
  #notifiedAt = -Infinity;
  /** Whether there has been a stream. */
  #hasBegun = false;

  constructor(
    private readonly deps: ExchangeDeps,
    private readonly incoming: Incoming,
  ) {
    this.#signal = deps.isCancelledByHangingUp ? AbortSignal.any([deps.signal, this.#cancelled.signal]) : deps.signal;
    this.#pending = new Set(incoming.requests.map(({ id }) => id));
    this.#isRepeatable = incoming.requests.every(({ method }) => traitsOf(method).isRepeatable);
  }

  /**
   * Resolves at its end; never rejects.
   *
   * @param onTaken called when the gateway has begun to answer, or will not
   */
  async run(onTaken: () => void = () => undefined): Promise<void> {
    this.#onTaken = onTaken;
    try {
      await this.#post();
      while (this.#pending.size > 0) await this.#resume();
    } catch (error) {
      await this.#fail(error);
    }
    onTaken();
  }

  /**
   * The client does not want the answer any more; one that is on its way still comes.
   *
   * @returns whether the gateway must still be notified
   */
  cancel(id: MessageId, reason: string | undefined): boolean {
    const isPending = this.#pending.delete(id);
    if (!isPending || !this.deps.isCancelledByHangingUp) return true;
    void this.#hangUp(id, reason);
    return false;
  }

  /** Over HTTP, hanging up says nothing of the reason, which decides what becomes of the work. So the gateway is told that first. */
  async #hangUp(requestId: MessageId, reason: string | undefined): Promise<void> {
    const { connection, signal } = this.deps;
    const { 'mcp-protocol-version': version } = this.deps.headers;
    const params = { requestId, ...(reason !== undefined && { reason }), _meta: { [PROTOCOL_VERSION_KEY]: version } };
    const body = JSON.stringify({ jsonrpc: '2.0', method: CANCELLED, params });
    const headers = { ...TYPES, 'mcp-protocol-version': version, 'mcp-method': CANCELLED };
    try {
      (await connection.request({ method: 'POST', headers, body, isAlone: true, signal })).resume();
    } catch (error) {
      if (!signal.aborted) this.deps.log(`The reason of a cancellation was not passed on: ${String(error)}`);
    }
    this.#cancelled.abort();
  }

  async #post(): Promise<void> {
    const { connection, headers } = this.deps;
    const signal = this.#signal;
    const body = this.incoming.text;
    const isAlone = !this.#isRepeatable;
    const request = { method: 'POST', headers: { ...headers, ...TYPES }, body, isAlone, signal } as const;
    const startedAt = performance.now();
    for (;;) {
      try {
        return await this.#take(await connection.request(request));
      } catch (error) {
        if (signal.aborted || !isBroken(error)) throw error;
        if (!isUnsent(error) && !this.#isRepeatable) throw await this.#lost();
        if (performance.now() - startedAt > OUT_OF_REACH_LIMIT_MS) throw unreachable(OUT_OF_REACH_LIMIT_MS);
        await delay(RETRY_MS, undefined, { signal });
      }
    }
  }

  /** One attempt to continue the stream. @throws Failure when that is impossible */
  async #resume(): Promise<void> {
    const { connection, headers } = this.deps;
    const signal = this.#signal;
    const { lastEventId, retryMs } = this.#cursor;
    // Cannot be resumed: an older revision of the protocol, or a store that was away.
    if (lastEventId === undefined) throw this.#isRepeatable ? answerLost() : await this.#lost();
    await delay(retryMs, undefined, { signal });
    const request = { method: 'GET', headers: { ...headers, accept: 'text/event-stream', 'last-event-id': lastEventId }, signal } as const;
    const response = await connection.request(request).catch((error: unknown) => {
      if (signal.aborted) throw error;
      return undefined; // Not there yet.
    });
    const { statusCode = 0 } = response ?? {};
    if (response === undefined) return;
    if (statusCode === 409 || statusCode === 429 || statusCode >= 500) response.resume();
    else if (statusCode === 204) throw answerLost();
    else await this.#take(response);
  }

  /** Reports the lost answer no sooner than the client can call again: the socket of a process that is just dying still takes connections. */
  async #lost(): Promise<Failure> {
    const signal = this.#signal;
    const startedAt = performance.now();
    do await delay(RETRY_MS, undefined, { signal });
    while (!(await this.#isAnswered()) && performance.now() - startedAt < OUT_OF_REACH_LIMIT_MS);
    return answerLost();
  }

  /** Whether the gateway answers anything at all. */
  async #isAnswered(): Promise<boolean> {
    try {
      const response = await this.deps.connection.request({ method: 'HEAD', headers: {}, isAlone: true, signal: this.#signal });
      response.resume();
      return true;
    } catch (error) {
      if (this.#signal.aborted || !isBroken(error)) throw error;
      return false;
    }
  }

  async #take(response: IncomingMessage): Promise<void> {
    const { statusCode = 0, headers } = response;
    const onMessage = (json: string): Promise<void> => this.#pass(json, headers);
    if (statusCode < 300 && isEventStream(response)) {
      this.#hasBegun = true;
      this.#onTaken();
      return readEvents(response, this.#cursor, onMessage);
    }
    const body = await text(response);
    this.#onTaken();
    if (statusCode >= 300) throw failureOf(statusCode, body);
    if (body !== '') await onMessage(body);
    else if (this.#pending.size > 0) throw failureOf(statusCode, body);
  }

  /** Passes a message on as it is. */
  async #pass(json: string, headers: IncomingHttpHeaders): Promise<void> {
    const { output, onAnswer } = this.deps;
    const parsed: unknown = JSON.parse(json);
    let isNotification = true;
    for (const message of Array.isArray(parsed) ? (parsed as unknown[]) : [parsed]) {
      const id = answeredId(message);
      if (id === undefined) continue;
      isNotification = false;
      this.#pending.delete(id);
      onAnswer?.(message, headers);
    }
    if (isNotification) this.#notifiedAt = performance.now();
    else if (performance.now() - this.#notifiedAt < BREATH_MS) await delay(BREATH_MS);
    await output.send(json);
  }

  async #fail(error: unknown): Promise<void> {
    const { output, log } = this.deps;
    if (this.#signal.aborted) return;
    const failure = error instanceof Failure ? error : failureOf(undefined, '');
    if (failure !== error)
      log(`a message could not be passed on: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    else if (this.#pending.size === 0) log(`the gateway has refused a message: ${failure.message}`);
    for (const id of this.#pending) await output.send(this.#hasSubscribed ? subscriptionEnd(id, failure) : failureAnswer(id, failure));
    this.#pending.clear();
  }

  get #hasSubscribed(): boolean {
    return this.#hasBegun && this.incoming.requests.some(({ method }) => traitsOf(method).isSubscription);
  }
}
