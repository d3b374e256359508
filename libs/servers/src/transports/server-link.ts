/** Makes the link to a server: the transport of the client, how it ends, and its description. */
import type { ConnectOptions, Target } from '@longhaul/client';
import { wellFormedJson } from '@longhaul/tasks/text';
import { boundedResponse, MAX_MESSAGE_BYTES } from './bounded-response.js';
import { UNFINISHED_MESSAGES } from './message-budget.js';
import { MessagePace } from './message-pace.js';
import { shortAnswer } from './short-answer.js';
import type { ServerConfig, StdioServer, UrlServer } from '../config/server-config.js';
import { ServerProcess } from './server-process.js';
import { SseTransport } from './sse-transport.js';

/** The way to one server. */
export interface ServerLink {
  readonly target: Target;
  /** Of HTTP. */
  readonly transport: ConnectOptions['transport'];
  /** The end of its standard error. */
  readonly stderr: string;
  /** How its process or its only stream ended, if it did so before it was asked to. */
  readonly endedByItself: string | undefined;
  /** How its process or its only stream ends, once it does; nothing for a URL without a stream. */
  readonly exited: Promise<string> | undefined;
  /** Has the next connection use the transport of 2024-11-05. @returns whether it is another one, which may be tried */
  speakOlder(): boolean;
  /**
   * Ends what is under way, and the process with all that it has started.
   *
   * @param how if it is a loss to those who use it: how `endedByItself` says that it ended
   */
  end(how?: string): Promise<void>;
}

/** Requests to a server, with the credentials that there are for it. */
export type FetchFrom = (config: UrlServer, input: string | URL, init: RequestInit) => Promise<Response>;

/** Nothing is started or connected yet. @param fetchFrom is not used for a process */
export function linkTo(config: ServerConfig, fetchFrom: FetchFrom): ServerLink {
  return config.kind === 'stdio' ? new StdioLink(config) : new UrlLink(config, fetchFrom);
}

class StdioLink implements ServerLink {
  readonly transport = undefined;
  #process: ServerProcess | undefined;
  #isEnding = false;
  #endedByItself: string | undefined;

  constructor(private readonly config: StdioServer) {}

  readonly target = (): ServerProcess => {
    if (this.#isEnding) throw new Error('the server is not wanted any more');
    this.#process = new ServerProcess(this.config);
    return this.#process;
  };

  speakOlder(): boolean {
    return false;
  }

  get stderr(): string {
    return this.#process?.stderr ?? '';
  }

  get endedByItself(): string | undefined {
    return this.#isEnding ? this.#endedByItself : this.#process?.ended;
  }

  get exited(): Promise<string> | undefined {
    return this.#process?.exited;
  }

  async end(how?: string): Promise<void> {
    if (!this.#isEnding) this.#endedByItself = this.#process?.ended ?? how;
    this.#isEnding = true;
    await this.#process?.close();
  }
}

class UrlLink implements ServerLink {
  readonly stderr = '';
  readonly #config: UrlServer;
  #isSse: boolean;
  #stream: SseTransport | undefined;
  #isEnding = false;
  #endedByItself: string | undefined;
  readonly transport: NonNullable<ServerLink['transport']>;
  readonly #end = new AbortController();
  readonly #pace = new MessagePace();

  constructor(
    config: UrlServer,
    private readonly fetchFrom: FetchFrom,
  ) {
    this.#config = config;
    this.#isSse = config.transport === 'sse';
    this.transport = { fetch: (input, init) => this.#fetch(input, init) };
  }

  get target(): Target {
    const { url } = this.#config;
    if (!this.#isSse) return url;
    return () => {
      this.#stream = new SseTransport({ url, fetch: (input, init) => this.#fetch(input, init) });
      return this.#stream;
    };
  }

  get endedByItself(): string | undefined {
    return this.#isEnding ? this.#endedByItself : this.#stream?.ended;
  }

  get exited(): Promise<string> | undefined {
    return this.#stream?.exited;
  }

  speakOlder(): boolean {
    const isNew = this.#config.transport === undefined && !this.#isSse;
    this.#isSse ||= isNew;
    return isNew;
  }

  async #fetch(input: string | URL, init?: RequestInit): Promise<Response> {
    const signals = [this.#end.signal, ...(init?.signal === null || init?.signal === undefined ? [] : [init.signal])];
    const request = withWellFormedBody({ ...init, signal: AbortSignal.any(signals) });
    const response = await this.fetchFrom(this.#config, input, request);
    if (init?.method === 'POST') return shortAnswer(response, this.#pace);
    return boundedResponse(response, MAX_MESSAGE_BYTES, UNFINISHED_MESSAGES, this.#pace);
  }

  async end(how?: string): Promise<void> {
    if (!this.#isEnding) this.#endedByItself = this.#stream?.ended ?? how;
    this.#isEnding = true;
    this.#end.abort(new Error('the server is not wanted any more'));
  }
}

/** The request with JSON that has no halves of characters: strict servers refuse all of it for one. */
function withWellFormedBody(init: RequestInit): RequestInit {
  return typeof init.body === 'string' ? { ...init, body: wellFormedJson(init.body) } : init;
}
