import ipaddr from 'ipaddr.js';

/** What of IPv6 is given out for use in the Internet. All other addresses are special. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is one of the Internet: not private, loopback, link-local, multicast, reserved, nor
 * one that stands for another address, such as NAT64. An IPv4 address in an IPv6 one is taken as itself.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6);
}
