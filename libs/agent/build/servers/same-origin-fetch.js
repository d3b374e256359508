const MAX_REDIRECTS = 5;
/** Those that keep the method and the body; others would make a message a request for a page. */
const KEEPING = new Set([307, 308]);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/**
 * Fetches from a server, and follows it from one of its paths to another or from http to https, as behind a proxy. Elsewhere it may
 * not lead: what is sent has keys and arguments of tools in it, and other hosts are not for the server to choose.
 *
 * @throws Error for a redirect that is not followed; what `fetch` throws
 */
export async function sameOriginFetch(input, init) {
    let url = new URL(input);
    for (let redirects = 0;; redirects += 1) {
        const response = await fetch(url, { ...init, redirect: 'manual' });
        const { status, headers } = response;
        if (!REDIRECTS.has(status))
            return response;
        await response.body?.cancel();
        const next = URL.parse(headers.get('location') ?? '', url.href);
        const isSame = next !== null && (next.origin === url.origin || (next.hostname === url.hostname && next.protocol === 'https:'));
        if (!isSame || redirects === MAX_REDIRECTS || !(KEEPING.has(status) || init.method === undefined || init.method === 'GET'))
            throw new Error(`the server redirects to ${next?.origin ?? 'nowhere'}, which is not followed: use the URL that it leads to`);
        url = next;
    }
}
//# sourceMappingURL=same-origin-fetch.js.map