/**
 * Protects against DNS rebinding: a page in a browser must not reach a local server under a name of the page's own. Only known host names
 * are served, and only pages from known origins.
 */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** The names of the local machine. */
export const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether only this machine can reach an address that a server binds to. */
export function isLoopback(host: string): boolean {
  return LOOPBACK_NAMES.has(host.toLowerCase()) || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** The permitted hosts and origins. */
export interface HostCheckOptions {
  /** The address that the server is bound to. */
  readonly host: string;
  /** More permitted names, with or without a port; `*` allows every name. */
  readonly allowedHosts: readonly string[];
  /** More permitted origins, such as `https://app.example.com`; `*` allows every origin. */
  readonly allowedOrigins: readonly string[];
}

/** Why a request is refused. `value` is the value of its header, unshortened: it may be as long as all headers. */
export interface HostProblem {
  readonly kind: 'two hosts' | 'host' | 'origin';
  readonly value: string;
}

/** Checks the headers of a request. @returns nothing when it may be served */
export type FindHostProblem = (request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>) => HostProblem | undefined;

/** Whether a host, with or without its port, is one of these names, which may have a port; `*` has no special meaning here. */
export function createHostList(names: readonly string[]): (host: string) => boolean {
  const known = new Set(names.map((name) => name.toLowerCase()));
  return (host) => known.has(host.toLowerCase()) || known.has(withoutPort(host.toLowerCase()));
}

export function createHostCheck({ host, allowedHosts, allowedOrigins }: HostCheckOptions): FindHostProblem {
  const isListedHost = createHostList([...LOOPBACK_NAMES, isIP(host) === 6 ? `[${host}]` : host, ...allowedHosts]);
  const isAnyHost = allowedHosts.includes('*');
  const origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase()));
  return ({ headers: { host, origin }, rawHeaders }) => {
    if (hasTwoHosts(rawHeaders)) return { kind: 'two hosts', value: host ?? '' };
    if (host === undefined || !(isAnyHost || isListedHost(host))) return { kind: 'host', value: host ?? '' };
    if (origin === undefined || origins.has('*') || origins.has(origin.toLowerCase())) return undefined;
    const originHost = URL.canParse(origin) ? new URL(origin).host : '';
    return originHost === '' || !isListedHost(originHost) ? { kind: 'origin', value: origin } : undefined;
  };
}

/** Node uses the first header, and a proxy in front may have used the other one. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
  return hosts > 1;
}

function withoutPort(host: string): string {
  return host.replace(/:\d{1,5}$/, '');
}
