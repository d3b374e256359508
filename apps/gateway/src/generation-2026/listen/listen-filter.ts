/** What a request to `subscriptions/listen` names, and which of it there is. */
import { describeIssues, parseUntrusted } from '@longhaul/mcp-features';
import type { ClientNotification } from '@longhaul/sessions';
import { FIELD_LIMITS } from '@longhaul/tasks';
import type { ServerCapabilities } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { Refusal, RpcCode } from '../../rpc/errors.js';
import { parseParams } from '../../rpc/params.js';
import { tasksExtensionMissing } from '../requests/failures.js';
import type { RequestCall } from '../requests/request-call.js';

/** Lists and resources that a stream is about: those parts of what was asked for that there are. */
export interface ListenFilter {
  readonly toolsListChanged?: true;
  readonly promptsListChanged?: true;
  readonly resourcesListChanged?: true;
  readonly resourceSubscriptions?: readonly string[];
}

/** What a client asks for. */
export interface Wanted {
  readonly filter: ListenFilter;
  /** Absent when it asks for none at all. */
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
 * What the client asks for, as far as the server has it.
 *
 * @throws ProtocolError -32602 for what is no filter, -32021 when it asks for tasks without the extension; Refusal 400 for what
 *   are no ids of tasks
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

/** What is asked for, by the notification that says it. */
const LISTS: ReadonlyMap<string, keyof ListenFilter> = new Map([
  ['notifications/tools/list_changed', 'toolsListChanged'],
  ['notifications/prompts/list_changed', 'promptsListChanged'],
  ['notifications/resources/list_changed', 'resourcesListChanged'],
]);

/** Whether what happened is among what was asked for. */
export function accepts(filter: ListenFilter, { method, params }: ClientNotification): boolean {
  if (method === 'notifications/resources/updated') return filter.resourceSubscriptions?.includes(params['uri'] as string) === true;
  const list = LISTS.get(method);
  return list !== undefined && filter[list] === true;
}
