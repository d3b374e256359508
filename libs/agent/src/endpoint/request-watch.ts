/**
 * Ends a request when its caller does, when it takes too long, or when its answer is too long. The signal aborts with the reason,
 * which is the caller's or a {@link ModelError}; an error of the request after that is a consequence.
 */
import type { Fetch } from '@longhaul/runtime/named-host-fetch';
import { ModelError } from '../model/model-error.js';

const DRAIN_MS = 100;

/** How long a model may take, in milliseconds. */
export interface ModelTimeouts {
  /** Until the first byte of a streamed answer. An answer that is not streamed has `totalMs` for that. @defaultValue 300,000 */
  readonly firstByteMs: number;
  /** Between two pieces of an answer. @defaultValue 60,000 */
  readonly idleMs: number;
  /** For the whole answer. @defaultValue 900,000 */
  readonly totalMs: number;
}

/** The limits of a request. */
export interface WatchOptions {
  /** Of the caller. */
  readonly signal: AbortSignal;
  readonly timeouts: ModelTimeouts;
  readonly maxBytes: number;
}

/** Watches one request; dispose of it when the request ends. */
export class RequestWatch implements Disposable {
  readonly #controller = new AbortController();
  readonly #endWithCaller: () => void;
  readonly #total: NodeJS.Timeout;
  #silence: NodeJS.Timeout;
  #bytes = 0;
  #isOver = false;

  constructor(private readonly options: WatchOptions) {
    const { signal, timeouts } = options;
    this.#endWithCaller = () => this.#controller.abort(signal.reason);
    if (signal.aborted) this.#endWithCaller();
    signal.addEventListener('abort', this.#endWithCaller, { once: true });
    this.#total = this.#limit(timeouts.totalMs, 'The model was not done with its answer');
    this.#silence = this.#limit(timeouts.firstByteMs, 'The model did not begin to answer');
  }

  /** Aborts when the request has to end. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Fetches with an eye on what comes. */
  readonly through =
    (fetch: Fetch): Fetch =>
    async (input, init) => {
      const response = await fetch(input, init);
      if (response.body === null) return response;
      const reader = response.body.getReader();
      const body = new ReadableStream<Uint8Array>({
        pull: async (controller) => {
          const { done, value } = await reader.read();
          if (!done) this.#saw(value.length);
          this.signal.throwIfAborted();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: () => void drain(reader),
      });
      this.signal.addEventListener('abort', () => void reader.cancel(this.signal.reason).catch(() => {}), { once: true });
      return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
    };

  [Symbol.dispose](): void {
    this.#isOver = true;
    clearTimeout(this.#total);
    clearTimeout(this.#silence);
    this.options.signal.removeEventListener('abort', this.#endWithCaller);
  }

  #saw(bytes: number): void {
    // Bytes after the end of an answer start no timers.
    if (this.#isOver) return;
    const { maxBytes, timeouts } = this.options;
    clearTimeout(this.#silence);
    this.#silence = this.#limit(timeouts.idleMs, 'The model stopped in the middle of its answer and said nothing more');
    this.#bytes += bytes;
    if (this.#bytes > maxBytes) this.#end(new ModelError('BAD_RESPONSE', `The answer of the endpoint is longer than ${maxBytes} bytes.`));
  }

  #limit(ms: number, what: string): NodeJS.Timeout {
    return setTimeout(() => this.#end(new ModelError('TIMEOUT', `${what} within ${ms} ms.`)), ms);
  }

  #end(reason: ModelError): void {
    this.#controller.abort(reason);
  }
}

/** The end of a body follows what its reader has waited for, and only after it can the connection be used again. */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), DRAIN_MS);
  try {
    while (!(await reader.read()).done);
  } catch {
    // The connection broke, which does not matter any more.
  } finally {
    clearTimeout(timer);
  }
}
