/**
 * Speaks HTTP+SSE, the transport of protocol version 2024-11-05: one stream of events with all messages of the server, whose first event
 * names the address for messages to it. When the stream ends, the session of the server has ended with it, so the transport is closed; the
 * SDK's own transport would open another stream and send messages of the old session to it.
 */
import { withoutNulls } from '@longhaul/client';
import { type JSONRPCMessage, parseJSONRPCMessage, SdkErrorCode, SdkHttpError, type Transport } from '@modelcontextprotocol/client';
import { EventSourceParserStream } from 'eventsource-parser/stream';

/** How much of an answer is read that says why a message is refused. */
const MAX_REASON_CHARACTERS = 500;

const ENDED = 'has ended';

export interface SseTransportOptions {
  readonly url: string;
  /** Adds headers, and bounds what is read. */
  readonly fetch: (url: string | URL, init: RequestInit) => Promise<Response>;
}

export class SseTransport implements Transport {
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  onmessage?: Transport['onmessage'];
  readonly #end = new AbortController();
  #endpoint: URL | undefined;
  #protocolVersion: string | undefined;
  #isClosed = false;
  readonly #exited = Promise.withResolvers<string>();

  constructor(private readonly options: SseTransportOptions) {}

  /** How the stream has ended; nothing while it is open. */
  get ended(): string | undefined {
    return this.#isClosed ? ENDED : undefined;
  }

  /** The same, when it has ended. */
  get exited(): Promise<string> {
    return this.#exited.promise;
  }

  setProtocolVersion(version: string): void {
    this.#protocolVersion = version;
  }

  /** Resolves when the server has named its address for messages. @throws SdkHttpError; Error when the stream ends before that */
  async start(): Promise<void> {
    const { url } = this.options;
    const response = await this.#fetch(url, { headers: this.#headers({ accept: 'text/event-stream' }) });
    const type = response.headers.get('content-type') ?? '';
    if (!response.ok || response.body === null || !type.startsWith('text/event-stream')) {
      await response.body?.cancel();
      throw httpError(`the server has no stream of events at ${new URL(url).pathname}`, response);
    }
    const named = Promise.withResolvers<void>();
    void this.#read(response.body, named).catch((error: unknown) => named.reject(error));
    await named.promise;
  }

  async send(message: JSONRPCMessage | JSONRPCMessage[]): Promise<void> {
    if (this.#endpoint === undefined || this.#isClosed) throw new Error('The stream of the server has ended.');
    const headers = this.#headers({ 'content-type': 'application/json' });
    const response = await this.#fetch(this.#endpoint, { method: 'POST', headers, body: JSON.stringify(message) });
    const text = response.ok ? '' : (await response.text()).slice(0, MAX_REASON_CHARACTERS);
    await response.body?.cancel().catch(() => undefined);
    if (!response.ok) throw httpError(`the server answered a message with HTTP ${response.status}`, response, text);
  }

  async close(): Promise<void> {
    this.#end.abort(new Error('The connection is closed.'));
    this.#close();
  }

  async #read(body: ReadableStream<Uint8Array>, named: PromiseWithResolvers<void>): Promise<void> {
    try {
      const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
      for await (const { event = 'message', data } of events) {
        if (event === 'endpoint') this.#name(data, named);
        else if (event === 'message') this.#take(data);
      }
      named.reject(new Error('the stream of the server ended before it named an address'));
    } catch (error) {
      named.reject(error);
      if (!this.#isClosed && !this.#end.signal.aborted) this.onerror?.(error as Error);
    } finally {
      this.#close();
    }
  }

  /** Messages contain keys and arguments of tools, so they are sent to no other server than the one that the operator has named. */
  #name(data: string, named: PromiseWithResolvers<void>): void {
    const endpoint = URL.parse(data.trim(), this.options.url);
    if (endpoint?.origin !== new URL(this.options.url).origin) {
      named.reject(new Error(`the server wants messages to be sent to ${endpoint?.origin ?? 'no URL'}, which is another server`));
      return;
    }
    this.#endpoint = endpoint;
    named.resolve();
  }

  #take(data: string): void {
    try {
      this.onmessage?.(parseJSONRPCMessage(withoutNulls(JSON.parse(data))));
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #fetch(url: string | URL, init: RequestInit): Promise<Response> {
    return this.options.fetch(url, { ...init, signal: this.#end.signal });
  }

  #headers(more: Readonly<Record<string, string>>): Record<string, string> {
    const version = this.#protocolVersion;
    return { ...more, ...(version !== undefined && { 'mcp-protocol-version': version }) };
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#end.abort(new Error('The connection is closed.'));
    this.#exited.resolve(ENDED);
    this.onclose?.();
  }
}

function httpError(message: string, { status, statusText }: Response, text?: string): SdkHttpError {
  return new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, message, { status, statusText, ...(text !== undefined && { text }) });
}
