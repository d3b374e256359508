import { decodedText } from './decoded-text.js';
import { FetchFailure } from './failures.js';
import { followRedirects } from './redirects.js';
import { requireAllowedByRobots } from './robots.js';
import { Web } from './web.js';
/**
 * @throws PageFault; FetchFailure, NotNow; what the signal was aborted with
 */
export async function fetchPage(source, request) {
    const { network, proxyUrl, limits, maxBytes } = source;
    const { userAgent, signal, obeysRobots, onBytes } = request;
    const web = new Web({ network, proxyUrl, limits, userAgent });
    try {
        const { answer, url } = await followRedirects(request.url, async (hop) => {
            if (obeysRobots)
                await requireAllowedByRobots(hop, { web, limits, userAgent, signal });
            return web.get(hop, signal);
        });
        const { status, contentType, length } = answer;
        if (status >= 400) {
            answer.drop();
            throw new FetchFailure(`Failed to fetch ${request.url.href} - status code ${status}`);
        }
        const bytes = await answer.body({ maxBytes, onBytes: (more) => onBytes?.(more, length) });
        return { url: url.href, contentType, text: decodedText(bytes, contentType) };
    }
    finally {
        await web.close();
    }
}
//# sourceMappingURL=page.js.map