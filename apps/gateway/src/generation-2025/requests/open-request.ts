/** Answers one request: it holds the running method, the response, and the events that end it early. */
import type { Cancellation } from '@longhaul/sessions/gateway';
import type { TaskId } from '@longhaul/tasks';
import type { RequestId, Result } from '@modelcontextprotocol/sdk/types.js';
import type { Logger } from 'pino';
import { type AnswerHead, failureOf, type RpcFailure } from '../../rpc/errors.js';
import { errorAnswer } from '../../rpc/messages.js';
import type { Pushed } from '../../rpc/method.js';
import { type Operation, type OperationEnd, silentOperation } from '../../rpc/operation.js';
import type { BoundRequest, SessionScope } from './session-call.js';
import type { AnswerChannel } from './answer-channel.js';

/** The JSON-RPC answer to a request. */
type AnswerMessage = OperationEnd & { readonly jsonrpc: string; readonly id: RequestId | null };

/** Answers a request. */
export type Answerer = (scope: SessionScope) => Promise<Result> | Result;

export class OpenRequest {
  isCancelled = false;
  readonly #aborted = new AbortController();
  readonly #whenBound = new Set<() => void>();
  readonly #whenOver = new Set<() => void>();
  #taskId: TaskId | undefined;
  #cancellation: Cancellation | undefined;
  #isSentElsewhere = false;
  #hasHungUp = false;
  #leaving: AbortController | undefined;
  #isOver = false;

  constructor(
    readonly id: RequestId,
    readonly response: AnswerChannel,
    private readonly operation: Operation = silentOperation(),
  ) {}

  /** The task that the answer belongs to. Without a task, only this process can make the answer. */
  get taskId(): TaskId | undefined {
    return this.#taskId;
  }

  /** Runs the answerer. Every failure becomes the answer. */
  async run(answerer: Answerer, logger: Logger): Promise<void> {
    try {
      const result = await this.operation.within(() => answerer(this.#scope()));
      this.#settle({ jsonrpc: '2.0', id: this.id, result }, {});
    } catch (error) {
      if (this.#isOver) return; // The request has ended.
      try {
        this.#settleWith(failureOf(error, logger));
      } catch (unsendable) {
        this.#settleWith(failureOf(unsendable, logger)); // A feature's error data is not JSON.
      }
    }
  }

  /** Calls the listener once it is known that the answer belongs to a task. */
  whenBound(listener: () => void): void {
    this.#whenBound.add(listener);
  }

  /** Calls the listener once, when the request has its answer or will get none. @returns a function that removes it */
  whenOver(listener: () => void): () => void {
    if (this.#isOver) listener();
    else this.#whenOver.add(listener);
    return () => void this.#whenOver.delete(listener);
  }

  /** Records that the answer belongs to a task, so that any gateway can continue the request. */
  bind(taskId: TaskId, bound?: BoundRequest): void {
    this.#taskId = taskId;
    this.response.bind(this.id, taskId, bound);
    for (const listener of this.#whenBound) listener();
  }

  /** Ends the work without an answer, because its client has gone. */
  close(): void {
    if (this.#isOver) return;
    this.#hasHungUp = !this.#isSentElsewhere;
    this.#aborted.abort();
    this.#end();
  }

  /** Ends the work without an answer, because another gateway has its stream by now, or because its client has gone. */
  leave({ isTaken }: { readonly isTaken: boolean }): void {
    this.#isSentElsewhere ||= isTaken;
    this.close();
  }

  /** Ends the work with an error as its answer. */
  fail(failure: RpcFailure): void {
    if (this.#isOver) return;
    this.#aborted.abort();
    this.#settleWith(failure);
  }

  /**
   * Makes the client come back for the answer; a client that cannot gets the failure as its answer.
   *
   * @param mayLeave whether a call that can be handed over is, in place of the failure
   */
  sendElsewhere(failure: RpcFailure, mayLeave = false): void {
    if (this.#isOver) return;
    this.#isSentElsewhere = true;
    this.response.sendElsewhere(() => (mayLeave && this.#leaving !== undefined ? this.#leaving.abort() : this.fail(failure)));
  }

  /** Ends the work because the client cancelled it: there is no answer. */
  cancel(cancellation: Cancellation): void {
    this.isCancelled = true;
    this.#cancellation = cancellation;
    if (this.#isOver) return;
    this.#aborted.abort();
    this.response.withdraw(this.#taskId !== undefined);
    this.#end();
  }

  /** Ends the work as if the client had cancelled it, because the client was already answered that there is no room. */
  refuse(): void {
    this.isCancelled = true;
    this.close();
  }

  #scope(): SessionScope {
    const { signal } = this.#aborted;
    const isCancelled = (): boolean => this.isCancelled;
    const cancellation = (): Cancellation | undefined => this.#cancellation;
    const hasHungUp = (): boolean => this.#hasHungUp;
    const leaving = (): AbortSignal => (this.#leaving ??= new AbortController()).signal;
    const { response } = this;
    return {
      signal,
      get isCancelled() {
        return isCancelled();
      },
      get leaving() {
        return leaving();
      },
      get hasHungUp() {
        return hasHungUp();
      },
      get cancellation() {
        return cancellation();
      },
      takesMessages: response.takesMessages,
      push: (message) => this.#push(message),
      // No other gateway could answer, so the client comes back here for the rest.
      closeStream: () => {
        if (!this.#isOver) response.sendElsewhere(() => undefined);
      },
      whenOver: (listener) => this.whenOver(listener),
      stream: {
        get holder() {
          return response.holder;
        },
        hasSent: (id) => response.hasSent(id),
        bind: (taskId, bound) => this.bind(taskId, bound),
      },
    };
  }

  /**
   * Every gateway that continues the stream knows a task's requests, and each may be sent only once. Notifications are lost unless the
   * gateway that received them sends them, and so are the requests of a feature in this process.
   */
  #push({ isRepeatable, ...message }: Pushed): void {
    if (!this.#isOver && !this.#aborted.signal.aborted)
      this.response.push({ jsonrpc: '2.0', ...message }, ('id' in message || isRepeatable === true) && this.#taskId !== undefined);
  }

  #settleWith(failure: RpcFailure): void {
    this.#settle(errorAnswer(this.id, failure), failure);
  }

  #settle(message: AnswerMessage, head: AnswerHead): void {
    if (this.#isOver) return;
    this.response.answer(message, head, this.#taskId !== undefined);
    this.operation.end(message);
    this.#end();
  }

  #end(): void {
    this.#isOver = true;
    this.operation.end();
    for (const listener of this.#whenOver) listener();
    this.#whenOver.clear();
  }
}

/** Answers a request whose method is already running. Such a method cannot be cancelled, and sends nothing before its answer. */
export async function sendAnswer(
  { id, operation }: { readonly id: RequestId; readonly operation: Operation },
  running: Promise<Result>,
  response: AnswerChannel,
  logger: Logger,
): Promise<void> {
  try {
    const result = await running;
    response.answer({ jsonrpc: '2.0', id, result }, {}, false);
    operation.end({ result });
  } catch (error) {
    const failure = failureOf(error, logger);
    response.answer(errorAnswer(id, failure), failure, false);
    operation.end({ error: failure });
  }
}
