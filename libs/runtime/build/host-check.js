import { isIP } from 'node:net';
/** What a machine calls itself. */
export const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);
/** Whether an address to bind to is reached from this machine only. */
export function isLoopback(host) {
    return LOOPBACK_NAMES.has(host.toLowerCase()) || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
/** Whether a host, with or without its port, is one of these names, which may have a port; `*` stands for no other one. */
export function createHostList(names) {
    const known = new Set(names.map((name) => name.toLowerCase()));
    return (host) => known.has(host.toLowerCase()) || known.has(withoutPort(host.toLowerCase()));
}
export function createHostCheck({ host, allowedHosts, allowedOrigins }) {
    const isListedHost = createHostList([...LOOPBACK_NAMES, isIP(host) === 6 ? `[${host}]` : host, ...allowedHosts]);
    const isAnyHost = allowedHosts.includes('*');
    const origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase()));
    return ({ headers: { host, origin }, rawHeaders }) => {
        if (hasTwoHosts(rawHeaders))
            return { kind: 'two hosts', value: host ?? '' };
        if (host === undefined || !(isAnyHost || isListedHost(host)))
            return { kind: 'host', value: host ?? '' };
        if (origin === undefined || origins.has('*') || origins.has(origin.toLowerCase()))
            return undefined;
        const originHost = URL.canParse(origin) ? new URL(origin).host : '';
        return originHost === '' || !isListedHost(originHost) ? { kind: 'origin', value: origin } : undefined;
    };
}
/** Node takes the first of them, and a proxy in front may have taken the other one. */
function hasTwoHosts(rawHeaders) {
    let hosts = 0;
    for (let at = 0; at < rawHeaders.length; at += 2)
        if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host')
            hosts += 1;
    return hosts > 1;
}
function withoutPort(host) {
    return host.replace(/:\d{1,5}$/, '');
}
//# sourceMappingURL=host-check.js.map