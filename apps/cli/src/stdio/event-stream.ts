import type { IncomingMessage } from 'node:http';

import { createParser } from 'eventsource-parser';

import { isBroken } from './gateway-connection.js';

/** Where a stream continues when its connection has broken. */
export interface Cursor {
  /** Undefined as long as it cannot continue. */
  lastEventId: string | undefined;
  /** How long to wait before. */
  retryMs: number;
}

/** The delay that the specification leaves to the client; the gateway states it. */
const DEFAULT_RETRY_MS = 1_000;

/** A stream without any event yet. */
export function newCursor(): Cursor {
  return { lastEventId: undefined, retryMs: DEFAULT_RETRY_MS };
}

/** Whether a response is an event stream. */
export function isEventStream({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('text/event-stream') === true;
}

/**
 * Reads events until the connection ends or breaks: the stream itself may continue elsewhere.
 *
 * @param cursor advances with every event
 * @param onMessage receives the data of each event. The next one is read when it resolves.
 */
export async function readEvents(response: IncomingMessage, cursor: Cursor, onMessage: (json: string) => Promise<void>): Promise<void> {
  const messages: string[] = [];
  const parser = createParser({
    onRetry: (ms) => (cursor.retryMs = ms),
    onEvent: ({ id, data }) => {
      if (id !== undefined) cursor.lastEventId = id;
      if (data.trim() !== '') messages.push(data);
    },
  });
  response.setEncoding('utf8');
  try {
    for await (const chunk of response as AsyncIterable<string>) {
      parser.feed(chunk);
      for (const message of messages.splice(0)) await onMessage(message);
    }
  } catch (error) {
    if (!isBroken(error)) throw error;
  }
}
