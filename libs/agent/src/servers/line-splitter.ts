import { MessageTooLarge } from './bounded-response.js';

const NEWLINE = 10;

/** Cuts a stream of bytes into lines. Each byte is copied once, also if a line comes in many chunks. */
export class LineSplitter {
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(
    private readonly maxBytes: number,
    private readonly onLine: (line: string) => void,
  ) {}

  /** @throws MessageTooLarge when a line is longer than allowed */
  append(chunk: Buffer): void {
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

  #keep(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > this.maxBytes) throw new MessageTooLarge(this.maxBytes);
    if (part.length > 0) this.#chunks.push(part);
  }
}
