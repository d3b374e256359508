import { createBrotliDecompress, createGunzip, createInflate, constants } from 'node:zlib';
import { pipeline, type Readable } from 'node:stream';
import { request } from 'undici';
import { type Dispatcher, fetch, guardedAgent, namedNetwork } from './guarded-agent.js';

/** The signature of `fetch`, for any implementation. */
export type Fetch = typeof globalThis.fetch;

const CONNECT_MS = 10_000;
/** A body of at most this size is read at once. */
const SMALL_BYTES = 65_536;
/** Statuses of responses that have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

let dispatcher: Dispatcher | undefined;

/** The connections to all named hosts, which keep no process alive. */
function connections(): Dispatcher {
  return (dispatcher ??= guardedAgent(namedNetwork, CONNECT_MS).compose(
    (dispatch) => (options, handler) => dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler),
  ));
}

/**
 * Fetches from a host that an operator has named. Any address is allowed, but those at which a cloud answers the machine about itself, also
 * when a name resolves to one. A connection must open within 10 s. There is no other time limit, because a model may read a long prompt, and
 * a tool may work, for many minutes. All requests share their connections.
 */
export const namedHostFetch: Fetch = async (input, init) => {
  // The types of undici and of Node say the same in different words.
  const options = { ...init, dispatcher: connections() } as unknown as Parameters<typeof fetch>[1];
  return fetch(input instanceof Request ? input.url : input, options) as Promise<unknown> as Promise<Response>;
};

/**
 * Posts a text in the same way, and follows no redirect. It costs a quarter of the CPU time of `fetch`, which makes several streams of each
 * body. The caller reads the body of the response, or cancels it.
 *
 * @throws the reason of the signal; TypeError with the cause, as `fetch` does
 */
export async function namedHostPost(url: URL, { headers, body, signal }: RequestInit & { readonly body: string }): Promise<Response> {
  const sent = new Headers(headers);
  for (const [name, value] of USUAL) if (!sent.has(name)) sent.set(name, value);
  const stop = signal ?? null;
  try {
    const response = await request(url, { method: 'POST', headers: sent, body, signal: stop, dispatcher: connections() });
    return await responseOf(response, stop);
  } catch (error) {
    stop?.throwIfAborted();
    throw new TypeError('fetch failed', { cause: error });
  }
}

/** Headers that `fetch` sends by itself. */
const USUAL = [
  ['accept', '*/*'],
  ['accept-encoding', 'gzip, deflate, br'],
  ['user-agent', 'undici'],
] as const;

async function responseOf({ statusCode, headers, body }: Dispatcher.ResponseData, signal: AbortSignal | null): Promise<Response> {
  const received = new Headers();
  for (const [name, value] of Object.entries(headers)) for (const each of [value ?? []].flat()) received.append(name, each);
  const init = { status: statusCode, headers: received };
  if (WITHOUT_BODY.has(statusCode)) {
    await body.dump();
    return new Response(null, init);
  }
  const decoder = decoderOf(received.get('content-encoding'));
  const isSmall = Number(received.get('content-length') ?? Infinity) <= SMALL_BYTES;
  if (decoder === undefined) return new Response(isSmall ? await body.arrayBuffer() : streamOf(body, signal), init);
  // Its end is that of the stream which is read.
  pipeline(body, decoder, () => undefined);
  return new Response(streamOf(decoder, signal), init);
}

function decoderOf(encoding: string | null) {
  // What has come is decoded at once: the events of a stream are far apart.
  const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip(flush);
    case 'deflate':
      return createInflate(flush);
    case 'br':
      return createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH });
    default:
      return undefined;
  }
}

/** Nothing is read before somebody wants it. */
function streamOf(body: Readable, signal: AbortSignal | null): ReadableStream<Uint8Array> {
  const parts = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await parts.next();
          if (done === true) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          controller.error(signal?.aborted === true ? signal.reason : new TypeError('terminated', { cause: error }));
        }
      },
      cancel() {
        // It is no failure of the server.
        body.on('error', () => undefined).destroy();
      },
    },
    { highWaterMark: 0 },
  );
}
