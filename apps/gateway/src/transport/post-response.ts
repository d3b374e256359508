/**
 * The HTTP response to a POST. It stays undecided between JSON and an event stream as long as it can:
 * the first message before the answer, or a long silence, makes it a stream.
 */
import type { ServerResponse } from 'node:http';
import { type SseOptions, SseWriter } from './sse-writer.js';

/** How a single answer goes out if it is the whole response. */
export interface AnswerHead {
  readonly httpStatus?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What can be set about a response. */
export interface PostResponseOptions {
  /** Answers that are due: one, or one for each request of a batch. */
  readonly expected: number;
  readonly isBatch: boolean;
  readonly sse?: SseOptions;
}

export class PostResponse {
  /** As JSON. */
  readonly #answers: string[] = [];
  readonly #isBatch: boolean;
  readonly #sse: SseOptions | undefined;
  #due: number;
  #stream: SseWriter | undefined;
  #patience: NodeJS.Timeout | undefined;

  constructor(
    private readonly raw: ServerResponse,
    { expected, isBatch, sse }: PostResponseOptions,
  ) {
    this.#due = expected;
    this.#isBatch = isBatch;
    this.#sse = sse;
  }

  /** Whether nothing more will be written. */
  get isOver(): boolean {
    return this.#due <= 0 || this.raw.destroyed;
  }

  /** Becomes a stream when the answer takes longer. */
  streamAfter(ms: number): void {
    this.#patience ??= setTimeout(() => this.#openStream(), ms);
  }

  /** Calls the listener when the response is complete, or the client hung up before. */
  onClose(listener: () => void): void {
    this.raw.once('close', () => {
      clearTimeout(this.#patience);
      listener();
    });
  }

  /** Sends a message before the answer. */
  push(message: unknown): void {
    if (!this.isOver) this.#openStream().send(JSON.stringify(message));
  }

  /** Sends an answer, the last one ends the response. */
  answer(message: unknown, head: AnswerHead = {}): void {
    if (this.isOver) return;
    const json = JSON.stringify(message);
    if (this.#stream === undefined) this.#answers.push(json);
    else this.#stream.send(json);
    this.#settleOne(head);
  }

  /** One answer will not come: its request was cancelled. */
  withdraw(): void {
    if (this.isOver) return;
    // Without any answer there is nothing that JSON could say, but a stream may end empty.
    if (this.#due === 1 && this.#answers.length === 0) this.#openStream();
    this.#settleOne({});
  }

  #settleOne(head: AnswerHead): void {
    this.#due -= 1;
    if (this.#due > 0) return;
    clearTimeout(this.#patience);
    if (this.#stream === undefined) this.#sendJson(head);
    else this.#stream.end();
  }

  #sendJson({ httpStatus = 200, headers }: AnswerHead): void {
    const answers = this.#answers.join(',');
    const body = this.#isBatch ? `[${answers}]` : answers;
    this.raw.writeHead(this.#isBatch ? 200 : httpStatus, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...headers,
    });
    this.raw.end(body);
  }

  #openStream(): SseWriter {
    if (this.#stream !== undefined) return this.#stream;
    clearTimeout(this.#patience);
    const stream = new SseWriter(this.raw, this.#sse);
    for (const answer of this.#answers.splice(0)) stream.send(answer);
    this.#stream = stream;
    return stream;
  }
}
