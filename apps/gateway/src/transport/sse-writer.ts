import type { ServerResponse } from 'node:http';

const KEEP_ALIVE_MS = 15_000;

/** What can be set about a stream. */
export interface SseOptions {
  readonly keepAliveMs?: number;
  /** Called each time that the stream is kept alive. */
  readonly onKeepAlive?: () => void;
}

/** Writes JSON-RPC messages as server-sent events, and comments so that nobody on the way gives up on a silent stream. */
export class SseWriter {
  readonly #raw: ServerResponse;
  readonly #keepAlive: NodeJS.Timeout;

  /** Sends the headers at once: the client knows that it is served. */
  constructor(raw: ServerResponse, { keepAliveMs = KEEP_ALIVE_MS, onKeepAlive }: SseOptions = {}) {
    this.#raw = raw;
    raw.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      connection: 'keep-alive',
      'x-accel-buffering': 'no',
    });
    raw.flushHeaders();
    this.#keepAlive = setInterval(() => {
      raw.write(': keep-alive\n\n');
      onKeepAlive?.();
    }, keepAliveMs);
    this.#keepAlive.unref();
    raw.once('close', () => clearInterval(this.#keepAlive));
  }

  /** Sends a message, given as JSON, which has no line breaks of its own: one `data` line is enough. */
  send(json: string): void {
    this.#raw.write(`event: message\ndata: ${json}\n\n`);
  }

  end(): void {
    clearInterval(this.#keepAlive);
    this.#raw.end();
  }
}
