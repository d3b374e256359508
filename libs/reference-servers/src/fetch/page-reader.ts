import { DownloadBudget } from './download-budget.js';
import type { Extract } from './extraction-in-process.js';
import { FetchFailure, PageFault } from './failures.js';
import { fetchPage, type PageRequest, type PageSource } from './page.js';
import { type ReadablePage, readablePage } from './readable-page.js';

/** How many pages of the largest size a process holds at the same time. */
const LARGEST_AT_A_TIME = 8;

/** A request for a page in the form in which it is read. */
export interface ReadRequest extends Omit<PageRequest, 'onBytes'> {
  /** For whom: owners have shares of what is read at the same time. */
  readonly owner: string;
  /** Whether HTML is left as it is. */
  readonly raw: boolean;
  /** Called with the bytes so far, and with how many there will be, if the server says so. */
  readonly onProgress?: (bytes: number, total: number | undefined) => void;
}

/** Reads pages; all that it reads at the same time have a limit of bytes together. */
export class PageReader {
  readonly #budget: DownloadBudget;

  constructor(
    private readonly source: PageSource,
    private readonly extract: Extract,
    private readonly maxHtmlBytes: number,
  ) {
    this.#budget = new DownloadBudget(LARGEST_AT_A_TIME * source.maxBytes);
  }

  /** @throws FetchFailure; NotNow; what the signal was aborted with */
  async read({ owner, raw, onProgress, ...request }: ReadRequest): Promise<ReadablePage> {
    let taken = 0;
    const onBytes = (bytes: number, total: number | undefined): void => {
      this.#budget.take(owner, bytes);
      taken += bytes;
      onProgress?.(taken, total);
    };
    try {
      const page = await fetchPage(this.source, { ...request, onBytes });
      const { extract, maxHtmlBytes } = this;
      return await readablePage(page, { raw, maxHtmlBytes, extract: (html) => extract(html, { owner, signal: request.signal }) });
    } catch (error) {
      if (error instanceof PageFault) throw new FetchFailure(`Failed to fetch ${request.url.href}: ${error.message}`, { cause: error });
      throw error;
    } finally {
      this.#budget.giveBack(owner, taken);
    }
  }
}
