import { isIPv6 } from 'node:net';

/** The network of a caller on a unix socket, which only the machine's user can open. */
const LOCAL = 'local';

/** An address with the port behind it, as some proxies write it: another one with each connection. */
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/;

/**
 * The network of an address, for limits: an IPv4 address itself, or the first 64 bits of an IPv6 address, because a customer of a provider
 * can use any address in such a network.
 *
 * @param address as the connection or a proxy names it; any other text stands for itself
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
