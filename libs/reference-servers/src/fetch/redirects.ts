import { PageFault } from './failures.js';
import type { Answer } from './web.js';

/** The same number as in the reference server. */
const MAX_REDIRECTS = 20;

/**
 * Requests a URL and follows its redirects.
 *
 * @returns the first answer that is no redirect, and its URL
 * @throws PageFault when there are too many; the errors of `get`
 */
export async function followRedirects(
  first: URL,
  get: (url: URL) => Promise<Answer>,
): Promise<{ readonly answer: Answer; readonly url: URL }> {
  let url = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const answer = await get(url);
    if (answer.location === undefined) return { answer, url };
    answer.drop();
    url = answer.location;
  }
  throw new PageFault(`there were more than ${MAX_REDIRECTS} redirects`);
}
