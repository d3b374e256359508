import { MessageTooLarge } from './bounded-response.js';
const NEWLINE = 10;
/** Cuts a stream of bytes into lines. Each byte is copied once, however many chunks a line comes in. */
export class LineSplitter {
    maxBytes;
    onLine;
    #chunks = [];
    #bytes = 0;
    constructor(maxBytes, onLine) {
        this.maxBytes = maxBytes;
        this.onLine = onLine;
    }
    /** @throws MessageTooLarge when a line is longer than allowed */
    append(chunk) {
        let start = 0;
        for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
            this.#keep(chunk.subarray(start, end));
            const line = Buffer.concat(this.#chunks).toString('utf8');
            this.#chunks = [];
            this.#bytes = 0;
            start = end + 1;
            this.onLine(line);
        }
        this.#keep(chunk.subarray(start));
    }
    #keep(part) {
        this.#bytes += part.length;
        if (this.#bytes > this.maxBytes)
            throw new MessageTooLarge(this.maxBytes);
        if (part.length > 0)
            this.#chunks.push(part);
    }
}
//# sourceMappingURL=line-splitter.js.map