/** A request that is being answered: the method that runs for it, the response that it answers on, and what ends it early. */
import type { TaskId } from '@longhaul/tasks';
import type { RequestId, Result } from '@modelcontextprotocol/sdk/types.js';
import type { Logger } from 'pino';
import { type AnswerHead, failureOf, type RpcFailure } from '../../rpc/errors.js';
import { errorAnswer } from '../../rpc/messages.js';
import type { Pushed } from '../../rpc/method.js';
import { type Operation, type OperationEnd, silentOperation } from '../../rpc/operation.js';
import type { SessionScope } from './session-call.js';
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
  #isOver = false;

  constructor(
    readonly id: RequestId,
    readonly response: AnswerChannel,
    private readonly operation: Operation = silentOperation(),
  ) {}

  /** The task that the answer is of. Without one it is made in this process, and nowhere else. */
  get taskId(): TaskId | undefined {
    return this.#taskId;
  }

  /** Has the request answered. Everything that can go wrong becomes the answer. */
  async run(answerer: Answerer, logger: Logger): Promise<void> {
    try {
      const result = await this.operation.within(() => answerer(this.#scope()));
      this.#settle({ jsonrpc: '2.0', id: this.id, result }, {});
    } catch (error) {
      if (this.#isOver) return; // Nobody waits for it any more.
      try {
        this.#settleWith(failureOf(error, logger));
      } catch (unsendable) {
        this.#settleWith(failureOf(unsendable, logger)); // What a feature has put into its error is no JSON.
      }
    }
  }

  /** Calls the listener when it becomes known that the answer is that of a task. */
  whenBound(listener: () => void): void {
    this.#whenBound.add(listener);
  }

  /** Calls the listener once, when the request has its answer or will get none. @returns what keeps it from being called */
  whenOver(listener: () => void): () => void {
    if (this.#isOver) listener();
    else this.#whenOver.add(listener);
    return () => void this.#whenOver.delete(listener);
  }

  /** Says that the answer is that of a task, which any gateway can go on with. */
  bind(taskId: TaskId): void {
    this.#taskId = taskId;
    this.response.bind(this.id, taskId);
    for (const listener of this.#whenBound) listener();
  }

  /** Ends the work without an answer, because nobody is there to read one. */
  close(): void {
    if (this.#isOver) return;
    this.#aborted.abort();
    this.#end();
  }

  /** Ends the work with an error as its answer. */
  fail(failure: RpcFailure): void {
    if (this.#isOver) return;
    this.#aborted.abort();
    this.#settleWith(failure);
  }

  /** Has the client come back for the answer; one that cannot gets the failure as its answer. */
  sendElsewhere(failure: RpcFailure): void {
    if (!this.#isOver) this.response.sendElsewhere(() => this.fail(failure));
  }

  /** Ends the work because the client cancelled it: there is no answer. */
  cancel(): void {
    this.isCancelled = true;
    if (this.#isOver) return;
    this.#aborted.abort();
    this.response.withdraw(this.#taskId !== undefined);
    this.#end();
  }

  /** Ends the work as if the client had cancelled it, because it has been answered that there is no place for it. */
  refuse(): void {
    this.isCancelled = true;
    this.close();
  }

  #scope(): SessionScope {
    const { signal } = this.#aborted;
    const isCancelled = (): boolean => this.isCancelled;
    const { response } = this;
    return {
      signal,
      get isCancelled() {
        return isCancelled();
      },
      takesMessages: response.takesMessages,
      push: (message) => this.#push(message),
      // There is no other gateway that could answer, so the client comes back for what this one still sends.
      closeStream: () => {
        if (!this.#isOver) response.sendElsewhere(() => undefined);
      },
      whenOver: (listener) => this.whenOver(listener),
      stream: {
        get holder() {
          return response.holder;
        },
        hasSent: (id) => response.hasSent(id),
        bind: (taskId) => this.bind(taskId),
      },
    };
  }

  /**
   * A task's requests are known to every gateway that goes on with the stream, and may go out once only. Notifications are lost
   * unless the gateway that took them sends them, and so is what a feature asks that runs in this process.
   */
  #push(message: Pushed): void {
    if (!this.#isOver && !this.#aborted.signal.aborted)
      this.response.push({ jsonrpc: '2.0', ...message }, 'id' in message && this.#taskId !== undefined);
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

/** Answers a request whose method runs already. Such a method cannot be cancelled, and sends nothing before its answer. */
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
