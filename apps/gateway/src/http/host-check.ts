/**
 * Protection against DNS rebinding: a page in a browser must not reach a local server under a name of
 * its own. Only known names are served, and only pages from known places.
 */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { cutText } from '@longhaul/tasks';
import { Refusal, RpcCode } from '../rpc/errors.js';
import { LOOPBACK_NAMES } from '../loopback.js';

const MAX_SHOWN_BYTES = 200;

/** Who may be addressed, and from where. */
export interface HostCheckOptions {
  /** The address that the server is bound to. */
  readonly host: string;
  /** More names, with or without a port; `*` allows every one. */
  readonly allowedHosts: readonly string[];
  /** More origins, such as `https://app.example.com`; `*` allows every one. */
  readonly allowedOrigins: readonly string[];
}

/** Checks the headers of a request. @throws Refusal 403, or 400 for two hosts */
export type HostCheck = (request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>) => void;

export function createHostCheck({ host, allowedHosts, allowedOrigins }: HostCheckOptions): HostCheck {
  const hosts = new Set([...LOOPBACK_NAMES, isIP(host) === 6 ? `[${host}]` : host, ...allowedHosts].map((name) => name.toLowerCase()));
  const origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase()));
  const isListedHost = (host: string): boolean => hosts.has(host) || hosts.has(withoutPort(host));
  return ({ headers: { host, origin }, rawHeaders }) => {
    if (hasTwoHosts(rawHeaders)) throw new Refusal(400, RpcCode.Transport, 'The header Host came more than once.');
    if (host === undefined || !(hosts.has('*') || isListedHost(host.toLowerCase())))
      throw refusal(`Host ${shown(host ?? '')} is not served here. LONGHAUL_ALLOWED_HOSTS names the ones that are.`);
    if (origin === undefined || origins.has('*') || origins.has(origin.toLowerCase())) return;
    const originHost = URL.canParse(origin) ? new URL(origin).host.toLowerCase() : '';
    if (originHost === '' || !isListedHost(originHost))
      throw refusal(`Origin ${shown(origin)} is not allowed. LONGHAUL_ALLOWED_ORIGINS names the ones that are.`);
  };
}

/** Node takes the first of them, and a proxy in front may have taken the other one. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
  return hosts > 1;
}

/** It is logged and answered, and may be as long as all headers. */
function shown(value: string): string {
  return JSON.stringify(cutText(value, MAX_SHOWN_BYTES));
}

function refusal(message: string): Refusal {
  return new Refusal(403, RpcCode.Transport, message);
}

function withoutPort(host: string): string {
  return host.replace(/:\d{1,5}$/, '');
}
