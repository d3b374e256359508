import ipaddr from 'ipaddr.js';
/** What of IPv6 is given out for use in the Internet. All other addresses are special. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** Addresses of networks without IPv4 for those that have it, in their last four bytes (RFC 6052). */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/**
 * Whether an address is one of the Internet: not private, loopback, link-local, multicast, reserved, nor one that stands for
 * another address. An IPv4 address in an IPv6 one is taken as itself, also in one of NAT64.
 */
export function isPublicAddress(address) {
    if (!ipaddr.isValid(address))
        return false;
    const parsed = ipaddr.process(address);
    if (parsed instanceof ipaddr.IPv6 && parsed.match(NAT64))
        return isPublicAddress(parsed.toByteArray().slice(-4).join('.'));
    if (parsed.range() !== 'unicast')
        return false;
    return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6);
}
//# sourceMappingURL=public-address.js.map