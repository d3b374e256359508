import { requireTlsFiles, splitTlsFiles } from './tls.js';
const DEFAULT_PORT = 6379;
const MAX_PORT = 65_535;
/**
 * Reads the nodes of a cluster. User, password and TLS of the first address count for all; the others may be no more than `host:port`.
 *
 * @throws Error with one line that says what is wrong
 */
export function clusterAddress(url) {
    const { url: nodesOnly, files: tlsFiles } = splitTlsFiles(url);
    const [first = '', ...others] = nodesOnly.split(',').map((item) => item.trim());
    const nodes = [first, ...others.map((item) => (item.includes('://') ? item : `redis://${item}`))].map((item) => {
        const node = URL.parse(item);
        const isNode = node !== null && /^rediss?:$/.test(node.protocol) && node.hostname !== '';
        if (!isNode)
            throw new Error(`A Redis Cluster is reached at redis:// or rediss:// addresses only, not at ${redactedUrl(item)}.`);
        if (!/^\/?0?$/.test(node.pathname))
            throw new Error('A Redis Cluster has no databases: leave out the path of its address.');
        return node;
    });
    const { protocol, username, password } = nodes[0] ?? new URL(first);
    return {
        seeds: nodes.map(({ hostname, port }) => ({ host: hostname.replaceAll(/^\[|\]$/g, ''), port: Number(port || DEFAULT_PORT) })),
        ...(username !== '' && { username: decodeURIComponent(username) }),
        ...(password !== '' && { password: decodeURIComponent(password) }),
        tls: protocol === 'rediss:',
        ...(tlsFiles !== undefined && { tlsFiles }),
    };
}
const HIDDEN = '***';
/** User and password, in which a `?` or a `#` has to be escaped; the address; the query. */
const SERVER = /^(rediss?:\/\/)(?:[^?#]*@)?([^@?#]+)(?:\?[^@]*)?$/;
const HOST = /^(?:[\w.-]+|\[[\da-f:]+\])(?::\d{1,5})?(?:\/\d*)?$/i;
const SOCKET = /^((?:unix:\/\/)?\/[^@?]*)(?:\?.*)?$/;
/**
 * What may be shown of an address, in a message or on a screen: nothing but hosts, ports, database and path. What cannot be read, and
 * might be a part of a password, is not shown.
 */
export function redactedUrl(url) {
    return url
        .split(/,(?=rediss?:\/\/)/)
        .map(redacted)
        .join(',');
}
function redacted(url) {
    const [, path] = SOCKET.exec(url) ?? [];
    if (path !== undefined)
        return path;
    const [, scheme = '', hosts = ''] = SERVER.exec(url) ?? [];
    return hosts.split(',').every((host) => HOST.test(host.trim())) ? `${scheme}${hosts}` : HIDDEN;
}
/** @throws Error with one line that says what to do: user or password cannot be decoded, port or database are no numbers, or files for TLS are wrong */
export function requireReadable(url) {
    try {
        decodeURIComponent(url);
    }
    catch {
        throw new Error('REDIS_URL has a % that begins no escape such as %40: write a % of the user or the password as %25.');
    }
    requireTlsFiles(url);
    const [, , hosts] = SERVER.exec(url) ?? [];
    const [, port, path] = /^[^/]*?(?::(\d+))?(\/.*)?$/.exec(hosts?.split(',')[0] ?? '') ?? [];
    if (Number(port ?? 0) > MAX_PORT)
        throw new Error(`REDIS_URL has the port ${port}: it must be a number from 1 to ${MAX_PORT}.`);
    if (!/^\/?\d*$/.test(path ?? ''))
        throw new Error('REDIS_URL has something after its host that is not the number of a database, such as /0.');
}
//# sourceMappingURL=address.js.map