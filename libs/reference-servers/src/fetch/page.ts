/** Fetches a page by its URL, following redirects. */
import type { Network } from '@longhaul/runtime/guarded-agent';
import { FetchFailure } from './failures.js';
import { mediaTypeOf } from './media-type.js';
import { type PageText, pageTextOf, refuseBinaryType } from './page-text.js';
import { followRedirects } from './redirects.js';
import { requireAllowedByRobots } from './robots.js';
import { type TimeLimits, Web } from './web.js';

/** A page. */
export interface Page extends PageText {
  /** Where it was in the end. */
  readonly url: string;
  /** Empty without one. */
  readonly contentType: string;
}

/** Where pages come from. */
export interface PageSource {
  readonly network: Network;
  readonly proxyUrl?: string | undefined;
  readonly limits: TimeLimits;
  readonly maxBytes: number;
}

/** Who asks for a page, and how. */
export interface PageRequest {
  readonly url: URL;
  readonly userAgent: string;
  /** Whether robots.txt is asked, at every redirect. */
  readonly obeysRobots: boolean;
  readonly signal: AbortSignal;
  /**
   * Called before so many more bytes are kept; `total` is how many there will be, if the server says so. An error that it throws ends the
   * download.
   */
  readonly onBytes?: ((bytes: number, total: number | undefined) => void) | undefined;
}

/**
 * @throws PageFault; FetchFailure, NotNow; what the signal was aborted with
 */
export async function fetchPage(source: PageSource, request: PageRequest): Promise<Page> {
  const { network, proxyUrl, limits, maxBytes } = source;
  const { userAgent, signal, obeysRobots, onBytes } = request;
  const web = new Web({ network, proxyUrl, limits, userAgent });
  try {
    const { answer, url } = await followRedirects(request.url, async (hop) => {
      if (obeysRobots) await requireAllowedByRobots(hop, { web, limits, userAgent, signal });
      return web.get(hop, signal);
    });
    const { status, contentType, length } = answer;
    if (status >= 400) {
      answer.drop();
      throw new FetchFailure(`Failed to fetch ${request.url.href} - status code ${status}`);
    }
    const type = mediaTypeOf(contentType);
    refuseBinaryType(type);
    const bytes = await answer.body({ maxBytes, onBytes: (more) => onBytes?.(more, length) });
    return { url: url.href, contentType, ...pageTextOf(bytes, type) };
  } finally {
    await web.close();
  }
}
