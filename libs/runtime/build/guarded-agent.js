/**
 * HTTP to hosts that somebody else names: only to hosts all of whose addresses are allowed. They are judged after the name has
 * been resolved and before anything is sent, and the connection then goes to one of these very addresses: a name that resolves
 * differently a moment later changes nothing. Behind a proxy, which resolves names by itself, the same is asked of what the name
 * resolves to here.
 */
import { lookup } from 'node:dns';
import ipaddr from 'ipaddr.js';
import { Agent, buildConnector, ProxyAgent } from 'undici';
import { isPublicAddress } from './public-address.js';
export { fetch } from 'undici';
export { isPublicAddress } from './public-address.js';
export { readBody, redirectOf } from './response.js';
/** A host has an address that connections may not go to. Its message names the host, and not what it resolves to. */
export class AddressNotAllowed extends Error {
    hostname;
    name = 'AddressNotAllowed';
    constructor(hostname) {
        super(`${hostname} is not at a public address, and private, local or otherwise special ones are not allowed.`);
        this.hostname = hostname;
    }
}
/** The names of this system. @param allowPrivate whether connections may go to private, local and other special addresses too */
export function systemNetwork(allowPrivate) {
    return { lookup, isAllowed: allowPrivate ? undefined : isPublicAddress };
}
/**
 * An agent whose every connection is guarded: others fail with {@link AddressNotAllowed}. The caller destroys it.
 *
 * @param connectMs longest time until a connection is open, names and TLS included, milliseconds
 */
export function guardedAgent({ lookup: resolve, isAllowed = () => true }, connectMs = 10_000) {
    const guardedLookup = (hostname, options, callback) => {
        resolve(hostname, { ...options, all: true }, (error, found) => {
            if (error !== null)
                return callback(error, []);
            const [first] = found;
            // A name that leads inside and outside is made to lead inside.
            if (first === undefined || !found.every(({ address }) => isAllowed(address)))
                return callback(new AddressNotAllowed(hostname), []);
            return options.all === true ? callback(null, found) : callback(null, first.address, first.family);
        });
    };
    const connect = buildConnector({ lookup: guardedLookup, timeout: connectMs });
    return new Agent({
        connect(options, callback) {
            // An address is not looked up.
            if (ipaddr.isValid(options.hostname) && !isAllowed(options.hostname))
                callback(new AddressNotAllowed(options.hostname), null);
            else
                connect(options, callback);
        },
    });
}
/**
 * An agent that connects through a proxy, which is trusted to go where it is asked to: ask {@link requireAllowedHost} first. The
 * caller destroys it.
 *
 * @param url `http:`, `https:` or `socks5:`
 */
export function proxyAgent(url, connectMs = 10_000) {
    return new ProxyAgent({ uri: url, proxyTunnel: false, proxyTls: { timeout: connectMs } });
}
/**
 * Judges a host that a proxy connects to. A name that cannot be resolved here passes: the proxy may know it. Where all addresses
 * are allowed, nothing is resolved.
 *
 * @throws AddressNotAllowed when one of its addresses is not allowed
 */
export async function requireAllowedHost({ hostname }, { lookup: resolve, isAllowed }) {
    if (isAllowed === undefined)
        return;
    const host = hostname.replace(/^\[|\]$/g, '');
    const addresses = ipaddr.isValid(host)
        ? [host]
        : await new Promise((done) => resolve(host, { all: true }, (error, found) => done(error === null ? found.map(({ address }) => address) : [])));
    if (!addresses.every(isAllowed))
        throw new AddressNotAllowed(host);
}
/** What is at the bottom: a failed fetch says only that it failed. */
export function rootCause(error) {
    if (error instanceof AggregateError && error.errors.length > 0)
        return rootCause(error.errors[0]);
    if (error instanceof Error && error.cause instanceof Error)
        return rootCause(error.cause);
    return error instanceof Error ? error : new Error(String(error));
}
//# sourceMappingURL=guarded-agent.js.map