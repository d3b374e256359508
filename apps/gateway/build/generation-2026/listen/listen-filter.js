/** What a request to `subscriptions/listen` names, and which of it there is. */
import { describeIssues, parseUntrusted } from '@longhaul/mcp-features';
import { FIELD_LIMITS } from '@longhaul/tasks';
import { z } from 'zod';
import { Refusal, RpcCode } from '../../rpc/errors.js';
import { parseParams } from '../../rpc/params.js';
import { tasksExtensionMissing } from '../requests/failures.js';
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
export function wantedOf({ call: { params }, knowsTasks }, { tools, prompts, resources }) {
    const { notifications } = parseParams(Params, params);
    const { toolsListChanged, promptsListChanged, resourcesListChanged, resourceSubscriptions = [] } = notifications;
    const filter = {
        ...(toolsListChanged === true && tools?.listChanged === true && { toolsListChanged }),
        ...(promptsListChanged === true && prompts?.listChanged === true && { promptsListChanged }),
        ...(resourcesListChanged === true && resources?.listChanged === true && { resourcesListChanged }),
        ...(resourceSubscriptions.length > 0 && resources?.subscribe === true && { resourceSubscriptions }),
    };
    if (!('taskIds' in notifications))
        return { filter };
    if (!knowsTasks)
        throw tasksExtensionMissing();
    const parsed = parseUntrusted(TaskParams, params);
    if (!parsed.success)
        throw new Refusal(400, RpcCode.InvalidParams, `Invalid params: ${describeIssues(parsed.error, 'params')}`);
    return { filter, taskIds: parsed.data.notifications.taskIds };
}
/** What is asked for, by the notification that says it. */
const LISTS = new Map([
    ['notifications/tools/list_changed', 'toolsListChanged'],
    ['notifications/prompts/list_changed', 'promptsListChanged'],
    ['notifications/resources/list_changed', 'resourcesListChanged'],
]);
/** Whether what happened is among what was asked for. */
export function accepts(filter, { method, params }) {
    if (method === 'notifications/resources/updated')
        return filter.resourceSubscriptions?.includes(params['uri']) === true;
    const list = LISTS.get(method);
    return list !== undefined && filter[list] === true;
}
//# sourceMappingURL=listen-filter.js.map