/** Reads the gateway's messages outside of answers: the standalone stream of the session, while the session exists. */
import type { OutgoingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

import { newCursor, readEvents } from './event-stream.js';
import { failureOf } from './failure.js';
import type { GatewayConnection } from './gateway-connection.js';
import type { Output } from './output.js';

/** The parts of the stream. */
export interface StandaloneStreamDeps {
  readonly connection: GatewayConnection;
  /** Those of the session. */
  readonly headers: OutgoingHttpHeaders;
  readonly output: Output;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/**
 * Passes on messages, and connects again whenever the connection ends.
 *
 * @param onSettled called when the stream is open for the first time, or after a failed attempt to open it
 * @returns when the gateway says that there is no such stream, or the signal aborts
 */
export async function followStandaloneStream(deps: StandaloneStreamDeps, onSettled: () => void): Promise<void> {
  const { connection, output, signal, log } = deps;
  const cursor = newCursor();
  while (!signal.aborted) {
    const headers = {
      ...deps.headers,
      accept: 'text/event-stream',
      ...(cursor.lastEventId !== undefined && { 'last-event-id': cursor.lastEventId }),
    };
    const response = await connection.request({ method: 'GET', headers, signal }).catch(() => undefined); // Not there yet.
    onSettled();
    const { statusCode = 0 } = response ?? {};
    if (statusCode === 200 && response !== undefined) await readEvents(response, cursor, (json) => output.send(json));
    else if (response !== undefined) {
      const { message } = failureOf(statusCode, await text(response).catch(() => ''));
      if (statusCode === 404 || statusCode === 405) return log(`no more notifications will come: ${message}`);
      // The position to continue from is forgotten: messages since then are lost, later messages are not.
      if (statusCode === 400) cursor.lastEventId = undefined;
    }
    await delay(cursor.retryMs, undefined, { signal }).catch(() => undefined);
  }
}
