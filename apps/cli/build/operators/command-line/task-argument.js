import { isTaskId } from '@longhaul/tasks/task-id';
import { UserError } from '../../user-error.js';
import { EXIT } from '../api/exit-codes.js';
/** The task that a command is about. @throws UserError unless exactly one is named */
export function oneTask({ words }) {
    const [taskId, ...rest] = words;
    if (taskId === undefined || rest.length > 0)
        throw new UserError('name one task by its id', EXIT.usage);
    return taskIdOf(taskId);
}
/** A word as the id of a task. Nothing else goes into a path: below `/tasks` there is more than tasks. @throws UserError */
export function taskIdOf(word) {
    if (!isTaskId(word))
        throw new UserError(`there is no task ${JSON.stringify(word)}: the id of a task is a UUID`, EXIT.notFound);
    return word;
}
//# sourceMappingURL=task-argument.js.map