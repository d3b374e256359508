import { RELATED_TASK_META_KEY } from '@modelcontextprotocol/sdk/types.js';
/** The task that messages name: one whose handle was given out. */
export function relatedTaskOf({ taskId, implicit }) {
    return implicit === true ? undefined : taskId;
}
/**
 * Params or a result that say to which task they belong, beside the `_meta` that they have already.
 *
 * @param taskId absent for a task whose handle is not given out: nothing is added then
 */
export function withRelatedTask(message, taskId) {
    if (taskId === undefined)
        return { ...message };
    const meta = message['_meta'];
    return { ...message, _meta: { ...(typeof meta === 'object' && meta), [RELATED_TASK_META_KEY]: { taskId } } };
}
//# sourceMappingURL=related-task.js.map