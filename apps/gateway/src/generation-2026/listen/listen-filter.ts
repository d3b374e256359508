/** Reads what a request to `subscriptions/listen` names, and which of it exists. */
import { describeIssues, parseUntrusted } from '@longhaul/mcp-features';
import type { ClientNotification } from '@longhaul/sessions';
import { FIELD_LIMITS } from '@longhaul/tasks';
import type { ServerCapabilities } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { Refusal, RpcCode } from '../../rpc/errors.js';
import { parseParams } from '../../rpc/params.js';
import { tasksExtensionMissing } from '../requests/failures.js';
import type { RequestCall } from '../requests/request-call.js';

/** Lists and resources of a stream: the requested parts that exist. */
export interface ListenFilter {
  readonly toolsListChanged?: true;
  readonly promptsListChanged?: true;
  readonly resourcesListChanged?: true;
  readonly resourceSubscriptions?: readonly string[];
}

/** The client's request. */
export interface Wanted {
  readonly filter: ListenFilter;
  /** Absent when it asks for no tasks. */
  readonly taskIds?: readonly string[];
}

const wish = z.boolean().optional();
const Params = z.object({
  notifications: z.looseObject({
    toolsListChanged: wish,
    promptsListChanged: wish,
    resourcesListChanged: wish,
    resourceSubscriptions: z.array(z.string()).optional(),
  }),
});

const { idBytes, listenedTasks } = FIELD_LIMITS;
const TaskIds = z
  .array(z.string().max(idBytes, `expected at most ${idBytes} bytes`), 'expected array of the ids of tasks')
  .max(listenedTasks, `expected at most ${listenedTasks} ids`);
const TaskParams = z.object({ notifications: z.object({ taskIds: TaskIds }) });

/**
 * The part of the client's request that the server has.
 *
 * @throws ProtocolError -32602 for an invalid filter, -32021 when it asks for tasks without the extension; Refusal 400 for invalid ids of
 * tasks
 */
export function wantedOf({ call: { params }, knowsTasks }: RequestCall, { tools, prompts, resources }: ServerCapabilities): Wanted {
  const { notifications } = parseParams(Params, params);
  const { toolsListChanged, promptsListChanged, resourcesListChanged, resourceSubscriptions = [] } = notifications;
  const filter: ListenFilter = {
    ...(toolsListChanged === true && tools?.listChanged === true && { toolsListChanged }),
    ...(promptsListChanged === true && prompts?.listChanged === true && { promptsListChanged }),
    ...(resourcesListChanged === true && resources?.listChanged === true && { resourcesListChanged }),
    ...(resourceSubscriptions.length > 0 && resources?.subscribe === true && { resourceSubscriptions }),
  };
  if (!('taskIds' in notifications)) return { filter };
  if (!knowsTasks) throw tasksExtensionMissing();
  const parsed = parseUntrusted(TaskParams, params);
  if (!parsed.success) throw new Refusal(400, RpcCode.InvalidParams, `Invalid params: ${describeIssues(parsed.error, 'params')}`);
  return { filter, taskIds: parsed.data.notifications.taskIds };
}

/** The requested members, by their notification. */
const LISTS: ReadonlyMap<string, keyof ListenFilter> = new Map([
  ['notifications/tools/list_changed', 'toolsListChanged'],
  ['notifications/prompts/list_changed', 'promptsListChanged'],
  ['notifications/resources/list_changed', 'resourcesListChanged'],
]);

/** Whether the client asked for this notification. */
export function accepts(filter: ListenFilter, { method, params }: ClientNotification): boolean {
  if (method === 'notifications/resources/updated') return filter.resourceSubscriptions?.includes(params['uri'] as string) === true;
  const list = LISTS.get(method);
  return list !== undefined && filter[list] === true;
}
