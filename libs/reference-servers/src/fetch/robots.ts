/** Checks robots.txt for a page, like the reference server. But a "not now" answer (5xx) is not read as a list of rules. */
import { shortened } from '@longhaul/tasks/text';
import robotsModule from 'robots-parser';
import { FetchFailure, NotNow } from './failures.js';
import { followRedirects } from './redirects.js';
import { requireNoUser, type TimeLimits, type Web } from './web.js';

/** As much of it is read as crawlers have to read (RFC 9309). */
const MAX_BYTES = 512 * 1024;
/** Characters of it that a refusal shows. */
const MAX_SHOWN = 20_000;
/** Characters of patterns times characters of a path: what it takes to match them, some 100 ms. */
const MAX_MATCHING = 50_000_000;

/** Its types take it for a module with a default; it is the function itself. */
const parseRobots = robotsModule as unknown as typeof robotsModule.default;

/** Who asks. */
export interface RobotsOptions {
  readonly web: Web;
  readonly limits: TimeLimits;
  readonly userAgent: string;
  readonly signal: AbortSignal;
}

/**
 * @throws FetchFailure when the page may not be fetched; PageFault for a URL with a user name; NotNow; what the signal was aborted with
 */
export async function requireAllowedByRobots(page: URL, options: RobotsOptions): Promise<void> {
  requireNoUser(page);
  const robotsUrl = URL.parse('/robots.txt', page.href);
  // Such as a `data:` URL has none.
  if (robotsUrl === null) throw unreachable(`${page.protocol}/robots.txt`);
  const rules = await rulesAt(robotsUrl, options);
  if (rules === undefined) return;
  const { userAgent } = options;
  // Rules name a product, not its version and what stands behind that.
  const product = /^[\w.-]+/.exec(userAgent)?.[0] ?? userAgent;
  if (effortOf(rules, page) > MAX_MATCHING)
    throw new FetchFailure(`Failed to check robots.txt ${robotsUrl.href}: it has too many patterns`);
  if (parseRobots(robotsUrl.href, rules).isAllowed(page.href, product) !== false) return;
  throw new FetchFailure(
    `The sites robots.txt (${robotsUrl.href}), specifies that autonomous fetching of this page is not allowed, ` +
      `<useragent>${userAgent}</useragent>\n<url>${page.href}</url><robots>\n${shown(rules)}\n</robots>\n` +
      'The assistant must let the user know that it failed to view the page. ' +
      'The assistant may provide further guidance based on the above information.\n' +
      'The assistant can tell the user that they can try manually fetching the page by using the fetch prompt within their UI.',
  );
}

/** @returns undefined where there are none */
async function rulesAt(url: URL, { web, limits, signal }: RobotsOptions): Promise<string | undefined> {
  const timed = AbortSignal.any([signal, AbortSignal.timeout(limits.robotsMs)]);
  try {
    const { answer } = await followRedirects(url, (hop) => web.get(hop, timed));
    const { status } = answer;
    if (status < 400) return new TextDecoder().decode(await answer.body({ maxBytes: MAX_BYTES, cut: true }));
    answer.drop();
    if (status === 401 || status === 403) throw new FetchFailure(refusal(url, status));
    if (status < 500) return undefined;
    throw new NotNow(
      `robots.txt ${url.href} answered with status ${status}, which means that the page must not be fetched now. Try again later.`,
    );
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof FetchFailure || error instanceof NotNow) throw error;
    throw unreachable(url.href, error);
  }
}

function unreachable(url: string, cause?: unknown): FetchFailure {
  return new FetchFailure(`Failed to fetch robots.txt ${url} due to a connection issue`, { cause });
}

function refusal(url: URL, status: number): string {
  return (
    `When fetching robots.txt (${url.href}), received status ${status} so assuming that autonomous fetching is not allowed, ` +
    'the user can try manually fetching by using the fetch prompt'
  );
}

/** A pattern with a star is compared with the path from each of its places. */
function effortOf(rules: string, { pathname, search }: URL): number {
  const starred = rules.split(/[\r\n]+/).filter((line) => line.includes('*') && !/^\s*user-agent/i.test(line));
  return starred.reduce((sum, line) => sum + line.length, 0) * (pathname.length + search.length);
}

function shown(rules: string): string {
  return shortened(rules, MAX_SHOWN);
}
