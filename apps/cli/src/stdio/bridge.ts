/**
 * Connects a client on standard input and output with a gateway on a socket. Each line goes to the gateway as a POST of the Streamable HTTP
 * transport, and each message of the gateway becomes a line. The gateway knows nothing of this, so it does here everything that it does for
 * clients on HTTP: tasks, questions, progress, subscriptions, and continuing after its death.
 *
 * The SDK has a transport for each side, but joining them would leave requests unanswered. The transport for standard input drops an
 * invalid message together with its id, and stops for good at a line above its limit. The transport for HTTP does not report which stream
 * it no longer resumes, nor that a stream ended without an answer.
 *
 * Clients of revision 2026-07-28 have no session and no `initialize`: each of their requests stands for itself.
 *
 * Lines are taken in their order. Requests are answered in parallel. But `initialize`, `shutdown` and notifications are complete before the
 * next line is taken, because later lines rely on them.
 */
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { within } from '@longhaul/runtime/within';

import { Exchange, type ExchangeDeps } from './exchange.js';
import { type Failure, failureAnswer, lineTooLong, notInitialized, notJson } from './failure.js';
import type { GatewayConnection } from './gateway-connection.js';
import { type Incoming, isMessageId, readIncoming } from './incoming.js';
import type { Output } from './output.js';
import { followStandaloneStream } from './standalone-stream.js';
import { statelessHeaders } from './stateless-headers.js';
import { Semaphore } from '@longhaul/runtime/semaphore';
import { isJsonObject } from '@longhaul/tasks/json';

/** The longest line that is looked into: the highest limit that a gateway can have for a message. A longer one has no id. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** The most requests without the beginning of an answer: more at once would only make each other wait. */
const MAX_UNANSWERED = 100;
/** A gateway that works begins within a second, if only by opening a stream. A slower request does not block others. */
const PATIENCE_MS = 2_000;

/** How long the end may be held up by saying good-bye. */
const GOODBYE_MS = 1_000;

/** The two sides of the bridge. */
export interface BridgeOptions {
  readonly connection: GatewayConnection;
  readonly output: Output;
  readonly log: (line: string) => void;
}

export class Bridge {
  readonly #end = new AbortController();
  readonly #semaphore = new Semaphore(MAX_UNANSWERED);
  readonly #running = new Map<Exchange, Promise<void>>();
  /** Undefined before `initialize`. */
  #session: OutgoingHttpHeaders | undefined;
  #listening: Promise<void> | undefined;

  constructor(private readonly options: BridgeOptions) {}

  /**
   * Takes lines until there are no more, or one says that there will be none.
   *
   * @param lines undefined for one that is too long
   */
  async run(lines: AsyncIterable<Buffer | undefined>): Promise<void> {
    for await (const line of lines) {
      if (this.#end.signal.aborted) return;
      const incoming = await this.#read(line);
      if (incoming?.notifications.some(({ method }) => method === 'exit') === true) return;
      if (incoming !== undefined) await this.#take(incoming);
    }
  }

  /** Gives what is under way `drainMs` to be answered, then ends the session. Nothing is written after that. */
  async close(drainMs: number): Promise<void> {
    const answered = Promise.all(this.#running.values());
    await within(drainMs, answered, () => undefined);
    // First of all: streams that end with the session would be opened again.
    this.#end.abort();
    await answered;
    if (this.#session !== undefined) await this.#sayGoodbye(this.#session);
    this.options.connection.close();
  }

  /** @returns undefined when there is nothing in the line that could be passed on */
  async #read(line: Buffer | undefined): Promise<Incoming | undefined> {
    const text = line !== undefined && isUtf8(line) ? line.toString('utf8') : undefined;
    if (text?.trim() === '') return undefined;
    try {
      if (text !== undefined) return readIncoming(text);
      await this.#refuse([null], line === undefined ? lineTooLong(MAX_LINE_BYTES) : notJson());
    } catch {
      await this.#refuse([null], notJson());
    }
    return undefined;
  }

  async #take(incoming: Incoming): Promise<void> {
    await (this.#session === undefined ? this.#takeBeforeSession(incoming) : this.#takeInSession(incoming, this.#session));
  }

  async #takeBeforeSession(incoming: Incoming): Promise<void> {
    const { requests, isBatch } = incoming;
    const [first] = requests;
    const headers = statelessHeaders(incoming);
    if (first?.method === 'initialize' && !isBatch) {
      const onAnswer = (answer: unknown, headers: IncomingHttpHeaders): void => this.#open(answer, headers);
      await new Exchange({ ...this.#deps({}), onAnswer }, incoming).run();
    } else if (headers !== undefined) await this.#start(new Exchange({ ...this.#deps(headers), isCancelledByHangingUp: true }, incoming));
    // No session is open yet that could receive other notifications.
    else if (requests.length === 0) this.#cancel(incoming);
    else if (first?.method === 'ping' && !isBatch && first.id !== null) {
      await this.options.output.send(JSON.stringify({ jsonrpc: '2.0', id: first.id, result: {} }));
    } else
      await this.#refuse(
        requests.map(({ id }) => id),
        notInitialized(),
      );
  }

  #open(answer: unknown, { 'mcp-session-id': sessionId }: IncomingHttpHeaders): void {
    if (!isJsonObject(answer) || !isJsonObject(answer['result'])) return;
    const { protocolVersion } = answer['result'];
    this.#session = {
      ...(sessionId !== undefined && { 'mcp-session-id': sessionId }),
      ...(typeof protocolVersion === 'string' && { 'mcp-protocol-version': protocolVersion }),
    };
  }

  async #takeInSession(incoming: Incoming, session: OutgoingHttpHeaders): Promise<void> {
    const { requests, notifications } = incoming;
    const exchange = new Exchange(this.#deps(session), incoming);
    const isForGateway = this.#cancel(incoming);
    if (requests.length > 0) await this.#start(exchange);
    else if (isForGateway) await exchange.run();
    if (notifications.some(({ method }) => method === 'notifications/initialized')) await this.#listen(session);
    if (requests.some(({ method }) => method === 'shutdown')) await this.#running.get(exchange);
  }

  /** Resolves when the next request may be sent. */
  async #start(exchange: Exchange): Promise<void> {
    const leave = await this.#semaphore.enter();
    const impatience = setTimeout(leave, PATIENCE_MS).unref();
    const onTaken = (): void => {
      clearTimeout(impatience);
      leave();
    };
    const running = exchange.run(onTaken).finally(() => this.#running.delete(exchange));
    this.#running.set(exchange, running);
  }

  /** Resolves when the stream is open, so that nothing is missed of what the next lines bring about. */
  #listen(session: OutgoingHttpHeaders): Promise<void> {
    this.#listening ??= new Promise((resolve) => {
      void followStandaloneStream(this.#deps(session), resolve);
    });
    return this.#listening;
  }

  /** @returns whether the gateway must still be notified */
  #cancel({ notifications }: Incoming): boolean {
    let isForGateway = true;
    for (const { method, params } of notifications) {
      const id = isJsonObject(params) ? params['requestId'] : undefined;
      if (method !== 'notifications/cancelled' || !isMessageId(id)) continue;
      const reason = isJsonObject(params) && typeof params['reason'] === 'string' ? params['reason'] : undefined;
      for (const exchange of this.#running.keys()) isForGateway = exchange.cancel(id, reason) && isForGateway;
    }
    return isForGateway;
  }

  async #sayGoodbye(headers: OutgoingHttpHeaders): Promise<void> {
    try {
      const response = await this.options.connection.request({ method: 'DELETE', headers, signal: AbortSignal.timeout(GOODBYE_MS) });
      response.resume();
    } catch {
      // An unused session expires by itself.
    }
  }

  async #refuse(ids: readonly (string | number | null)[], failure: Failure): Promise<void> {
    for (const id of ids) await this.options.output.send(failureAnswer(id, failure));
  }

  #deps(headers: OutgoingHttpHeaders): ExchangeDeps {
    return { ...this.options, headers, isCancelledByHangingUp: false, signal: this.#end.signal };
  }
}
