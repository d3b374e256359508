/**
 * `subscriptions/listen` with `taskIds`, which the SDK does not know. The SDK serves the same request without
 * them, with all of its checks, and this adds to its stream: the acknowledged ids, the present state of each
 * task, and then every change of it, from whichever process makes it. A client that comes back misses
 * nothing, because it gets the present state again.
 */
import { describeIssues } from '@longhaul/mcp-features';
import { type Caller, FIELD_LIMITS, type JsonObject, TaskError, type TaskService, type TaskView } from '@longhaul/tasks';
import { CLIENT_CAPABILITIES_META_KEY } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { RpcCode } from '../../rpc/errors.js';
import { tasksExtensionMissing } from '../failures.js';
import { declaresTasks } from '../extension.js';
import { SharedFollowers } from './shared-followers.js';
import { TaskStream, type TaskStreamDeps } from './task-stream.js';

/** A request that listens to tasks, as far as it is read here. */
export interface ListenRequest {
  readonly id: string | number;
  readonly params: {
    readonly _meta?: Readonly<Record<string, unknown>>;
    readonly notifications: Readonly<Record<string, unknown>>;
  };
}

/** What listening needs. */
export interface ListenTasksDeps extends Omit<TaskStreamDeps, 'followers'> {
  readonly tasks: TaskService;
}

/** Who listens, and until when. */
export interface Listener {
  readonly caller: Caller;
  readonly hungUp: AbortSignal;
}

const Listen = z.looseObject({
  id: z.union([z.string(), z.number()]),
  method: z.literal('subscriptions/listen'),
  params: z.looseObject({ notifications: z.looseObject({ taskIds: z.unknown() }) }),
});

const TaskIds = z
  .array(z.string().max(FIELD_LIMITS.idBytes, `expected at most ${FIELD_LIMITS.idBytes} bytes`), 'expected array of the ids of tasks')
  .max(FIELD_LIMITS.listenedTasks, `expected at most ${FIELD_LIMITS.listenedTasks} ids`);
const Filter = z.object({ notifications: z.object({ taskIds: TaskIds }) });

/** Whether the message opens a stream. */
export function isListen(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'method' in body && body.method === 'subscriptions/listen';
}

/** The message, if it is one that listens to tasks. */
export function listenRequest(body: unknown): ListenRequest | undefined {
  const parsed = Listen.safeParse(body);
  return parsed.success && 'taskIds' in parsed.data.params.notifications ? (body as ListenRequest) : undefined;
}

/** The same request without tasks, for the SDK. */
export function withoutTasks(request: ListenRequest): object {
  const { taskIds: _taskIds, ...notifications } = request.params.notifications;
  return { ...request, params: { ...request.params, notifications } };
}

/** The streams of this process that listen to tasks. */
export class TaskStreams {
  readonly #followers: SharedFollowers;

  constructor(private readonly deps: ListenTasksDeps) {
    this.#followers = new SharedFollowers(deps);
  }

  /** @param answer of the SDK to the request without tasks */
  async serve(request: ListenRequest, answer: Response, { caller, hungUp }: Listener): Promise<Response> {
    if (answer.body === null || answer.headers.get('content-type')?.includes('text/event-stream') !== true) return answer;
    const refused = this.#refusal(request);
    if (refused !== undefined) {
      await answer.body.cancel();
      return refused;
    }
    try {
      const views = await existing(this.deps.tasks, caller, request.params.notifications['taskIds'] as string[]);
      const capabilities = (request.params._meta?.[CLIENT_CAPABILITIES_META_KEY] ?? {}) as JsonObject;
      const stream = new TaskStream({ ...this.deps, followers: this.#followers }, { id: request.id, views, capabilities, hungUp });
      return new Response(stream.around(answer.body), { status: 200, headers: answer.headers });
    } catch (error) {
      await answer.body.cancel();
      throw error;
    }
  }

  #refusal({ id, params }: ListenRequest): Response | undefined {
    if (!declaresTasks(params._meta?.[CLIENT_CAPABILITIES_META_KEY])) return refusal(id, 400, tasksExtensionMissing());
    const taskIds = Filter.safeParse(params);
    if (taskIds.success) return undefined;
    const message = `Invalid params: ${describeIssues(taskIds.error, 'params')}`;
    return refusal(id, 400, { code: RpcCode.InvalidParams, message });
  }
}

function refusal(
  id: string | number,
  status: number,
  { code, message, data }: { readonly code: number; readonly message: string; readonly data?: unknown },
): Response {
  return Response.json({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } }, { status });
}

/** Those of the ids that are tasks of the caller. */
async function existing(tasks: TaskService, caller: Caller, taskIds: readonly string[]): Promise<readonly TaskView[]> {
  const found = await Promise.all(
    [...new Set(taskIds)].map(async (taskId) => {
      try {
        return await tasks.get(taskId, caller);
      } catch (error) {
        if (error instanceof TaskError && error.code === 'TASK_NOT_FOUND') return undefined;
        throw error;
      }
    }),
  );
  return found.filter((view) => view !== undefined);
}
