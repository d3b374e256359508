/** Writes messages to the client, one JSON text on a line. */
import type { Writable } from 'node:stream';
import { within } from '@longhaul/runtime/within';

/** How long a client that reads no more may hold up the end. */
const FLUSH_LIMIT_MS = 1_000;

export class Output {
  /** Resolves when the client has closed its end. */
  readonly closed: Promise<void>;
  /** That of the stream as it was: by now it may write elsewhere. */
  readonly #write: Writable['write'];
  #drained: Promise<void> | undefined;

  constructor(private readonly stream: Writable) {
    this.#write = stream.write.bind(stream);
    this.closed = new Promise((resolve) => {
      stream.once('error', () => resolve());
      stream.once('close', () => resolve());
    });
  }

  /** Resolves when there is room for the next one. */
  async send(json: string): Promise<void> {
    // JSON may have line breaks between its tokens; a message that is framed by lines may not.
    const line = json.includes('\n') ? JSON.stringify(JSON.parse(json)) : json;
    if (this.#write(`${line}\n`) || this.stream.destroyed) return;
    this.#drained ??= this.#drain();
    await this.#drained;
  }

  /** Resolves when everything has been handed to the system, or the client does not take it. */
  async flush(): Promise<void> {
    const written = new Promise<void>((resolve) => {
      this.#write('', () => resolve());
    });
    await within(FLUSH_LIMIT_MS, Promise.race([written, this.closed]), () => undefined);
  }

  async #drain(): Promise<void> {
    await Promise.race([new Promise<void>((resolve) => this.stream.once('drain', resolve)), this.closed]);
    this.#drained = undefined;
  }
}

/** Keeps standard output for messages: any other code in this process that writes there, a feature for example, writes to standard error. */
export function reserveStandardOutput(): Output {
  const { stdout, stderr } = process;
  const output = new Output(stdout);
  stdout.write = stderr.write.bind(stderr);
  return output;
}
