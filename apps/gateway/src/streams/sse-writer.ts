/** Writes server-sent events to an HTTP response. It knows neither messages nor streams, and has no timer. */
import type { ServerResponse } from 'node:http';

/** A client is disconnected if more than this waits for it when the next message comes. */
export const MAX_BUFFERED_BYTES = 32 * 1024 * 1024;

export const SSE_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;

/** A message, given as JSON, which has no line breaks of its own: one `data` line is enough. */
export function eventOf(json: string, id?: string): string {
  return `event: message\n${id === undefined ? '' : `id: ${id}\n`}data: ${json}\n\n`;
}

export class SseWriter {
  constructor(private readonly raw: ServerResponse) {}

  /** The headers are sent with the first text, if that comes in the same turn. */
  begin(): void {
    this.raw.writeHead(200, { ...SSE_HEADERS, connection: 'keep-alive' });
    // The headers are written separately, because otherwise Node would keep a KiB of their text as long as the stream lasts.
    const { socket } = this.raw;
    socket?.cork();
    this.raw.flushHeaders();
    process.nextTick(() => socket?.uncork());
  }

  /**
   * Tells the client how long it must wait before it connects again if the connection breaks.
   *
   * @param id where the client must continue; an event without data is no message
   */
  retry(ms: number, id?: string): void {
    this.#write(`retry: ${ms}\n\n${id === undefined ? '' : `id: ${id}\ndata: \n\n`}`);
  }

  /**
   * Sends a message, given as JSON.
   *
   * @param id absent for a message that cannot be sent again
   */
  send(json: string, id?: string): void {
    // The waiting data is measured, not this message, which may be long: the client had no time to read it.
    if (this.raw.writableLength > MAX_BUFFERED_BYTES) return void this.raw.destroy();
    this.#write(eventOf(json, id));
  }

  /** Sends a comment, so that no proxy in between closes a silent stream. */
  keepAlive(): void {
    this.#write(': keep-alive\n\n');
  }

  end(): void {
    this.raw.end();
  }

  #write(text: string): void {
    if (!this.raw.destroyed && !this.raw.writableEnded) this.raw.write(text);
  }
}
