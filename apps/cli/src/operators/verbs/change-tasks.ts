/** Implements `tasks cancel` and `tasks retry`, for named tasks or for all tasks that fit a filter. */
import type { TaskDetails } from '@longhaul/operator';
import { UserError } from '../../user-error.js';
import { EXIT } from '../api/exit-codes.js';
import { bulkFilterOf, fromOf, keyOf, reasonOf } from '../command-line/flags.js';
import { jsonObject } from '../command-line/named-values.js';
import { taskIdOf } from '../command-line/task-argument.js';
import type { VerbContext } from '../command-line/verb.js';
import { changeAll } from './bulk.js';

export function cancelTasks(context: VerbContext): Promise<number> {
  return change(context, 'cancel', {});
}

export function retryTasks(context: VerbContext): Promise<number> {
  const { given } = context;
  const [args, patch] = [given.value('arguments'), given.value('patch')];
  if (given.words.length === 0 && args !== undefined)
    throw new UserError('--arguments is for named tasks, not for all that fit a filter: --patch changes theirs', EXIT.usage);
  return change(context, 'retry', {
    ...(given.has('force') && { force: true }),
    ...fromOf(given),
    ...(args !== undefined && { arguments: jsonObject(args, 'arguments') }),
    ...(patch !== undefined && { patch: jsonObject(patch, 'patch') }),
  });
}

async function change(context: VerbContext, action: 'cancel' | 'retry', more: object): Promise<number> {
  const { api, given, output } = context;
  const filter = bulkFilterOf(given);
  if (given.words.length > 0) {
    if (filter !== undefined) throw new UserError('name tasks, or a filter, not both', EXIT.usage);
    const reason = reasonOf(given);
    const key = action === 'retry' ? keyOf(given) : {};
    for (const taskId of given.words) {
      const task = await api.post<TaskDetails>(`/tasks/${taskIdOf(taskId)}/${action}`, { reason, ...more, ...key });
      output.entry(task, action === 'retry' ? `${taskId} is done again as ${task.taskId}` : `${taskId} is ${task.status}`);
    }
    return 0;
  }
  if (filter === undefined)
    throw new UserError('name tasks by their ids, or give a filter such as --tool or --status, or --all', EXIT.usage);
  return changeAll(context, { action, filter, ...more });
}
