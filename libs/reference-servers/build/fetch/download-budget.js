import { NotNow } from './failures.js';
/** What all pages together may take that a process downloads at the same time. */
export class DownloadBudget {
    bytes;
    #free;
    constructor(bytes) {
        this.bytes = bytes;
        this.#free = bytes;
    }
    /** @throws NotNow when there is no room for so much */
    take(bytes) {
        if (bytes > this.#free)
            throw new NotNow(`Pages of more than ${this.bytes} bytes in all are being fetched at the moment. Try again later.`);
        this.#free -= bytes;
    }
    giveBack(bytes) {
        this.#free += bytes;
    }
}
//# sourceMappingURL=download-budget.js.map