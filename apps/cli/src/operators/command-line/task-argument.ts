import { UserError } from '../../user-error.js';
import { EXIT } from '../api/exit-codes.js';
import type { Given } from './verb.js';

/** The task that a command is about. @throws UserError unless exactly one is named */
export function oneTask({ words }: Given): string {
  const [taskId, ...rest] = words;
  if (taskId === undefined || rest.length > 0) throw new UserError('name one task by its id', EXIT.usage);
  return encodeURIComponent(taskId);
}
