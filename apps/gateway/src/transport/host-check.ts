/**
 * Protection against DNS rebinding: a page in a browser must not reach a local server under a name of
 * its own. Only known names are served, and only pages from known places.
 */
import { isIP } from 'node:net';
import { Refusal, RpcCode } from '../errors.js';
import { LOOPBACK_NAMES } from './loopback.js';

/** Who may be addressed, and from where. */
export interface HostCheckOptions {
  /** The address that the server is bound to. */
  readonly boundTo: string;
  /** More names, with or without a port; `*` allows every one. */
  readonly allowedHosts: readonly string[];
  /** More origins, such as `https://app.example.com`; `*` allows every one. */
  readonly allowedOrigins: readonly string[];
}

/** Checks the headers of a request. @throws Refusal 403 */
export type HostCheck = (headers: { readonly host?: string | undefined; readonly origin?: string | undefined }) => void;

export function createHostCheck({ boundTo, allowedHosts, allowedOrigins }: HostCheckOptions): HostCheck {
  const hosts = new Set(
    [...LOOPBACK_NAMES, isIP(boundTo) === 6 ? `[${boundTo}]` : boundTo, ...allowedHosts].map((name) => name.toLowerCase()),
  );
  const origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase()));
  const isListedHost = (host: string): boolean => hosts.has(host) || hosts.has(withoutPort(host));
  return ({ host, origin }) => {
    if (host === undefined || !(hosts.has('*') || isListedHost(host.toLowerCase())))
      throw refusal(`Host ${JSON.stringify(host ?? '')} is not served here. LONGHAUL_ALLOWED_HOSTS names the ones that are.`);
    if (origin === undefined || origins.has('*') || origins.has(origin.toLowerCase())) return;
    const originHost = URL.canParse(origin) ? new URL(origin).host.toLowerCase() : '';
    if (originHost === '' || !isListedHost(originHost))
      throw refusal(`Origin ${JSON.stringify(origin)} is not allowed. LONGHAUL_ALLOWED_ORIGINS names the ones that are.`);
  };
}

function refusal(message: string): Refusal {
  return new Refusal(403, RpcCode.Transport, message);
}

function withoutPort(host: string): string {
  return host.replace(/:\d{1,5}$/, '');
}
