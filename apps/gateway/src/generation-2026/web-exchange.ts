/**
 * Serves a web-standard handler on Node's request and response. The SDK has an adapter for this too, which
 * makes a whole `Request`, with the body as text again, and reads each answer as a stream: that costs more than
 * everything else that the SDK does for a request.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AuthInfo, McpHandlerRequestOptions } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import { failureOf } from '../errors.js';
import { ownFailureIn2026 } from './error-codes.js';
import { errorAnswer, requestIdOf } from '../transport/messages.js';

/** Answers a request whose body has been parsed. */
export type WebHandler = (request: Request, options: McpHandlerRequestOptions) => Promise<Response>;

type Authenticated = IncomingMessage & { readonly auth?: AuthInfo };

/** Answers a POST with what the handler answers. */
export async function serveWeb(
  handler: WebHandler,
  raw: Authenticated,
  reply: ServerResponse,
  body: unknown,
  logger: Logger,
): Promise<void> {
  const request = new ParsedRequest(raw);
  reply.once('close', () => request.hangUp(reply.writableFinished));
  const { auth } = raw;
  let response: Response;
  try {
    // What is not there of a request is not read of one whose body has been parsed.
    response = await handler(request as unknown as Request, { parsedBody: body, ...(auth !== undefined && { authInfo: auth }) });
  } catch (error) {
    const failure = failureOf(error, logger);
    const { httpStatus, headers = {} } = failure;
    response = Response.json(errorAnswer(requestIdOf(body), ownFailureIn2026(failure)), {
      status: httpStatus === 200 ? 500 : httpStatus,
      headers,
    });
  }
  const headers = Object.fromEntries(response.headers);
  if (headers['content-type']?.startsWith('text/event-stream') === true) return stream(response, headers, reply, logger);
  const text = Buffer.from(await response.text());
  reply.writeHead(response.status, { ...headers, 'content-length': text.length }).end(text);
}

async function stream({ status, body }: Response, headers: Record<string, string>, reply: ServerResponse, logger: Logger): Promise<void> {
  reply.writeHead(status, headers);
  // The first message may be long in coming, and its client wants to know that there is a stream.
  reply.flushHeaders();
  try {
    for await (const chunk of body ?? []) {
      if (reply.destroyed) break;
      if (!reply.write(chunk)) await drained(reply);
    }
  } catch (error) {
    logger.warn({ err: error }, 'stream broken off');
  }
  reply.end();
}

/** Resolves when there is room for more, or nobody for whom. */
async function drained(reply: ServerResponse): Promise<void> {
  const over = new AbortController();
  await new Promise<void>((resolve) => {
    for (const event of ['drain', 'close'] as const) reply.once(event, resolve);
    over.signal.addEventListener('abort', () => void [reply.off('drain', resolve), reply.off('close', resolve)]);
  });
  over.abort();
}

/** What is read of a request whose body has been parsed. */
class ParsedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  #hungUp: AbortController | undefined;
  #isOver = false;

  constructor({ method = 'POST', url = '/', headers }: IncomingMessage) {
    this.method = method;
    this.url = `http://localhost${url}`;
    this.headers = { get: (name) => valueOf(headers, name) };
  }

  /** Aborts when the client hangs up before it has the answer. */
  get signal(): AbortSignal {
    this.#hungUp ??= new AbortController();
    if (this.#isOver) this.#hungUp.abort();
    return this.#hungUp.signal;
  }

  hangUp(isAnswered: boolean): void {
    if (isAnswered) return;
    this.#isOver = true;
    this.#hungUp?.abort();
  }
}

function valueOf(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return value === undefined ? null : String(value).trim();
}
