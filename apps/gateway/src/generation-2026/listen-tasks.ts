/**
 * `subscriptions/listen` with `taskIds`, which the SDK does not know. The SDK serves the same request without
 * them, with all of its checks, and this adds to its stream: the acknowledged ids, the present state of each
 * task, and then every change of it, from whichever process makes it. A client that comes back misses
 * nothing, because it gets the present state again.
 */
import { type Caller, TaskError, type TaskService, type TaskSnapshot } from '@longhaul/tasks';
import { CLIENT_CAPABILITIES_META_KEY, SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import { z } from 'zod';
import { tasksExtensionMissing } from './failures.js';
import { declaresTasks } from './request-call.js';
import { SseFrames } from './sse-frames.js';
import { taskDetails } from './task-details.js';

const MAX_TASKS = 1_000;

/** A request that listens to tasks, as far as it is read here. */
export interface ListenRequest {
  readonly id: string | number;
  readonly params: {
    readonly _meta?: Readonly<Record<string, unknown>>;
    readonly notifications: Readonly<Record<string, unknown>>;
  };
}

/** What listening needs. */
export interface ListenTasksDeps {
  readonly tasks: TaskService;
  readonly logger: Logger;
  readonly keepAliveMs: number;
  /** Aborts when the process is about to end. */
  readonly closing: AbortSignal;
}

/** Who listens, and until when. */
export interface Listener {
  readonly caller: Caller;
  readonly hungUp: AbortSignal;
}

const LISTEN = 'subscriptions/listen';

const Listen = z.looseObject({
  id: z.union([z.string(), z.number()]),
  method: z.literal(LISTEN),
  params: z.looseObject({ notifications: z.looseObject({ taskIds: z.unknown() }) }),
});

const TaskIds = z.array(z.string().max(64)).max(MAX_TASKS);

/** Whether the message opens a stream. */
export function isListen(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'method' in body && body.method === 'subscriptions/listen';
}

/** The message, if it is one that listens to tasks. */
export function listenRequest(body: unknown): ListenRequest | undefined {
  if ((body as { readonly method?: unknown } | null)?.method !== LISTEN) return undefined; // Most requests are not looked at any closer.
  const parsed = Listen.safeParse(body);
  return parsed.success && 'taskIds' in parsed.data.params.notifications ? (body as ListenRequest) : undefined;
}

/** The same request without tasks, for the SDK. */
export function withoutTasks(request: ListenRequest): object {
  const { taskIds: _taskIds, ...notifications } = request.params.notifications;
  return { ...request, params: { ...request.params, notifications } };
}

/** @param answer of the SDK to the request without tasks */
export async function listenToTasks(
  deps: ListenTasksDeps,
  request: ListenRequest,
  answer: Response,
  { caller, hungUp }: Listener,
): Promise<Response> {
  const { id, params } = request;
  if (answer.body === null || answer.headers.get('content-type')?.includes('text/event-stream') !== true) return answer;
  if (!declaresTasks(params._meta?.[CLIENT_CAPABILITIES_META_KEY])) {
    await answer.body.cancel();
    const { code, message, data } = tasksExtensionMissing();
    return Response.json({ jsonrpc: '2.0', id, error: { code, message, data } }, { status: 400 });
  }
  const taskIds = TaskIds.safeParse(params.notifications['taskIds']);
  if (!taskIds.success) {
    await answer.body.cancel();
    const message = `Invalid params: notifications.taskIds: expected at most ${MAX_TASKS} ids of tasks`;
    return Response.json({ jsonrpc: '2.0', id, error: { code: -32602, message } }, { status: 400 });
  }
  const honoured = await existing(deps.tasks, caller, taskIds.data);
  return new Response(new TaskListener(deps, id, honoured, hungUp).stream(answer.body), { status: 200, headers: answer.headers });
}

/** Those of the ids that are tasks of the caller. */
async function existing(tasks: TaskService, caller: Caller, taskIds: readonly string[]): Promise<readonly TaskSnapshot[]> {
  const found = await Promise.all(
    [...new Set(taskIds)].map(async (taskId) => {
      try {
        return await tasks.getWithOutcome(taskId, caller);
      } catch (error) {
        if (error instanceof TaskError && error.code === 'TASK_NOT_FOUND') return undefined;
        throw error;
      }
    }),
  );
  return found.filter((snapshot) => snapshot !== undefined);
}

/** One stream. */
class TaskListener {
  readonly #left = new AbortController();
  readonly #signal: AbortSignal;
  #write: (frame: string) => void = () => undefined;
  #isAcknowledged = false;

  constructor(
    private readonly deps: ListenTasksDeps,
    private readonly id: string | number,
    private readonly tasks: readonly TaskSnapshot[],
    hungUp: AbortSignal,
  ) {
    this.#signal = AbortSignal.any([this.#left.signal, hungUp]);
  }

  /** The SDK's stream, with the tasks in it. */
  stream(source: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#write = (frame) => controller.enqueue(encoder.encode(frame));
        this.#serve(source)
          .catch((error: unknown) => this.#signal.aborted || this.deps.logger.warn({ err: error }, 'stream of tasks ended'))
          .finally(() => {
            this.#left.abort();
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
    this.#signal.addEventListener('abort', () => void reader.cancel().catch(() => undefined), { once: true });
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      for (const frame of frames.add(value)) this.#pass(frame);
    }
    if (this.#isAcknowledged && this.tasks.length > 0 && !this.deps.closing.aborted) await this.#stayOpen();
    if (!this.#signal.aborted) this.#message({ jsonrpc: '2.0', id: this.id, result: this.#end });
  }

  #end: object = { resultType: 'complete' };

  /** The first message is the acknowledgement; a result is the end, which comes at once when the SDK has nothing to tell. */
  #pass(frame: string): void {
    const data = SseFrames.dataOf(frame);
    if (data === undefined) return this.#write(frame);
    const message = JSON.parse(data) as { params: { notifications: object }; result?: object };
    if (message.result !== undefined) this.#end = message.result;
    else if (this.#isAcknowledged) this.#write(frame);
    else {
      this.#isAcknowledged = true;
      const taskIds = this.tasks.map(({ view }) => view.taskId);
      const notifications = { ...message.params.notifications, taskIds };
      this.#message({ ...message, params: { ...message.params, notifications } });
      for (const snapshot of this.tasks) void this.#follow(snapshot);
    }
  }

  async #follow({ view: from }: TaskSnapshot): Promise<void> {
    try {
      for await (const { view, outcome } of this.deps.tasks.follow(from, this.#signal)) {
        const params = { ...taskDetails(view, outcome, Date.now()), _meta: { [SUBSCRIPTION_ID_META_KEY]: this.id } };
        this.#message({ jsonrpc: '2.0', method: 'notifications/tasks', params });
      }
    } catch (error) {
      if (!this.#signal.aborted) this.deps.logger.warn({ err: error, taskId: from.taskId }, 'task not followed');
    }
  }

  /** The SDK has nothing to tell, and its stream is over; this one goes on until the client leaves. */
  async #stayOpen(): Promise<void> {
    const over = new AbortController();
    const alive = setInterval(() => this.#write(': keepalive\n\n'), this.deps.keepAliveMs);
    await new Promise<void>((resolve) => {
      for (const signal of [this.#signal, this.deps.closing]) {
        if (signal.aborted) resolve();
        // One of the signals lasts as long as the process, and must not keep what listens to it.
        signal.addEventListener('abort', () => resolve(), { signal: over.signal });
      }
    });
    over.abort();
    clearInterval(alive);
  }

  #message(message: object): void {
    if (!this.#signal.aborted) this.#write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }
}
