/** A tenant of the property of isolation: it asks over the wire, and remembers every byte that came back. */
import { gunzipSync } from 'node:zlib';
import { bearer, initialize } from './requests.js';
import { messagesOf } from '../../support/event-stream.js';

/** What came back, as far as a caller can distinguish answers. */
export interface Seen {
  readonly status: number;
  readonly text: string;
  readonly message: Record<string, unknown>;
}

const VERSION = '2026-07-28';
const CAPABILITIES = { extensions: { 'io.modelcontextprotocol/tasks': {} }, elicitation: { form: {} } };

export class Tenant {
  /** Everything that came to it. */
  readonly received: string[] = [];
  /** Its handles, which others try. */
  readonly tasks: string[] = [];
  readonly states: string[] = [];
  readonly events: string[] = [];
  session = '';
  readonly #streams: AbortController[] = [];
  #requests = 0;

  constructor(
    readonly name: string,
    readonly canary: string,
    private readonly url: string,
    private readonly token: string,
  ) {}

  /** Opens its session and the stream of it. */
  async open(): Promise<void> {
    const body = { ...initialize, params: { ...initialize.params, capabilities: { elicitation: {} } } };
    const response = await this.#post(body, {});
    this.session = response.headers.get('mcp-session-id') ?? '';
    await this.#taken(response);
    await this.stream({});
  }

  /** A request of 2025-11-25. @param session in place of its own */
  async in2025(method: string, params: object, session = this.session): Promise<Seen> {
    return this.#taken(await this.#post({ jsonrpc: '2.0', id: ++this.#requests, method, params }, { 'mcp-session-id': session }));
  }

  /** A request of 2026-07-28. */
  async in2026(method: string, params: Readonly<Record<string, unknown>>): Promise<Seen> {
    return this.#taken(await this.#modern(method, params));
  }

  /** Opens a stream that goes on, by listening in 2026-07-28. */
  async listen(taskIds: readonly string[]): Promise<void> {
    const params = { notifications: { taskIds, resourceSubscriptions: ['memory://knowledge-graph'] } };
    const abort = new AbortController();
    const response = await this.#modern('subscriptions/listen', params, abort.signal);
    if (response.status === 200) this.#goOn(response, abort);
    else await this.#taken(response);
  }

  /** GET of a session: its standalone stream, or one that is taken up again. @returns what distinguishes answers, of one that is no stream */
  async stream({ session = this.session, after }: { readonly session?: string; readonly after?: string }): Promise<Seen> {
    const headers = { accept: 'text/event-stream', 'mcp-session-id': session, ...(after !== undefined && { 'last-event-id': after }) };
    const abort = new AbortController();
    const response = await fetch(this.url, { headers: { ...bearer(this.token), ...headers }, signal: abort.signal });
    if (response.status !== 200) return this.#taken(response);
    this.#goOn(response, abort);
    return { status: 200, text: '', message: {} };
  }

  /** DELETE of a session. */
  async end(session: string): Promise<Seen> {
    return this.#taken(await fetch(this.url, { method: 'DELETE', headers: { ...bearer(this.token), 'mcp-session-id': session } }));
  }

  /** Hangs up everywhere. */
  close(): void {
    for (const stream of this.#streams) stream.abort();
  }

  #post(body: object, headers: Readonly<Record<string, string>>, signal: AbortSignal | null = null): Promise<Response> {
    const all = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...bearer(this.token), ...headers };
    return fetch(this.url, { method: 'POST', headers: all, body: JSON.stringify(body), signal });
  }

  #modern(method: string, params: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<Response> {
    const { _meta, ...rest } = params as { _meta?: object };
    const meta = {
      'io.modelcontextprotocol/protocolVersion': VERSION,
      'io.modelcontextprotocol/clientInfo': { name: this.name, version: '1' },
      'io.modelcontextprotocol/clientCapabilities': CAPABILITIES,
      ..._meta,
    };
    const named = ['name', 'uri', 'taskId'].map((key) => params[key]).find((value) => typeof value === 'string');
    const headers = { 'mcp-protocol-version': VERSION, 'mcp-method': method, ...(typeof named === 'string' && { 'mcp-name': named }) };
    return this.#post({ jsonrpc: '2.0', id: ++this.#requests, method, params: { ...rest, _meta: meta } }, headers, signal);
  }

  #goOn(response: Response, abort: AbortController): void {
    this.#streams.push(abort);
    void this.#read(response, abort.signal);
  }

  /** Until it ends, or this side hangs up. */
  async #read(response: Response, signal: AbortSignal): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const part of response.body ?? []) this.#keep(decoder.decode(part as Uint8Array, { stream: true }), response.headers);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #taken(response: Response): Promise<Seen> {
    const text = await response.text();
    this.#keep(text, response.headers);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const message = (isStream ? messagesOf(text).at(-1) : text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>;
    return { status: response.status, text, message };
  }

  #keep(text: string, headers: Headers): void {
    this.received.push(text, JSON.stringify([...headers]));
    for (const [, id = ''] of text.matchAll(/^id: ?(\S+)$/gm)) this.events.push(id);
    for (const [, blob = ''] of text.matchAll(/"blob":"([^"]+)"/g)) this.received.push(gunzipSync(Buffer.from(blob, 'base64')).toString());
  }
}

/** An answer without the handle that it is about, and without the number of its request. */
export function withoutHandle({ status, text }: Seen, handle: string): string {
  return `${status} ${text.replaceAll(handle, '…').replaceAll(/"id":\d+/g, '"id":0')}`;
}
