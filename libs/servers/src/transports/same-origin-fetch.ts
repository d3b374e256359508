import { namedHostFetch, namedHostPost } from '@longhaul/runtime/named-host-fetch';

const MAX_REDIRECTS = 5;
/** Redirects that keep the method and the body; others would turn a message into a request for a page. */
const KEEPING: ReadonlySet<number> = new Set([307, 308]);
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches from a server. It follows redirects from one path to another or from http to https, as behind a proxy. It follows no redirect to
 * another host: requests contain keys and arguments of tools, and the server may not choose who receives them.
 *
 * No address is asked at which a cloud gives keys to its machines.
 *
 * @throws Error for a redirect that is not followed; the errors of `fetch`
 */
export async function sameOriginFetch(input: string | URL, init: RequestInit): Promise<Response> {
  let url = new URL(input);
  for (let redirects = 0; ; redirects += 1) {
    const response = await fetchOnce(url, init);
    const { status, headers } = response;
    if (!REDIRECTS.has(status)) return response;
    await response.body?.cancel();
    const next = URL.parse(headers.get('location') ?? '', url.href);
    const isSame = next !== null && (next.origin === url.origin || (next.hostname === url.hostname && next.protocol === 'https:'));
    if (!isSame || redirects === MAX_REDIRECTS || !(KEEPING.has(status) || init.method === undefined || init.method === 'GET'))
      throw new Error(`the server redirects to ${next?.origin ?? 'nowhere'}, which is not followed: use the URL that it leads to`);
    url = next;
  }
}

/** Nearly all requests are messages, which have a cheaper way. */
function fetchOnce(url: URL, init: RequestInit): Promise<Response> {
  const { method, body } = init;
  return method === 'POST' && typeof body === 'string'
    ? namedHostPost(url, { ...init, body })
    : namedHostFetch(url, { ...init, redirect: 'manual' });
}
