import ipaddr from 'ipaddr.js';

/** The part of IPv6 that is assigned to the Internet. All other addresses are special. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Addresses that stand for an IPv4 address in networks without IPv4, in their last four bytes (RFC 6052). */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** A range of addresses: `203.0.113.0/24`, or a single one. */
export type AddressRange = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Addresses that look public but are answered by the cloud around a machine: Azure's one hands out keys of the machine. */
const OF_CLOUDS: readonly AddressRange[] = [ipaddr.parseCIDR('168.63.129.16/32')];

/** Where clouds answer a machine about itself, also with keys: nobody else is there. Those without IPv4 have addresses of their own. */
const METADATA: readonly AddressRange[] = [
  ...OF_CLOUDS,
  ...[
    '169.254.0.0/16',
    '100.100.100.200/32', // Alibaba Cloud
    'fd00:100::100:200/128',
    '192.0.0.192/32', // Oracle Cloud
    'fd00:c1::a9fe:a9fe/128',
    'fd00:ec2::/32', // Amazon
    'fd20:ce::254/128', // Google Cloud
    'fd00:42::42/128', // Scaleway
    'fd00:a9fe:a9fe::1/128', // Akamai
    'fe80::a9fe:a9fe/128', // OpenStack
  ].map((range) => ipaddr.parseCIDR(range)),
];

/** Whether an address is one at which a cloud answers the machine about itself. An IPv4 address inside an IPv6 address is judged as IPv4. */
export function isCloudAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv6 && parsed.match(NAT64)) return isCloudAddress(parsed.toByteArray().slice(-4).join('.'));
  return METADATA.some(([first, bits]) => first.kind() === parsed.kind() && parsed.match(first, bits));
}

/** @returns undefined when the text is neither a range nor an address */
export function addressRange(text: string): AddressRange | undefined {
  const range = ipaddr.isValid(text) ? `${text}/${text.includes(':') ? 128 : 32}` : text;
  try {
    return ipaddr.parseCIDR(range);
  } catch {
    return undefined;
  }
}

/**
 * Whether an address belongs to the Internet: not private, loopback, link-local, multicast, reserved, for a cloud's service, or a stand-in
 * for another address. An IPv4 address inside an IPv6 address is judged as IPv4, also with NAT64.
 *
 * @param privateNetworks further ranges that count as private
 */
export function isPublicAddress(address: string, privateNetworks: readonly AddressRange[] = []): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv6 && parsed.match(NAT64))
    return isPublicAddress(parsed.toByteArray().slice(-4).join('.'), privateNetworks);
  if (parsed.range() !== 'unicast') return false;
  if ([...OF_CLOUDS, ...privateNetworks].some(([first, bits]) => first.kind() === parsed.kind() && parsed.match(first, bits))) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6);
}
