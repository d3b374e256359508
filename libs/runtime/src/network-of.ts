import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What stands for a caller on a unix socket, which only the user of the machine can open. */
const LOCAL = 'local';

/**
 * The network that an address stands for, for limits: an IPv4 address itself, the first 64 bits of an IPv6 one, since
 * each customer of a provider has as many of those as it likes.
 *
 * @param address as the connection or a proxy names it; anything else stands for itself
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined || address === '') return LOCAL;
  const [bare = address] = address.split('%', 1);
  if (!isIPv6(bare)) return bare;
  // One of IPv4 in IPv6 stands for itself.
  const parsed = ipaddr.process(bare);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
