/** Sends server-sent events, for the routes that clients follow. */
import { toWireJson } from '@longhaul/tasks/text';
import type { FastifyReply } from 'fastify';
import { ANSWER_HEADERS } from './answer-headers.js';

/** Proxies cut off silent streams; and by these events a browser knows that its network has not failed silently. */
const ALIVE_MS = 5_000;
/** The delay after which browsers reconnect when a stream breaks. */
const RETRY_MS = 1_000;

/** An event. */
export interface SentEvent {
  readonly event: string;
  readonly data: unknown;
  /** A reconnecting client sends the last id, to continue there. */
  readonly id?: string;
}

/**
 * Answers with events until they end, the client disconnects or the server ends; every 5 seconds there is an event `alive`. An error after
 * the first event ends the stream with an event `error`.
 *
 * @param events must end when its signal aborts
 */
export async function sendEvents(
  reply: FastifyReply,
  closing: AbortSignal,
  events: (signal: AbortSignal) => AsyncIterable<SentEvent>,
): Promise<void> {
  const gone = new AbortController();
  const signal = AbortSignal.any([gone.signal, closing]);
  const { raw } = reply;
  raw.once('close', () => gone.abort());
  reply.hijack();
  raw.writeHead(200, {
    ...ANSWER_HEADERS,
    'content-type': 'text/event-stream',
    'cache-control': `${ANSWER_HEADERS['cache-control']}, no-transform`,
    'x-accel-buffering': 'no',
  });
  raw.write(`retry: ${RETRY_MS}\n\n`);
  const keepAlive = setInterval(() => raw.write('event: alive\ndata: {}\n\n'), ALIVE_MS);
  try {
    for await (const { event, data, id } of events(signal)) {
      if (signal.aborted) break;
      const isRead = raw.write(`event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${toWireJson(data)}\n\n`);
      if (!isRead) await untilDrained(raw, signal);
    }
  } catch (error) {
    if (!signal.aborted)
      raw.write(`event: error\ndata: ${toWireJson({ detail: error instanceof Error ? error.message : String(error) })}\n\n`);
  } finally {
    clearInterval(keepAlive);
    raw.end();
  }
}

function untilDrained(raw: FastifyReply['raw'], signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      raw.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    raw.once('drain', done);
    signal.addEventListener('abort', done);
  });
}
