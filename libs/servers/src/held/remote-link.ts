/** The link to a server that another process of the deployment holds: messages go over a line to that process, and over its hub. */
import { type Generation, greeted, type Greeting } from '@longhaul/client';
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import type { ServerLink } from '../transports/server-link.js';
import type { Line } from './line.js';

/** The first text of a line: what the other process is asked for. */
export interface Hello {
  readonly hold: string;
  readonly epoch: number;
}

/** The answer to it. */
export type Welcome =
  /** The next texts are messages to and from the server. */
  | { readonly kind: 'connected'; readonly generation: Generation; readonly greeting?: Greeting | undefined }
  /** The connection need not be shared: the store says how to continue, or there is no session. */
  | { readonly kind: 'look-again' }
  /** The server could not be started. */
  | { readonly kind: 'refused'; readonly reason: string };

export class RemoteLink implements ServerLink {
  readonly transport = undefined;
  readonly stderr = '';
  readonly #exited = Promise.withResolvers<string>();
  #endedByItself: string | undefined;
  #isEnding = false;

  constructor(
    private readonly line: Line,
    private readonly greeting: Greeting | undefined,
  ) {}

  readonly target = (): Transport => {
    const transport = new LineTransport(this.line, (reason) => this.#ended(`is held by another process: ${reason}`));
    return this.greeting === undefined ? transport : greeted(transport, this.greeting);
  };

  get endedByItself(): string | undefined {
    return this.#endedByItself;
  }

  get exited(): Promise<string> {
    return this.#exited.promise;
  }

  speakOlder(): boolean {
    return false;
  }

  async end(how?: string): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#endedByItself ??= how;
    this.line.end('it is not used any more', false);
    this.#exited.resolve(how ?? 'is not used any more');
  }

  #ended(how: string): void {
    if (!this.#isEnding) this.#endedByItself ??= how;
    this.#exited.resolve(how);
  }
}

class LineTransport implements Transport {
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  onmessage?: Transport['onmessage'];

  constructor(
    private readonly line: Line,
    onEnd: (reason: string) => void,
  ) {
    line.ontext = (text) => this.onmessage?.(parseJSONRPCMessage(JSON.parse(text)));
    line.onend = (reason) => {
      onEnd(reason);
      this.onclose?.();
    };
  }

  async start(): Promise<void> {
    if (this.line.isEnded) throw new Error('The line to the other process has ended.');
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.line.send(JSON.stringify(message));
  }

  async close(): Promise<void> {
    this.line.end('it is not used any more', false);
    this.onclose?.();
  }
}
