import type { JSONRPCNotification, Progress } from '@modelcontextprotocol/client';
import { askClient } from './ask-client.js';
import { TaskLeftError } from './errors.js';
import type { InputHandlers, InputKind, InputRequest } from './input.js';
import type { FollowOptions } from './options.js';
import type { TaskReference } from './task-reference.js';
import type { TaskStatus } from './task-status.js';

export interface ActiveCallOptions extends FollowOptions {
  readonly tool: string;
  /** Under which progress is reported, if anybody wants to hear of it. */
  readonly progressToken?: string;
  /** Answers what `onInput` has no function for. */
  readonly defaults?: InputHandlers;
  /** Aborted when the client is closed. */
  readonly closing: AbortSignal;
}

/** One for all calls: each of its own would cost a stack. */
const ENDED = new DOMException('The call has ended.', 'AbortError');

/** A call that has not ended: what its callbacks are, and what was given to them already. */
export class ActiveCall {
  readonly tool: string;
  readonly progressToken: string | undefined;
  /** Aborted by the caller or by the end of the client. */
  readonly signal: AbortSignal;
  /** Ids of the requests that were sent for it. */
  readonly requestIds = new Set<string>();
  readonly #end = new AbortController();
  readonly #answered = Promise.withResolvers<void>();
  #reference: TaskReference | undefined;
  readonly #answers = new Map<string, Promise<unknown>>();
  #reported = '';
  /** What was shown last: only answers to `tasks/get` have it. */
  #exposed: Pick<TaskStatus, 'exposed'> = {};

  constructor(private readonly options: ActiveCallOptions) {
    this.tool = options.tool;
    this.progressToken = options.progressToken;
    this.signal = AbortSignal.any([options.closing, this.#end.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  }

  /** Known when the call has become a task. */
  get reference(): TaskReference | undefined {
    return this.#reference;
  }

  /** Resolves when the call has become a task, or has ended. */
  get answered(): Promise<void> {
    return this.#answered.promise;
  }

  /** Notes that the call is this task. */
  becomes(reference: TaskReference): void {
    this.#reference = reference;
    this.#answered.resolve();
    const { leave } = this.options;
    if (leave === undefined) return;
    const left = (): void => this.#end.abort(new TaskLeftError());
    if (leave.aborted) left();
    else leave.addEventListener('abort', left, { once: true, signal: this.#end.signal });
  }

  /** Whether the caller wants the work to stop, which the end of the client does not. */
  get isCancelled(): boolean {
    return this.options.signal?.aborted ?? false;
  }

  /** Reports the status, unless it was reported already. */
  report(status: TaskStatus): void {
    const { taskId, status: state, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = status;
    if ('exposed' in status) this.#exposed = { exposed: status.exposed };
    const key = JSON.stringify([state, statusMessage, lastUpdatedAt, this.#exposed]);
    if (key === this.#reported) return;
    this.#reported = key;
    this.options.onStatus?.({
      taskId,
      status: state,
      createdAt,
      lastUpdatedAt,
      ttlMs,
      ...(statusMessage !== undefined && { statusMessage }),
      ...(pollIntervalMs !== undefined && { pollIntervalMs }),
      ...this.#exposed,
    });
  }

  /** Hears a notification. @returns whether it was progress of this call */
  hear({ method, params }: JSONRPCNotification): boolean {
    const isMine =
      method === 'notifications/progress' && this.progressToken !== undefined && params?.['progressToken'] === this.progressToken;
    if (!isMine) return false;
    const { progress, total, message } = params as unknown as Progress;
    try {
      this.options.onProgress?.({ progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) });
    } catch (error) {
      this.#end.abort(error);
    }
    return true;
  }

  /**
   * The answer to a request for input. A request may come again after its stream broke. It gets the first answer, so the user is not asked
   * twice.
   *
   * @param id the same for the same request
   * @throws InputFailedError
   */
  answer(id: string, request: InputRequest, signal: AbortSignal = this.signal): Promise<unknown> {
    const known = this.#answers.get(id);
    if (known !== undefined) return known;
    const answer = this.#ask(request, AbortSignal.any([signal, this.signal]));
    this.#answers.set(id, answer);
    answer.catch(() => this.#answers.delete(id)); // Who asks again after a failure may get an answer.
    return answer;
  }

  /** Whether the call has a function of its own for this kind of question. */
  answersItself(kind: InputKind): boolean {
    return this.options.onInput?.[kind] !== undefined;
  }

  /** Ends what still runs for the call. */
  end(): void {
    this.#end.abort(ENDED);
    this.#answered.resolve();
  }

  #ask(request: InputRequest, signal: AbortSignal): Promise<unknown> {
    const { onInput = {}, defaults = {} } = this.options;
    const handlers = onInput[request.kind] === undefined ? defaults : onInput;
    const taskId = this.reference?.taskId;
    const { key } = request;
    return askClient(handlers, request, {
      tool: this.tool,
      signal,
      ...(key !== undefined && { key }),
      ...(taskId !== undefined && { taskId }),
    });
  }
}
