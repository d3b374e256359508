import { UserError } from '../../user-error.js';
import { EXIT } from '../api/exit-codes.js';
import { reasonOf } from '../command-line/flags.js';
import { taskIdOf } from '../command-line/task-argument.js';
import type { VerbContext } from '../command-line/verb.js';

/** `signal TASK NAME [JSON]`. */
export async function sendSignal({ api, given, output }: VerbContext): Promise<number> {
  const [taskId, name, text, ...rest] = given.words;
  if (taskId === undefined || name === undefined || rest.length > 0)
    throw new UserError('name the task and the signal, and give its value as JSON', EXIT.usage);
  const id = given.value('id');
  const body = { name, value: valueOf(text), ...(id !== undefined && { id }), reason: reasonOf(given) };
  const { isRepeated } = await api.post<{ isRepeated: boolean }>(`/tasks/${taskIdOf(taskId)}/signals`, body);
  output.say(isRepeated ? `a signal with that id was taken before` : `the signal ${name} is recorded`, { taskId, name, isRepeated });
  return 0;
}

/** @returns null without a text */
function valueOf(text: string | undefined): unknown {
  if (text === undefined) return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UserError(`the value must be JSON, such as '"yes"' or '{"approved":true}', and is ${text}`, EXIT.usage);
  }
}
