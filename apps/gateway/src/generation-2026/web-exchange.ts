/**
 * Serves a web-standard handler on Node's request and response. The SDK has an adapter for this too, which
 * makes a whole `Request`, with the body as text again, and reads each answer as a stream: that costs more than
 * everything else that the SDK does for a request.
 */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { McpHandlerRequestOptions } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import type { AuthenticatedRequest, Identity } from '../rpc/caller.js';
import { failureOf } from '../rpc/errors.js';
import { ownFailureIn2026 } from './error-codes.js';
import { errorAnswer, requestIdOf } from '../rpc/messages.js';

/** Answers a request whose body has been parsed. */
export type WebHandler = (request: ParsedRequest, options: McpHandlerRequestOptions) => Promise<Response>;

/** Answers a POST with what the handler answers. */
export async function serveWeb(
  handler: WebHandler,
  raw: AuthenticatedRequest,
  reply: ServerResponse,
  body: unknown,
  logger: Logger,
): Promise<void> {
  const request = new ParsedRequest(raw);
  reply.once('close', () => request.end(reply.writableFinished));
  const { auth } = raw;
  let response: Response;
  try {
    response = await handler(request, { parsedBody: body, ...(auth !== undefined && { authInfo: auth }) });
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
    reply.destroy();
  }
  reply.end();
}

/** Resolves when there is room for more, or nobody for whom: a client that does not read is cut off, as on every connection. */
async function drained(reply: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const event of ['drain', 'close'] as const) reply.once(event, resolve);
  await promise;
  for (const event of ['drain', 'close'] as const) reply.off(event, resolve);
}

/** What is read of a request whose body has been parsed. */
export class ParsedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  #hungUp: AbortController | undefined;
  #isOver = false;
  readonly #whenOver: (() => void)[] = [];

  /** Who makes the request. */
  readonly identity: Identity;

  constructor({ method = 'POST', url = '/', headers, auth, addressAccount, secretOwner }: AuthenticatedRequest) {
    this.method = method;
    this.identity = {
      ...(auth !== undefined && { auth }),
      ...(addressAccount !== undefined && { addressAccount }),
      ...(secretOwner !== undefined && { secretOwner }),
    };
    this.url = `http://localhost${url}`;
    this.headers = { get: (name) => valueOf(headers, name) };
  }

  /** The request in the form of the SDK, which reads nothing of it that is not there. */
  get standard(): Request {
    return this as unknown as Request;
  }

  /** Calls the listener when the answer is over, whether or not the client has all of it. */
  whenOver(listener: () => void): void {
    this.#whenOver.push(listener);
  }

  /** Aborts when the client hangs up before it has the answer. */
  get signal(): AbortSignal {
    this.#hungUp ??= new AbortController();
    if (this.#isOver) this.#hungUp.abort();
    return this.#hungUp.signal;
  }

  end(isAnswered: boolean): void {
    for (const listener of this.#whenOver) listener();
    if (isAnswered) return;
    this.#isOver = true;
    this.#hungUp?.abort();
  }
}

function valueOf(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return value === undefined ? null : String(value).trim();
}
