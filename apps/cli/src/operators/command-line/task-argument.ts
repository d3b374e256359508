import { isTaskId } from '@longhaul/tasks/task-id';
import { UserError } from '../../user-error.js';
import { EXIT } from '../api/exit-codes.js';
import type { Given } from '../../command-line/command.js';

/** The task of a command: its first argument. @throws UserError */
export function taskOf({ words: [taskId = ''] }: Given): string {
  return taskIdOf(taskId);
}

/** A word as the id of a task. Nothing else goes into a path: below `/tasks` there is more than tasks. @throws UserError */
export function taskIdOf(word: string): string {
  if (!isTaskId(word)) throw new UserError(`there is no task ${JSON.stringify(word)}: the id of a task is a UUID`, EXIT.notFound);
  return word;
}
