/** One stream of `subscriptions/listen` that tells of tasks, around the one that the SDK made for the same request. */
import type { JsonObject, TaskView } from '@longhaul/tasks';
import { SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import { MAX_BUFFERED_BYTES } from '../../streams/sse-writer.js';
import type { SharedFollowers } from './shared-followers.js';
import { SseFrames } from './sse-frames.js';
import { type TaskDetails, taskDetails } from '../methods/task-details.js';

/** What streams need. */
export interface TaskStreamDeps {
  readonly followers: SharedFollowers;
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
    const start = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
      this.#write = (frame) => {
        if (this.#signal.aborted) return;
        controller.enqueue(encoder.encode(frame));
        if ((controller.desiredSize ?? 0) > 0) return;
        // What it has missed it gets when it comes back.
        controller.error(new Error('The client reads too slowly.'));
        this.#left.abort();
      };
      this.#serve(source)
        .catch((error: unknown) => this.deps.logger.warn({ err: error }, 'stream of tasks ended'))
        .finally(() => {
          this.#left.abort();
          controller.close();
        })
        .catch(() => undefined); // The client has closed it already.
    };
    const queued = new ByteLengthQueuingStrategy({ highWaterMark: MAX_BUFFERED_BYTES });
    return new ReadableStream<Uint8Array>({ start, cancel: () => this.#left.abort() }, queued);
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
      for (const view of this.of.views) this.#follow(view);
    }
  }

  /** Tells the present state of a task, and each change of it, until it has ended. */
  #follow(from: TaskView): void {
    let told = '';
    const stop = this.deps.followers.follow(from, ({ view, outcome }) => {
      const details = taskDetails(view, outcome, { capabilities: this.of.capabilities, now: Date.now() });
      const visible = visiblePart(details);
      if (visible !== told) this.#tell(details);
      told = visible;
    });
    if (this.#signal.aborted) stop();
    this.#signal.addEventListener('abort', stop, { once: true });
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
