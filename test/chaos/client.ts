/**
 * A client of revision 2025-11-25 over plain HTTP that never stops trying: what could not be sent or was
 * not answered is tried again at another gateway. An answer that no outage explains is an error at once.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { Random } from './random.js';

/** A JSON-RPC error that the server stands by. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
}

/** What a request was answered with. */
export type Answer = { readonly result: Readonly<Record<string, unknown>> } | { readonly error: RpcError };

/** A request of the server on the stream of one of ours. */
export interface ServerRequest {
  readonly id: string;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

interface Message extends Partial<ServerRequest> {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: RpcError;
}

/** Where and how the client sends. */
export interface ClientOptions {
  readonly urls: readonly string[];
  readonly random: Random;
  /** Ends every attempt. */
  readonly signal: AbortSignal;
  /** How long one attempt may take. A gateway that was killed closes its connections, so silence is rare. Default: 15 s. */
  readonly patienceMs?: number;
}

const RETRY_MS = { least: 20, most: 150 };
const PATIENCE_MS = 15_000;
/** A gateway that stood still for too long, too many open streams (those of a killed gateway have yet to be noticed), or no Redis at the moment. */
const BUSY = new Set([408, 429, 503]);
const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: { elicitation: {} },
  clientInfo: { name: 'longhaul-chaos', version: '1' },
};

/** One session. */
export class ChaosClient {
  /** Requests that had to be sent again. */
  retries = 0;
  #nextId = 0;
  #session: string | undefined;

  private constructor(private readonly options: ClientOptions) {}

  /** Opens a session. */
  static async open(options: ClientOptions): Promise<ChaosClient> {
    const client = new ChaosClient(options);
    await client.call('initialize', INITIALIZE);
    await client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return client;
  }

  /** Sends a request until it is answered. @param onRequest receives the server's requests on its stream */
  async call(method: string, params: object, onRequest: (request: ServerRequest) => void = () => undefined): Promise<Answer> {
    return this.#until(async () => {
      this.#nextId += 1;
      const response = await this.#post({ jsonrpc: '2.0', id: this.#nextId, method, params });
      if (response === undefined) return undefined;
      for await (const message of messagesOf(response)) {
        if (message.method !== undefined && message.id !== undefined) onRequest(message as ServerRequest);
        if (message.error !== undefined) return isOutage(message.error) ? undefined : { error: message.error };
        if (message.result !== undefined) return { result: message.result };
      }
      return undefined; // The stream ended without an answer: its gateway is gone.
    });
  }

  /** Sends a response or a notification until it is taken. */
  async send(message: object): Promise<void> {
    await this.#until(async () => {
      const response = await this.#post(message);
      await response?.arrayBuffer();
      return response?.status === 202 ? true : undefined;
    });
  }

  /** Sends a signal to an address until it is taken, and once more, as a sender does that has not heard of that. */
  async sendSignal(address: string, id: string, value: string): Promise<void> {
    const { pathname } = new URL(address);
    for (let time = 0; time < 2; time++)
      await this.#until(async () => {
        const { urls, random, signal, patienceMs = PATIENCE_MS } = this.options;
        const response = await fetch(new URL(pathname, random.pick(urls)), {
          method: 'POST',
          body: JSON.stringify(value),
          headers: { 'content-type': 'application/json', 'webhook-id': id },
          signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
        });
        const text = await response.text();
        if (BUSY.has(response.status)) return undefined;
        if (!response.ok) throw new Unexpected(`A signal: HTTP ${response.status}: ${text}`);
        return true;
      });
  }

  async #until<T>(attempt: () => Promise<T | undefined>): Promise<T> {
    const { random, signal } = this.options;
    for (;;) {
      signal.throwIfAborted();
      const done = await attempt().catch((error: unknown) => {
        if (error instanceof Unexpected) throw error;
        return undefined; // Broken off; `fetch` has many names for it.
      });
      if (done !== undefined) return done;
      this.retries += 1;
      await wait(random.between(RETRY_MS.least, RETRY_MS.most));
    }
  }

  /** @returns nothing when the gateway could not serve it at the moment */
  async #post(message: object): Promise<Response | undefined> {
    const { urls, random, signal, patienceMs = PATIENCE_MS } = this.options;
    const response = await fetch(random.pick(urls), {
      method: 'POST',
      body: JSON.stringify(message),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
        ...(this.#session !== undefined && { 'mcp-session-id': this.#session }),
      },
      signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
    });
    if (BUSY.has(response.status)) {
      await response.arrayBuffer();
      return undefined;
    }
    if (!response.ok) throw new Unexpected(`HTTP ${response.status}: ${await response.text()}`);
    this.#session ??= response.headers.get('mcp-session-id') ?? undefined;
    return response;
  }
}

/** An answer that no outage explains. */
class Unexpected extends Error {
  override readonly name = 'Unexpected';
}

function isOutage({ code, message }: RpcError): boolean {
  return (code === -32603 && message.endsWith('Try again.')) || ([-32000, -31000].includes(code) && message.endsWith('ask again.'));
}

async function* messagesOf(response: Response): AsyncGenerator<Message> {
  if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    yield (await response.json()) as Message;
    return;
  }
  const events = response.body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { data } of events ?? []) if (data !== '') yield JSON.parse(data) as Message;
}
