/**
 * Downloads files from `http`, `https` and `data` URLs that callers name, within limits. Each redirect and each connection is judged like
 * the first URL. Bytes are counted as they are read, not by the declared length.
 */
import { domainToASCII } from 'node:url';
import {
  type Dispatcher,
  fetch,
  guardedAgent,
  type Network,
  readBody,
  redirectOf,
  type Response,
  rootCause,
  systemNetwork,
} from '@longhaul/runtime/guarded-agent';
import { durationOf } from '@longhaul/tasks';
import type { DownloadLimits } from './download-limits.js';

const MAX_REDIRECTS = 5;

/** How a download is made. */
export interface DownloadOptions {
  readonly limits: DownloadLimits;
  /** Ends the download. */
  readonly signal: AbortSignal;
  /** Default: the system's names, and public addresses unless the limits allow private ones. */
  readonly network?: Network;
}

/** @throws Error that says why the file could not be had, in words that do not name its URL */
export async function download(
  url: string,
  { limits, signal, network = systemNetwork(limits.allowPrivateAddresses, limits.privateNetworks) }: DownloadOptions,
): Promise<Uint8Array> {
  const timeout = AbortSignal.timeout(durationOf('gzip: maxMs', limits.maxMs));
  const agent = guardedAgent(network);
  try {
    const response = await request(new URL(url), { agent, limits, signal: AbortSignal.any([signal, timeout]) });
    return await bodyOf(response, limits);
  } catch (error) {
    if (timeout.aborted) throw new Error(`It took longer than ${limits.maxMs} ms, which is the limit.`, { cause: error });
    throw new Error(rootCause(error).message, { cause: error });
  } finally {
    await agent.destroy();
  }
}

interface RequestOptions {
  readonly agent: Dispatcher;
  readonly limits: DownloadLimits;
  readonly signal: AbortSignal;
}

async function request(first: URL, { agent, limits, signal }: RequestOptions): Promise<Response> {
  if (first.protocol === 'data:') return fetch(first, { signal });
  let url = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    requireAllowed(url, limits);
    const response = await fetch(url, { dispatcher: agent, redirect: 'manual', signal });
    const location = redirectOf(response);
    if (location === undefined) {
      if (!response.ok) throw new Error(`The server answered with status ${response.status}.`);
      return response;
    }
    await response.body?.cancel();
    url = new URL(location, url);
  }
  throw new Error(`There were more than ${MAX_REDIRECTS} redirects.`);
}

function requireAllowed({ protocol, username, password, hostname }: URL, { allowedDomains }: DownloadLimits): void {
  if (protocol !== 'http:' && protocol !== 'https:') throw new Error(`A redirect to a ${protocol} URL is not followed.`);
  if (username !== '' || password !== '') throw new Error('A URL must not have a user name or a password.');
  const domain = hostname.replace(/\.$/, '');
  const isAllowed = allowedDomains.map(domainToASCII).some((allowed) => domain === allowed || domain.endsWith(`.${allowed}`));
  if (allowedDomains.length > 0 && !isAllowed) throw new Error(`Domain ${domain} is not in the allowed domains list.`);
}

async function bodyOf(response: Response, { maxBytes }: DownloadLimits): Promise<Uint8Array> {
  const tooLarge = `It is larger than ${maxBytes} bytes, which is the limit.`;
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) throw new Error(tooLarge);
  const { bytes, isCut } = await readBody(response, { maxBytes });
  if (isCut) throw new Error(tooLarge);
  return bytes;
}
