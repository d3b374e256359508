import { DownloadBudget } from './download-budget.js';
import { FetchFailure, PageFault } from './failures.js';
import { fetchPage } from './page.js';
import { readablePage } from './readable-page.js';
/** Pages of the largest size that a process holds at the same time. */
const LARGEST_AT_A_TIME = 8;
/** Reads pages; all that it reads at the same time have a limit of bytes together. */
export class PageReader {
    source;
    extract;
    #budget;
    constructor(source, extract) {
        this.source = source;
        this.extract = extract;
        this.#budget = new DownloadBudget(LARGEST_AT_A_TIME * source.maxBytes);
    }
    /** @throws FetchFailure; NotNow; what the signal was aborted with */
    async read({ raw, onProgress, ...request }) {
        let taken = 0;
        const onBytes = (bytes, total) => {
            this.#budget.take(bytes);
            taken += bytes;
            onProgress?.(taken, total);
        };
        try {
            const page = await fetchPage(this.source, { ...request, onBytes });
            return await readablePage(page, { raw, extract: this.extract, signal: request.signal });
        }
        catch (error) {
            if (error instanceof PageFault)
                throw new FetchFailure(`Failed to fetch ${request.url.href}: ${error.message}`, { cause: error });
            throw error;
        }
        finally {
            this.#budget.giveBack(taken);
        }
    }
}
//# sourceMappingURL=page-reader.js.map