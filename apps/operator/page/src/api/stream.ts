/**
 * Opens streams of server-sent events that reconnect by themselves. A stream that breaks, or is silent for long, is opened again, and
 * continues where it was. A hidden page has no stream: browsers allow few connections at a time to one server, for all of their windows.
 */
import { signal } from '@preact/signals';
import { get, messageOf, problemAt } from './client.js';

/** The address of a stream and its listeners. */
export interface StreamOptions {
  /** The address; called at each opening, so that it can contain where to continue. */
  readonly address: () => string;
  readonly events: Readonly<Record<string, (data: unknown) => void>>;
  /** The server refuses the stream, with a reason: it is not opened again. Without this, it is tried for ever. */
  readonly refused?: (message: string) => void;
}

/** Whether all streams are open and not silent. */
export const isConnected = signal(true);

/** The server sends an event every 5 seconds. */
const SILENCE_MS = 12_000;

/** All streams that views need. */
const streams = new Set<Stream>();

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 4_000;

/** Opens a stream. @returns a function that ends it */
export function openStream(options: StreamOptions): () => void {
  const stream = new Stream(options);
  stream.start();
  return () => stream.end();
}

class Stream {
  #source: EventSource | undefined;
  #retryMs = FIRST_RETRY_MS;
  #isBroken = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  readonly #wake = (): void => this.#look();

  constructor(private readonly options: StreamOptions) {}

  start(): void {
    streams.add(this);
    document.addEventListener('visibilitychange', this.#wake);
    window.addEventListener('online', this.#wake);
    this.#look();
  }

  end(): void {
    streams.delete(this);
    this.#say(false);
    document.removeEventListener('visibilitychange', this.#wake);
    window.removeEventListener('online', this.#wake);
    this.#close();
  }

  /** Opens it at once if it is needed and not open. */
  #look(): void {
    if (document.hidden) return this.#close();
    if (this.#source === undefined) this.#open();
  }

  #open(): void {
    clearTimeout(this.#timer);
    const source = new EventSource(this.options.address());
    this.#source = source;
    source.addEventListener('open', () => {
      this.#retryMs = FIRST_RETRY_MS;
      this.#say(false);
    });
    source.addEventListener('error', () => {
      const isRefused = source.readyState === EventSource.CLOSED && source === this.#source;
      this.#broken();
      if (isRefused) void this.#askWhy().catch((error: unknown) => this.options.refused?.(messageOf(error)));
    });
    source.addEventListener('alive', () => this.#heard());
    for (const [name, take] of Object.entries(this.options.events))
      source.addEventListener(name, (event) => {
        this.#heard();
        take(JSON.parse((event as MessageEvent<string>).data));
      });
    this.#heard();
  }

  #heard(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#broken(), SILENCE_MS);
  }

  #broken(): void {
    this.#close();
    this.#say(true);
    // A stream does not say why it was refused; a request does, and ends the session if it is no longer valid.
    get('me').catch(() => undefined);
    this.#timer = setTimeout(() => this.#look(), this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, LAST_RETRY_MS);
  }

  async #askWhy(): Promise<void> {
    const { address, refused } = this.options;
    if (refused === undefined) return;
    const problem = await problemAt(address());
    if (problem === undefined || !streams.has(this)) return;
    this.end();
    refused(problem.message);
  }

  #say(isBroken: boolean): void {
    this.#isBroken = isBroken;
    isConnected.value = ![...streams].some((stream) => stream.#isBroken);
  }

  #close(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#silence);
    this.#source?.close();
    this.#source = undefined;
  }
}
