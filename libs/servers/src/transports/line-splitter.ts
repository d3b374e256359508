import { MessageTooLarge } from './bounded-response.js';
import { type MessageBudget, UNFINISHED_MESSAGES } from './message-budget.js';

const NEWLINE = 10;

/** Cuts a stream of bytes into lines. Each byte is copied once, also if a line comes in many chunks. */
export class LineSplitter {
  #chunks: Buffer[] = [];
  #bytes = 0;
  readonly #message;

  /** @param onRefused called when the beginning of a line was dropped, because the messages of all servers together are too large */
  constructor(
    private readonly maxBytes: number,
    private readonly onLine: (line: string) => void,
    onRefused: (error: Error) => void,
    budget: MessageBudget = UNFINISHED_MESSAGES,
  ) {
    this.#message = budget.message((error) => {
      this.end();
      onRefused(error);
    });
  }

  /** @throws MessageTooLarge when a line is longer than allowed; TooManyUnfinished */
  append(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      const line = Buffer.concat(this.#chunks).toString('utf8');
      this.end();
      start = end + 1;
      this.onLine(line);
    }
    this.#keep(chunk.subarray(start));
  }

  /** Drops the beginning of a line. */
  end(): void {
    this.#chunks = [];
    this.#bytes = 0;
    this.#message.end();
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > this.maxBytes) throw new MessageTooLarge(this.maxBytes);
    this.#message.take(part.length);
    if (part.length > 0) this.#chunks.push(part);
  }
}
