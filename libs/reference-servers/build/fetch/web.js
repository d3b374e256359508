/**
 * Requests to hosts that someone else names: connections are guarded, each part of a request has its time, and bytes are counted as
 * they are read, after decompression.
 */
import { isIP } from 'node:net';
import { AddressNotAllowed, fetch, guardedAgent, proxyAgent, readBody, redirectOf, requireAllowedHost, rootCause, } from '@longhaul/runtime/guarded-agent';
import { FetchFailure, NotNow, PageFault } from './failures.js';
export const TIME_LIMITS = { connectMs: 10_000, headersMs: 30_000, bodyMs: 60_000, robotsMs: 5_000 };
/** Connections for one page, its robots.txt and what they redirect to. */
export class Web {
    options;
    #agent;
    constructor(options) {
        this.options = options;
        const { network, proxyUrl, limits } = options;
        this.#agent = proxyUrl === undefined ? guardedAgent(network, limits.connectMs) : proxyAgent(proxyUrl, limits.connectMs);
    }
    /**
     * @param signal ends the request, also while its body is read
     * @throws PageFault; FetchFailure for an address that is not allowed; what the signal was aborted with
     */
    async get(url, signal) {
        const { network, proxyUrl, limits, userAgent } = this.options;
        const deadline = new Deadline(signal);
        const guarded = async (work) => {
            try {
                return await work();
            }
            catch (error) {
                deadline.end();
                throw signal.aborted ? signal.reason : failureOf(error, url, limits);
            }
        };
        const response = await guarded(async () => {
            requireWebUrl(url);
            if (proxyUrl !== undefined)
                await requireAllowedHost(url, network);
            deadline.endsIn(limits.connectMs + limits.headersMs, `it has not answered within ${limits.headersMs} ms, which is the limit`);
            const headers = { 'user-agent': userAgent, accept: '*/*' };
            return fetch(url, { dispatcher: this.#agent, redirect: 'manual', signal: deadline.signal, headers });
        });
        deadline.endsIn(limits.bodyMs, `its body has not ended within ${limits.bodyMs} ms, which is the limit`);
        return {
            status: response.status,
            contentType: response.headers.get('content-type') ?? '',
            length: lengthOf(response),
            location: await guarded(async () => locationOf(response, url)),
            body: (options) => guarded(() => bodyOf(response, options).finally(() => deadline.end())),
            drop: () => deadline.end(),
        };
    }
    async close() {
        await this.#agent.destroy();
    }
}
/** The time of a request, part by part; its signal also aborts with that of the caller. */
class Deadline {
    #own = new AbortController();
    signal;
    #timer;
    constructor(caller) {
        this.signal = AbortSignal.any([caller, this.#own.signal]);
    }
    endsIn(ms, reason) {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#own.abort(new PageFault(reason)), ms);
    }
    /** What has not been read by now is cut. */
    end() {
        clearTimeout(this.#timer);
        this.#own.abort();
    }
}
function failureOf(error, url, { connectMs }) {
    const cause = rootCause(error);
    if (cause instanceof PageFault || cause instanceof NotNow)
        return cause;
    if (cause instanceof AddressNotAllowed)
        return new FetchFailure(refusal(url, cause), { cause });
    const isLate = 'code' in cause && cause.code === 'UND_ERR_CONNECT_TIMEOUT';
    return new PageFault(isLate ? `there was no connection within ${connectMs} ms, which is the limit` : cause.message, { cause });
}
/** What a name resolves to within a private network is nobody's business. */
function refusal({ href }, { hostname }) {
    const what = isIP(hostname) === 0 ? 'an address that is not public' : `${hostname}, which is not a public address`;
    return (`Refused to fetch ${href}: ${hostname} resolves to ${what}. ` +
        'Set LONGHAUL_FETCH_ALLOW_PRIVATE=1 to allow private, loopback and link-local addresses.');
}
function requireWebUrl(url) {
    const { protocol } = url;
    if (protocol !== 'http:' && protocol !== 'https:')
        throw new PageFault(`${protocol} is not supported, only http: and https: are`);
    requireNoUser(url);
}
/** @throws PageFault */
export function requireNoUser({ username, password }) {
    if (username !== '' || password !== '')
        throw new PageFault('a URL must not have a user name or a password');
}
function lengthOf({ headers }) {
    const length = headers.get('content-length');
    return length === null || headers.has('content-encoding') ? undefined : Number(length);
}
function locationOf(response, url) {
    const location = redirectOf(response);
    if (location === undefined)
        return undefined;
    const target = URL.parse(location, url.href);
    if (target === null)
        throw new PageFault(`it redirects to ${location}, which is no URL`);
    // As browsers do; what the page is asked for is a part of it that never leaves the client.
    if (target.hash === '')
        target.hash = url.hash;
    return target;
}
async function bodyOf(response, { maxBytes, cut = false, onBytes }) {
    const { bytes, isCut } = await readBody(response, { maxBytes, onBytes });
    if (isCut && !cut)
        throw new PageFault(`it is larger than ${maxBytes} bytes, which is the limit`);
    return bytes;
}
//# sourceMappingURL=web.js.map