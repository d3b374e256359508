/** What pages read of answers beside their type. */
const EXPOSED = 'Mcp-Session-Id, MCP-Protocol-Version, Retry-After, WWW-Authenticate';
const METHODS = 'GET, POST, DELETE';
/** How long browsers keep the answer to a preflight, seconds: the most that Chromium does. */
const MAX_AGE_S = '7200';
/**
 * Says to a browser that the page may read the answer. The origin has been checked.
 *
 * @returns whether the request was a preflight, which is answered with that
 */
export function allowPage({ headers, method }, reply) {
    const { origin, 'access-control-request-method': asked, 'access-control-request-headers': askedHeaders } = headers;
    // Set on the response itself: streams are written past Fastify.
    const { raw } = reply;
    raw.setHeader('vary', 'Origin');
    if (origin === undefined)
        return false;
    raw.setHeader('access-control-allow-origin', origin);
    raw.setHeader('access-control-expose-headers', EXPOSED);
    if (method !== 'OPTIONS' || asked === undefined)
        return false;
    raw.setHeader('access-control-allow-methods', METHODS);
    // Arguments may be repeated in headers of any name (Mcp-Param-…), so those are allowed that are asked for.
    if (askedHeaders !== undefined)
        raw.setHeader('access-control-allow-headers', askedHeaders);
    raw.setHeader('access-control-max-age', MAX_AGE_S);
    raw.setHeader('vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers');
    return true;
}
//# sourceMappingURL=cors.js.map