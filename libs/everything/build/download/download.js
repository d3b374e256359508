/**
 * Files from `http`, `https` and `data` URLs that someone else names, within limits. Each redirect is
 * judged like the first URL, and so is each connection; bytes are counted as they are read, not by the declared
 * length.
 */
import { domainToASCII } from 'node:url';
import { fetch, guardedAgent, readBody, redirectOf, rootCause, systemNetwork, } from '@longhaul/runtime/guarded-agent';
const MAX_REDIRECTS = 5;
/** @throws Error that says why the file could not be had, in words that do not name its URL */
export async function download(url, { limits, signal, network = systemNetwork(limits.allowPrivateAddresses) }) {
    const timeout = AbortSignal.timeout(limits.maxMs);
    const agent = guardedAgent(network);
    try {
        const response = await request(new URL(url), { agent, limits, signal: AbortSignal.any([signal, timeout]) });
        return await bodyOf(response, limits);
    }
    catch (error) {
        if (timeout.aborted)
            throw new Error(`It took longer than ${limits.maxMs} ms, which is the limit.`, { cause: error });
        throw new Error(rootCause(error).message, { cause: error });
    }
    finally {
        await agent.destroy();
    }
}
async function request(first, { agent, limits, signal }) {
    if (first.protocol === 'data:')
        return fetch(first, { signal });
    let url = first;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
        requireAllowed(url, limits);
        const response = await fetch(url, { dispatcher: agent, redirect: 'manual', signal });
        const location = redirectOf(response);
        if (location === undefined) {
            if (!response.ok)
                throw new Error(`The server answered with status ${response.status}.`);
            return response;
        }
        await response.body?.cancel();
        url = new URL(location, url);
    }
    throw new Error(`There were more than ${MAX_REDIRECTS} redirects.`);
}
function requireAllowed({ protocol, username, password, hostname }, { allowedDomains }) {
    if (protocol !== 'http:' && protocol !== 'https:')
        throw new Error(`A redirect to a ${protocol} URL is not followed.`);
    if (username !== '' || password !== '')
        throw new Error('A URL must not have a user name or a password.');
    const domain = hostname.replace(/\.$/, '');
    const isAllowed = allowedDomains.map(domainToASCII).some((allowed) => domain === allowed || domain.endsWith(`.${allowed}`));
    if (allowedDomains.length > 0 && !isAllowed)
        throw new Error(`Domain ${domain} is not in the allowed domains list.`);
}
async function bodyOf(response, { maxBytes }) {
    const tooLarge = `It is larger than ${maxBytes} bytes, which is the limit.`;
    if (Number(response.headers.get('content-length') ?? 0) > maxBytes)
        throw new Error(tooLarge);
    const { bytes, isCut } = await readBody(response, { maxBytes });
    if (isCut)
        throw new Error(tooLarge);
    return bytes;
}
//# sourceMappingURL=download.js.map