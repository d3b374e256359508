/** One stream of `subscriptions/listen` that tells of tasks, around the one that the SDK made for the same request. */
import { type JsonObject, TaskError, type TaskService, type TaskView } from '@longhaul/tasks';
import { SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import { setTimeout as pause } from 'node:timers/promises';
import { SseFrames } from './sse-frames.js';
import { type TaskDetails, taskDetails } from './task-details.js';

/** How long a task that could not be read is left alone. */
const RETRY_MS = 1_000;

/** What streams need. */
export interface TaskStreamDeps {
  readonly tasks: TaskService;
  readonly logger: Logger;
  readonly keepAliveMs: number;
  /** Aborts when the process is about to end. */
  readonly closing: AbortSignal;
}

/** Whose stream it is, and what it is about. */
export interface TaskStreamOf {
  /** The id of the request. */
  readonly id: string | number;
  readonly views: readonly TaskView[];
  /** What the request declares. */
  readonly capabilities: JsonObject;
  readonly hungUp: AbortSignal;
  /** Called once. */
  readonly onEnd: () => void;
}

export class TaskStream {
  readonly #left = new AbortController();
  /** Aborts when the client has gone, and when the stream is over. */
  readonly #signal = this.#left.signal;
  #write: (frame: string) => void = () => undefined;
  #isAcknowledged = false;
  /** The result at the end. */
  #end: object;

  constructor(
    private readonly deps: TaskStreamDeps,
    private readonly of: TaskStreamOf,
  ) {
    const { id, hungUp } = of;
    this.#end = { resultType: 'complete', _meta: { [SUBSCRIPTION_ID_META_KEY]: id } };
    if (hungUp.aborted) this.#left.abort();
    hungUp.addEventListener('abort', () => this.#left.abort(), { once: true, signal: this.#signal });
  }

  /** The SDK's stream, with the tasks in it. */
  around(source: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#write = (frame) => {
          if (!this.#signal.aborted) controller.enqueue(encoder.encode(frame));
        };
        this.#serve(source)
          .catch((error: unknown) => this.deps.logger.warn({ err: error }, 'stream of tasks ended'))
          .finally(() => {
            this.#left.abort();
            this.of.onEnd();
            controller.close();
          })
          .catch(() => undefined); // The client has closed it already.
      },
      cancel: () => this.#left.abort(),
    });
  }

  async #serve(source: ReadableStream<Uint8Array>): Promise<void> {
    const frames = new SseFrames();
    const reader = source.getReader();
    const leave = (): void => void reader.cancel().catch(() => undefined);
    if (this.#signal.aborted) leave();
    this.#signal.addEventListener('abort', leave, { once: true });
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      for (const frame of frames.add(value)) this.#pass(frame);
    }
    if (this.#isAcknowledged && this.of.views.length > 0) await this.#stayOpen();
    this.#message({ jsonrpc: '2.0', id: this.of.id, result: this.#end });
  }

  /** The first message is the acknowledgement; a result is the end, which comes at once when the SDK has nothing to tell. */
  #pass(frame: string): void {
    const data = SseFrames.dataOf(frame);
    if (data === undefined) return this.#write(frame);
    const message = JSON.parse(data) as { params: { notifications: object }; result?: object };
    if (message.result !== undefined) this.#end = message.result;
    else if (this.#isAcknowledged) this.#write(frame);
    else {
      this.#isAcknowledged = true;
      const taskIds = this.of.views.map(({ taskId }) => taskId);
      const notifications = { ...message.params.notifications, taskIds };
      this.#message({ ...message, params: { ...message.params, notifications } });
      for (const view of this.of.views) void this.#follow(view);
    }
  }

  /** Tells the present state of a task, and each change of it, until it has ended. */
  async #follow(from: TaskView): Promise<void> {
    let told = '';
    for (let at = from; !this.#signal.aborted;) {
      try {
        for await (const { view, outcome } of this.deps.tasks.follow(at, this.#signal)) {
          at = view;
          const details = taskDetails(view, outcome, { capabilities: this.of.capabilities, now: Date.now() });
          const visible = visiblePart(details);
          if (visible !== told) this.#tell(details);
          told = visible;
        }
        return;
      } catch (error) {
        if (this.#signal.aborted) return;
        this.deps.logger.warn({ err: error, taskId: from.taskId }, 'task not followed');
        if (error instanceof TaskError && error.code === 'TASK_NOT_FOUND') return;
        await pause(RETRY_MS, undefined, { signal: this.#signal }).catch(() => undefined);
      }
    }
  }

  #tell(details: TaskDetails): void {
    const params = { ...details, _meta: { [SUBSCRIPTION_ID_META_KEY]: this.of.id } };
    this.#message({ jsonrpc: '2.0', method: 'notifications/tasks', params });
  }

  /** The SDK has nothing to tell, and its stream is over; this one goes on until the client leaves. */
  async #stayOpen(): Promise<void> {
    const { closing, keepAliveMs } = this.deps;
    if (closing.aborted || this.#signal.aborted) return;
    const alive = setInterval(() => this.#write(': keepalive\n\n'), keepAliveMs);
    await new Promise<void>((resolve) => {
      // The one lives as long as the process: it keeps nothing of a stream that is over.
      closing.addEventListener('abort', () => resolve(), { once: true, signal: this.#signal });
      this.#signal.addEventListener('abort', () => resolve(), { once: true });
    });
    clearInterval(alive);
  }

  #message(message: object): void {
    this.#write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }
}

/** What of an unended task changes for its client; progress, for one, does not show. */
function visiblePart({ status, statusMessage, inputRequests = {} }: TaskDetails): string {
  return JSON.stringify([status, statusMessage, Object.keys(inputRequests)]);
}
