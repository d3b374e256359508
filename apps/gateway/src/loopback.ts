import { isIP } from 'node:net';

/** What a machine calls itself. */
export const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether an address to bind to is reached from this machine only. */
export function isLoopback(host: string): boolean {
  return LOOPBACK_NAMES.has(host.toLowerCase()) || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
