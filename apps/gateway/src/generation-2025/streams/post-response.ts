/**
 * Writes the HTTP response to a POST. It chooses between JSON and an event stream as late as it can: the first message before the answer,
 * or a long silence, makes it a stream. Only a stream is logged and can be resumed; an answer as JSON saves this cost.
 */
import type { LeaseHolder, StreamRequest } from '@longhaul/sessions/gateway';
import { toWireJson } from '@longhaul/tasks/text';
import type { ServerResponse } from 'node:http';
import type { TaskId } from '@longhaul/tasks';
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { AcceptedForms } from '../../rpc/accepted-forms.js';
import { type AnswerHead, batchTooLarge, type RpcFailure } from '../../rpc/errors.js';
import type { AnswerChannel } from '../requests/answer-channel.js';
import type { BoundRequest } from '../requests/session-call.js';
import type { LiveStream } from './live-stream.js';
import { errorAnswer, isId } from '../../rpc/messages.js';

/** Opens the stream that a response becomes. */
export interface StreamSource {
  readonly holder: LeaseHolder;
  /** Whether the client resumes a stream on which it has received no message yet. */
  readonly isResumable: boolean;
  /** The scopes that the requests need in the caller's token. */
  readonly scopes?: readonly string[];
  /** Whether the client can come back to a stream at all. */
  readonly isKept: boolean;
  /** @returns the stream, or why there is none */
  open(raw: ServerResponse, requests: readonly StreamRequest[]): Promise<LiveStream | RpcFailure>;
}

/** The options of a response. */
export interface PostResponseOptions {
  /** The ids of the requests that it answers. */
  readonly requestIds: readonly RequestId[];
  /** The forms in which the client accepts the answers. */
  readonly forms: AcceptedForms;
  /** The number of other answers: to messages that are no requests. */
  readonly others?: number;
  readonly isBatch: boolean;
  readonly source: StreamSource;
}

/** The most characters of a batch's answers together: all of them wait for the last one. One answer is always sent. */
const MAX_BATCH_CHARACTERS = 16 * 1024 * 1024;

export class PostResponse implements AnswerChannel {
  /** In JSON. */
  readonly #answers: string[] = [];
  readonly #isBatch: boolean;
  readonly #forms: AcceptedForms;
  readonly #source: StreamSource;
  readonly #requests: { -readonly [K in keyof StreamRequest]: StreamRequest[K] }[];
  /** Actions that wait until the stream is open. */
  #waiting: ((stream: LiveStream) => void)[] | undefined;
  #due: number;
  #stream: LiveStream | undefined;
  #patience: NodeJS.Timeout | undefined;
  #onRefused: (() => void)[] = [];
  readonly #onClose: ((isResumable: boolean) => void)[] = [];

  constructor(
    private readonly raw: ServerResponse,
    { requestIds, forms, others = 0, isBatch, source }: PostResponseOptions,
  ) {
    const { scopes = [] } = source;
    this.#requests = requestIds.map((id) => ({ id, ...(scopes.length > 0 && { scopes }) }));
    this.#due = requestIds.length + others;
    this.#isBatch = isBatch;
    this.#forms = forms;
    this.#source = source;
  }

  get holder(): LeaseHolder {
    return this.#source.holder;
  }

  get takesMessages(): boolean {
    return this.#forms.stream;
  }

  /** Whether it is an event stream, or about to become one. */
  get isStream(): boolean {
    return this.#stream !== undefined || this.#waiting !== undefined;
  }

  /** Makes it a stream when the answer takes longer. */
  streamAfter(ms: number): void {
    if (this.takesMessages) this.#patience ??= setTimeout(() => this.#onStream(() => undefined), ms);
  }

  /** Whether another gateway has taken the stream over. */
  get isTaken(): boolean {
    return this.#stream?.isTaken ?? false;
  }

  /** Calls the listener when the response is complete, or the client hung up before; to a stream the client may come back. */
  onClose(listener: (isResumable: boolean) => void): void {
    if (this.#onClose.push(listener) > 1) return;
    this.raw.once('close', () => {
      clearTimeout(this.#patience);
      for (const closed of this.#onClose) closed(this.isStream && this.#source.isKept);
    });
  }

  /** Calls the listener when the stream was refused, and the requests have been answered with that. */
  onRefused(listener: () => void): void {
    this.#onRefused.push(listener);
  }

  /** Whether the client can no longer come back to the stream. */
  async isForgotten(): Promise<boolean> {
    return (await this.#stream?.isForgotten()) ?? true;
  }

  /** A response that is not a stream yet becomes one for this: the call is neither lost nor made twice. */
  sendElsewhere(otherwise: () => void): void {
    if (this.raw.destroyed) return; // Its client may have come back already.
    if (!this.#source.isResumable || !this.takesMessages) return otherwise();
    // The log may miss the message, and then the client has no id to come back with.
    this.#onStream((stream) => (stream.isPrimed ? void stream.sayGoodbye() : otherwise()));
  }

  bind(requestId: RequestId, taskId: TaskId, { handOverAt, role }: BoundRequest = {}): void {
    const request = this.#requests.find(({ id }) => id === requestId);
    if (request !== undefined)
      Object.assign(request, { taskId, ...(handOverAt !== undefined && { handOverAt }), ...(role !== undefined && { role }) });
    if (this.isStream) this.#onStream((stream) => stream.bind(this.#requests));
  }

  hasSent(): boolean {
    return false;
  }

  push(message: object, isExclusive: boolean): void {
    if (this.#isOver || !this.takesMessages) return;
    const json = toWireJson(message);
    this.#onStream((stream) => stream.send({ json, isExclusive, isAnswer: false }));
  }

  answer(message: object, head: AnswerHead, isExclusive: boolean): void {
    if (this.#isOver) return;
    // This comes first: an answer that cannot be sent is replaced by an error.
    const json = toWireJson(message);
    this.#due -= 1;
    if (this.isStream || this.#isStreamFor(head)) this.#onStream((stream) => stream.send({ json, isExclusive, isAnswer: true }));
    else {
      this.#answers.push(this.#fits(json) ? json : toWireJson(errorAnswer(idOf(message), batchTooLarge(MAX_BATCH_CHARACTERS))));
      if (this.#due === 0) this.#sendJson(head);
    }
  }

  withdraw(isExclusive: boolean): void {
    if (this.#isOver) return;
    this.#due -= 1;
    // Without any answer JSON would have no content, but a stream may end empty.
    const isEmpty = this.#due === 0 && this.#answers.length === 0;
    if (this.isStream || (isEmpty && this.takesMessages)) this.#onStream((stream) => stream.withdraw(isExclusive));
    else if (isEmpty) this.raw.writeHead(202, { 'content-length': 0 }).end();
    else if (this.#due === 0) this.#sendJson({});
  }

  /** Whether an answer needs a stream, because its client accepts no JSON. An HTTP error is always JSON. */
  #isStreamFor({ httpStatus = 200 }: AnswerHead): boolean {
    return !this.#forms.json && (this.#isBatch || httpStatus === 200);
  }

  #fits(json: string): boolean {
    const before = this.#answers.reduce((characters, answer) => characters + answer.length, 0);
    return before === 0 || before + json.length <= MAX_BATCH_CHARACTERS;
  }

  /** Whether nothing more will be written. */
  get #isOver(): boolean {
    return this.#due <= 0 || (this.raw.destroyed && !this.isStream);
  }

  #sendJson({ httpStatus = 200, headers }: AnswerHead): void {
    clearTimeout(this.#patience);
    const answers = this.#answers.join(',');
    const body = this.#isBatch ? `[${answers}]` : answers;
    this.raw.writeHead(this.#isBatch ? 200 : httpStatus, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...headers,
    });
    this.raw.end(body);
  }

  #onStream(write: (stream: LiveStream) => void): void {
    if (this.#stream !== undefined) write(this.#stream);
    else if (this.#waiting !== undefined) this.#waiting.push(write);
    else {
      clearTimeout(this.#patience);
      const answered = this.#answers.splice(0).map((json) => (stream: LiveStream) => {
        stream.send({ json, isExclusive: false, isAnswer: true });
      });
      this.#waiting = [...answered, write];
      void this.#open();
    }
  }

  async #open(): Promise<void> {
    const opened = await this.#source.open(this.raw, this.#requests);
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    if ('code' in opened) return this.#refuse(opened);
    this.#stream = opened;
    for (const write of waiting) write(opened);
  }

  #refuse(failure: RpcFailure): void {
    this.#due = 0;
    const [request] = this.#requests;
    const id = this.#isBatch ? null : (request?.id ?? null);
    this.#answers.splice(0, Infinity, toWireJson(errorAnswer(id, failure)));
    if (!this.raw.destroyed) this.#sendJson(failure);
    for (const listener of this.#onRefused) listener();
  }
}

function idOf(message: object): RequestId | null {
  return 'id' in message && isId(message.id) ? message.id : null;
}
