/**
 * Lets pages in browsers use the endpoint from the permitted origins (`LONGHAUL_ALLOWED_ORIGINS`, and this machine). A browser asks first,
 * by a preflight that carries no credentials; afterwards a page reads only the headers named here.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The headers that pages may read, in addition to the type. */
const EXPOSED = 'Mcp-Session-Id, MCP-Protocol-Version, Retry-After, WWW-Authenticate';
const METHODS = 'GET, POST, DELETE';
/** How long browsers keep the answer to a preflight, seconds: Chromium's maximum. */
const MAX_AGE_S = '7200';

/**
 * Tells a browser that the page may read the answer. The origin has been checked.
 *
 * @returns whether the request was a preflight, whose answer is complete then
 */
export function allowPage({ headers, method }: FastifyRequest, reply: FastifyReply): boolean {
  const { origin, 'access-control-request-method': asked, 'access-control-request-headers': askedHeaders } = headers;
  // The headers are set on Node's response: streams bypass Fastify.
  const { raw } = reply;
  raw.setHeader('vary', 'Origin');
  if (origin === undefined) return false;
  raw.setHeader('access-control-allow-origin', origin);
  raw.setHeader('access-control-expose-headers', EXPOSED);
  if (method !== 'OPTIONS' || asked === undefined) return false;
  raw.setHeader('access-control-allow-methods', METHODS);
  // Headers of any name may repeat arguments (Mcp-Param-…), so all requested headers are allowed.
  if (askedHeaders !== undefined) raw.setHeader('access-control-allow-headers', askedHeaders);
  raw.setHeader('access-control-max-age', MAX_AGE_S);
  raw.setHeader('vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers');
  return true;
}
