/**
 * Sends requests to hosts that callers name. Connections are guarded, each part of a request has a time limit, and bytes are counted as
 * they are read, after decompression.
 */
import { isIP } from 'node:net';
import {
  AddressNotAllowed,
  type Dispatcher,
  fetch,
  guardedAgent,
  type Network,
  proxyAgent,
  readBody,
  redirectOf,
  requireAllowedHost,
  type Response,
  rootCause,
} from '@longhaul/runtime/guarded-agent';
import { FetchFailure, NotNow, PageFault } from './failures.js';

/** How long the parts of a request may take, milliseconds. */
export interface TimeLimits {
  /** Until there is a connection. */
  readonly connectMs: number;
  /** From there to the headers of the answer. */
  readonly headersMs: number;
  /** From there to the end of the body. */
  readonly bodyMs: number;
  /** All of robots.txt, with redirects. */
  readonly robotsMs: number;
}

export const TIME_LIMITS: TimeLimits = { connectMs: 10_000, headersMs: 30_000, bodyMs: 60_000, robotsMs: 5_000 };

/** The settings of requests. */
export interface WebOptions {
  readonly network: Network;
  readonly proxyUrl?: string | undefined;
  readonly limits: TimeLimits;
  readonly userAgent: string;
}

/** How much of a body is read. */
export interface BodyOptions {
  readonly maxBytes: number;
  /** Whether bytes beyond the limit are cut, instead of failing the request. */
  readonly cut?: boolean;
  /** Called before so many more bytes are kept. */
  readonly onBytes?: (bytes: number) => void;
}

/** The answer to a request. */
export interface Answer {
  readonly status: number;
  /** Empty without one. */
  readonly contentType: string;
  /** Bytes of the body as it is read, where the server says so. */
  readonly length: number | undefined;
  /** Where a redirect leads. */
  readonly location: URL | undefined;
  /** Can be read once. @throws PageFault; what `onBytes` throws, if it is NotNow; what the signal was aborted with */
  body(options: BodyOptions): Promise<Uint8Array>;
  /** Ends the request without its body. */
  drop(): void;
}

/** Connections for one page, its robots.txt and what they redirect to. */
export class Web {
  readonly #agent: Dispatcher;

  constructor(private readonly options: WebOptions) {
    const { network, proxyUrl, limits } = options;
    this.#agent = proxyUrl === undefined ? guardedAgent(network, limits.connectMs) : proxyAgent(proxyUrl, limits.connectMs);
  }

  /**
   * @param signal ends the request, also while its body is read
   * @throws PageFault. FetchFailure for an address that is not allowed. The reason of the signal.
   */
  async get(url: URL, signal: AbortSignal): Promise<Answer> {
    const { network, proxyUrl, limits, userAgent } = this.options;
    const deadline = new Deadline(signal);
    const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
      try {
        return await work();
      } catch (error) {
        deadline.end();
        throw signal.aborted ? signal.reason : failureOf(error, url, limits);
      }
    };
    const response = await guarded(async () => {
      requireWebUrl(url);
      if (proxyUrl !== undefined) await requireAllowedHost(url, network);
      deadline.endsIn(limits.connectMs + limits.headersMs, `it has not answered within ${limits.headersMs} ms, which is the limit`);
      const headers = { 'user-agent': userAgent, accept: '*/*' };
      return fetch(url, { dispatcher: this.#agent, redirect: 'manual', signal: deadline.signal, headers });
    });
    deadline.endsIn(limits.bodyMs, `its body has not ended within ${limits.bodyMs} ms, which is the limit`);
    return {
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      length: lengthOf(response),
      location: await guarded(async () => locationOf(response, url)),
      body: (options) => guarded(() => bodyOf(response, options).finally(() => deadline.end())),
      drop: () => deadline.end(),
    };
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

/** The time limits of a request, part by part. Its signal also aborts with the caller's. */
class Deadline {
  readonly #own = new AbortController();
  readonly signal: AbortSignal;
  #timer: NodeJS.Timeout | undefined;

  constructor(caller: AbortSignal) {
    this.signal = AbortSignal.any([caller, this.#own.signal]);
  }

  endsIn(ms: number, reason: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#own.abort(new PageFault(reason)), ms);
  }

  /** The unread rest is cut. */
  end(): void {
    clearTimeout(this.#timer);
    this.#own.abort();
  }
}

function failureOf(error: unknown, url: URL, { connectMs }: TimeLimits): Error {
  const cause = rootCause(error);
  if (cause instanceof PageFault || cause instanceof NotNow) return cause;
  if (cause instanceof AddressNotAllowed) return new FetchFailure(refusal(url, cause), { cause });
  const isLate = 'code' in cause && cause.code === 'UND_ERR_CONNECT_TIMEOUT';
  return new PageFault(isLate ? `there was no connection within ${connectMs} ms, which is the limit` : cause.message, { cause });
}

/** The addresses of names within a private network must stay private. */
function refusal({ href }: URL, { hostname }: AddressNotAllowed): string {
  const what = isIP(hostname) === 0 ? 'an address that is not public' : `${hostname}, which is not a public address`;
  return (
    `Refused to fetch ${href}: ${hostname} resolves to ${what}. ` +
    'Set LONGHAUL_FETCH_ALLOW_PRIVATE=1 to allow private, loopback and link-local addresses.'
  );
}

function requireWebUrl(url: URL): void {
  const { protocol } = url;
  if (protocol !== 'http:' && protocol !== 'https:') throw new PageFault(`${protocol} is not supported, only http: and https: are`);
  requireNoUser(url);
}

/** @throws PageFault */
export function requireNoUser({ username, password }: URL): void {
  if (username !== '' || password !== '') throw new PageFault('a URL must not have a user name or a password');
}

function lengthOf({ headers }: Response): number | undefined {
  const length = headers.get('content-length');
  return length === null || headers.has('content-encoding') ? undefined : Number(length);
}

function locationOf(response: Response, url: URL): URL | undefined {
  const location = redirectOf(response);
  if (location === undefined) return undefined;
  const target = URL.parse(location, url.href);
  if (target === null) throw new PageFault(`it redirects to ${location}, which is no URL`);
  // As browsers do; what the page is asked for is a part of it that never leaves the client.
  if (target.hash === '') target.hash = url.hash;
  return target;
}

async function bodyOf(response: Response, { maxBytes, cut = false, onBytes }: BodyOptions): Promise<Uint8Array> {
  const { bytes, isCut } = await readBody(response, { maxBytes, onBytes });
  if (isCut && !cut) throw new PageFault(`it is larger than ${maxBytes} bytes, which is the limit`);
  return bytes;
}
