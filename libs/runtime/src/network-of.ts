import { isIPv6 } from 'node:net';

/** What stands for a caller on a unix socket, which only the user of the machine can open. */
const LOCAL = 'local';

/** An address with the port behind it, as some proxies write it: another one with each connection. */
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/;

/**
 * The network that an address stands for, for limits: an IPv4 address itself, the first 64 bits of an IPv6 one, since
 * each customer of a provider has as many of those as it likes.
 *
 * @param address as the connection or a proxy names it; anything else stands for itself
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined || address === '') return LOCAL;
  const [, v6, v4] = WITH_PORT.exec(address) ?? [];
  const alone = v6 ?? v4 ?? address;
  const [bare = alone] = alone.split('%', 1);
  if (!isIPv6(bare)) return bare;
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(bare);
  if (mapped?.[1] !== undefined) return mapped[1];
  const [head = '', tail] = bare.split('::', 2);
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  const groups = [...first, ...missing, ...last].map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''));
  return `${groups.slice(0, 4).join(':')}::/64`;
}
