/**
 * Sends requests of this library over the transport of an SDK client, in addition to the client's own requests.
 *
 * The SDK's client cannot send them: it does not know results of the type `task`, does not notice when the stream of a request breaks, and
 * stops waiting after a minute. The transport is the SDK's, so headers, authentication and the resumption of streams work as for the
 * client. Ids are texts that begin with a token of this wire; the client counts numbers. Messages that the wire does not take are passed on
 * to the client.
 */
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/client';
import { ConnectionLostError, RpcError, SessionLostError } from '../errors.js';
import { activeTrace } from './active-trace.js';
import type { Notifications } from './notifications.js';
import { type RetryPolicy, withRetries } from './retries.js';
import { saysSessionIsLost, wireFailure } from './wire-failure.js';

export type Params = Readonly<Record<string, unknown>>;

/** One request. */
export interface WireRequest {
  readonly method: string;
  readonly params?: Params;
  readonly headers?: Readonly<Record<string, string>>;
  /** Gives the request up. */
  readonly signal?: AbortSignal;
  /** Whether the server must be asked to end the work or the stream of the request when it is abandoned. */
  readonly isCancellable?: boolean;
  /** After which an answer is not waited for any more; that counts as a lost connection. */
  readonly timeoutMs?: number;
  /** Called with the id, before the request goes out. */
  readonly onSend?: (id: string) => void;
}

export interface WireOptions {
  /** The description of the client in the `_meta` of each request; protocol version 2026-07-28 only. */
  readonly envelope?: Params;
  readonly notifications: Notifications;
  readonly retries: RetryPolicy;
  /** Takes what cannot be reported otherwise. */
  readonly onError: (error: Error) => void;
}

/** The requests over one transport. */
export class RpcWire {
  readonly #token = `${randomToken()}-`;
  readonly #pending = new Map<string, PromiseWithResolvers<unknown>>();
  readonly #deliveries = new Set<Promise<void>>();
  #count = 0;
  #isOpen = true;
  readonly #closed = Promise.withResolvers<void>();
  readonly #transmit: Transport['send'];

  /** Takes its place between a connected transport and the client. */
  constructor(
    private readonly transport: Transport,
    private readonly options: WireOptions,
  ) {
    const { onmessage, onclose } = transport;
    this.#transmit = transport.send.bind(transport);
    // The client's answers to questions of the server. Their loss would not be noticed: the server would just wait.
    transport.send = (message, sendOptions) =>
      isJSONRPCResponse(message) ? this.#deliver(message, 'an answer') : this.#transmit(message, sendOptions);
    transport.onmessage = (message, extra) => {
      if (!this.#take(message)) onmessage?.(message, extra);
    };
    transport.onclose = () => {
      this.#close();
      onclose?.();
    };
  }

  /** Whether requests can be sent; a connection that is down for the moment is open. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Resolves when no more requests can be sent. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /** A text that this wire has not used before, for requests and progress. */
  newId(): string {
    this.#count += 1;
    return `${this.#token}${this.#count}`;
  }

  /** Resolves when answers and cancellations that are on their way have arrived, or have failed. */
  async delivered(): Promise<void> {
    await Promise.allSettled(this.#deliveries);
  }

  /**
   * Sends a request and waits for its result.
   *
   * @throws RpcError if the server answers with an error; ConnectionLostError if no answer comes
   */
  async request(request: WireRequest): Promise<unknown> {
    const { method, signal, isCancellable = false, timeoutMs } = request;
    signal?.throwIfAborted();
    if (!this.#isOpen) throw new ConnectionLostError(`${method} was not sent: the connection is closed.`, 'none');
    const id = this.newId();
    const answer = Promise.withResolvers<unknown>();
    const stream = new AbortController();
    const fail = (reason: unknown): void => {
      answer.reject(reason);
      stream.abort();
      if (isCancellable) this.#cancel(id);
    };
    const abort = (): void => fail(signal?.reason);
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => fail(new ConnectionLostError(`No answer to ${method} came within ${timeoutMs} ms.`)), timeoutMs);
    this.#pending.set(id, answer);
    signal?.addEventListener('abort', abort, { once: true });
    request.onSend?.(id);
    this.#send(id, request, stream.signal, answer.reject);
    try {
      return await answer.promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      this.#pending.delete(id);
    }
  }

  #send(id: string, { method, params = {}, headers }: WireRequest, requestSignal: AbortSignal, fail: (reason: unknown) => void): void {
    const hasSession = this.transport.sessionId !== undefined;
    this.#transmit(
      { jsonrpc: '2.0', id, method, params: this.#framed(params) },
      {
        ...(headers !== undefined && { headers }),
        requestSignal,
        onRequestStreamEnd: () => fail(new ConnectionLostError(`The stream with the answer to ${method} broke.`)),
      },
    ).catch((error: unknown) => fail(wireFailure(error, { id, method, hasSession })));
  }

  /** Sends a message that may come twice: of equal answers the server takes the first, and so it does of cancellations. */
  #deliver(message: JSONRPCMessage, what: string): Promise<void> {
    const delivery = withRetries(
      this.options.retries,
      () => this.#isOpen,
      undefined,
      async () => {
        try {
          await this.#transmit(message);
        } catch (error) {
          throw wireFailure(error, { id: '', method: what, hasSession: false });
        }
      },
    );
    this.#deliveries.add(delivery);
    return delivery.finally(() => this.#deliveries.delete(delivery));
  }

  /** Sends a cancellation, unless the end of the request's stream is one. */
  #cancel(id: string): void {
    const endOfStreamCancels = this.options.envelope !== undefined && this.transport.hasPerRequestStream === true;
    if (endOfStreamCancels) return;
    const params = this.#framed({ requestId: id, reason: 'The client gave the request up.' });
    const cancelled = 'notifications/cancelled';
    this.#deliver({ jsonrpc: '2.0', method: cancelled, params }, cancelled).catch((error: unknown) =>
      this.options.onError(error instanceof Error ? error : new Error(String(error))),
    );
  }

  #framed(params: Params): Record<string, unknown> {
    const { envelope } = this.options;
    const given = params['_meta'] as Params | undefined;
    // A caller who names a trace means that one, with what belongs to it.
    const trace = given?.['traceparent'] === undefined ? activeTrace() : undefined;
    if (envelope === undefined && trace === undefined) return { ...params };
    return { ...params, _meta: { ...trace, ...given, ...envelope } };
  }

  /** @returns whether the message is none of the client's business */
  #take(message: JSONRPCMessage): boolean {
    if (isJSONRPCResultResponse(message)) return this.#settle(message.id, (answer) => answer.resolve(message.result));
    if (isJSONRPCErrorResponse(message)) {
      const { code, message: text, data } = message.error;
      const isLost = this.transport.sessionId !== undefined && saysSessionIsLost(code, text);
      return this.#settle(message.id, (answer) => answer.reject(isLost ? new SessionLostError() : new RpcError(code, text, data)));
    }
    return isJSONRPCNotification(message) && this.options.notifications.notify(message);
  }

  /** Answers that come too late are taken as well: the client would not know their ids. */
  #settle(id: RequestId | undefined, settle: (answer: PromiseWithResolvers<unknown>) => void): boolean {
    if (typeof id !== 'string' || !id.startsWith(this.#token)) return false;
    const answer = this.#pending.get(id);
    if (answer !== undefined) settle(answer);
    return true;
  }

  #close(): void {
    this.#isOpen = false;
    this.#closed.resolve();
    for (const answer of this.#pending.values()) answer.reject(new ConnectionLostError('The connection was closed.'));
  }
}

/** Makes a unique random text. `crypto.randomUUID` is not used because pages without TLS do not have it. */
function randomToken(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
