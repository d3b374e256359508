/**
 * Writes the response to one request directly to Node's: a single object, or an event stream as soon as a message is pushed before the
 * answer. A stream is kept alive, and a client that does not read it is disconnected.
 */
import { toWireJson } from '@longhaul/tasks/text';
import type { Cancellation } from '@longhaul/sessions/gateway';
import type { ServerResponse } from 'node:http';
import { Ending } from '../../streams/ending.js';
import type { KeepAlive } from '../../streams/keep-alive.js';
import { SseWriter } from '../../streams/sse-writer.js';
import type { AcceptedForms } from '../../rpc/accepted-forms.js';
import type { AnswerHead } from '../../rpc/errors.js';

export class CallResponse {
  #hungUp: AbortController | undefined;
  #leaving: AbortController | undefined;
  #isLeaving = false;
  #isAnswered = false;
  #isCancelled = false;
  #cancellation: Cancellation | undefined;
  #stream: SseWriter | undefined;
  readonly #ending = new Ending();

  constructor(
    private readonly raw: ServerResponse,
    private readonly alive: KeepAlive<SseWriter>,
    private readonly forms: AcceptedForms,
  ) {
    // This listener comes first, so that the others know whether the request was cancelled.
    this.#ending.whenOver(() => {
      if (!raw.writableFinished) this.#cancel();
    });
    if (raw.destroyed) this.#ending.end();
    else raw.on('close', () => this.#ending.end());
  }

  /** Aborts when the client hangs up before it has the answer: clients cancel in this way. */
  get signal(): AbortSignal {
    this.#hungUp ??= new AbortController();
    if (this.#isCancelled) this.#hungUp.abort();
    return this.#hungUp.signal;
  }

  /** Aborts when the response must end soon, with an answer that says how to continue. */
  get leaving(): AbortSignal {
    this.#leaving ??= new AbortController();
    if (this.#isLeaving) this.#leaving.abort();
    return this.#leaving.signal;
  }

  /** Whether the client has hung up, or was disconnected, before it had the answer. */
  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** What the client has said about that, if it had a way to say it. */
  get cancellation(): Cancellation | undefined {
    return this.#cancellation;
  }

  /** Aborts the client's work, because the client has said that it does not want the answer any more. */
  cancelFor(reason: string | undefined): void {
    if (this.#isAnswered || this.#ending.isOver) return;
    this.#cancellation = { ...(reason !== undefined && { reason }), at: Date.now() };
    this.#cancel();
  }

  /** Calls the listener once, when the client has the whole answer or has hung up. */
  whenOver(listener: () => void): void {
    this.#ending.whenOver(listener);
  }

  /** Sends a notification, unless the client does not accept an event stream. */
  push(notification: { readonly method: string; readonly params: object }): void {
    if (this.#isAnswered || this.#ending.isOver || !this.forms.stream) return;
    if (this.#isLeaving && this.#stream === undefined) return;
    const json = toWireJson({ jsonrpc: '2.0', ...notification });
    this.#stream ??= this.#begin();
    this.#stream.send(json);
  }

  /** Makes it an event stream without a message, unless the client does not accept one. */
  open(): void {
    if (!this.#isAnswered && !this.#ending.isOver && this.forms.stream && !this.#isLeaving) this.#stream ??= this.#begin();
  }

  /** Whether the client accepts an event stream. */
  get takesMessages(): boolean {
    return this.forms.stream;
  }

  /**
   * Sends the answer, and ends the response. If there is a stream, the answer is sent on it, and its head was sent before.
   *
   * @throws TypeError for an answer that is not JSON; nothing has been sent then
   */
  answer(message: object, { httpStatus = 200, headers }: AnswerHead = {}): void {
    if (this.#isAnswered || this.#ending.isOver) return;
    const json = toWireJson(message);
    this.#isAnswered = true;
    // An HTTP error is always JSON.
    if (!this.forms.json && httpStatus === 200) this.#stream ??= this.#begin();
    if (this.#stream === undefined) {
      const contentLength = Buffer.byteLength(json);
      this.raw.writeHead(httpStatus, { 'content-type': 'application/json', 'content-length': contentLength, ...headers }).end(json);
    } else {
      this.#stream.send(json);
      this.#stream.end();
    }
  }

  /** Asks for an answer soon. From now on the response does not become a stream. */
  leave(): void {
    this.#isLeaving = true;
    this.#leaving?.abort();
  }

  /** Whether it is an event stream. */
  get isStream(): boolean {
    return this.#stream !== undefined;
  }

  /** Confirms the message without an answer. */
  accept(): void {
    this.#isAnswered = true;
    this.raw.writeHead(202, { 'content-length': 0 }).end();
  }

  /** Aborts the client's work, as if the client had hung up, and answers it. */
  cutOff(message: object, head: AnswerHead): void {
    if (this.#isAnswered || this.#ending.isOver) return;
    this.answer(message, head);
    this.#cancel();
  }

  #cancel(): void {
    this.#isCancelled = true;
    this.#hungUp?.abort();
  }

  #begin(): SseWriter {
    const stream = new SseWriter(this.raw);
    stream.begin();
    this.whenOver(this.alive.add(stream));
    return stream;
  }
}
