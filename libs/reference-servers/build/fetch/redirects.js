import { PageFault } from './failures.js';
/** As many as the reference server follows. */
const MAX_REDIRECTS = 20;
/**
 * Asks for a URL and for those that it redirects to.
 *
 * @returns the first answer that is no redirect, and its URL
 * @throws PageFault when there are too many, and what `get` throws
 */
export async function followRedirects(first, get) {
    let url = first;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
        const answer = await get(url);
        if (answer.location === undefined)
            return { answer, url };
        answer.drop();
        url = answer.location;
    }
    throw new PageFault(`there were more than ${MAX_REDIRECTS} redirects`);
}
//# sourceMappingURL=redirects.js.map