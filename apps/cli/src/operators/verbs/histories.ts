/** Implements `tasks result`, `tasks export` and `tasks import`: the result and the history of a task as files. */
import { withoutByteOrderMark } from '@longhaul/runtime/byte-order-mark';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { TaskDetails } from '@longhaul/operator';
import { UserError } from '../../user-error.js';
import { EXIT } from '../api/exit-codes.js';
import { reasonOf } from '../command-line/flags.js';
import { taskOf } from '../command-line/task-argument.js';
import type { LocalContext, VerbContext } from '../command-line/verb.js';
import { writeBody } from '../output/write-body.js';

/** `tasks export TASK [FILE]`: to standard output without a file. */
export async function exportTask({ api, given, terminal, signal }: VerbContext): Promise<number> {
  const body = await api.bytes(`/tasks/${taskOf(given)}/export`, signal);
  await writeBody(body, given.words[1], terminal);
  return 0;
}

/** `tasks result TASK [FILE]`: to standard output without a file. */
export async function writeResult({ api, given, terminal, signal }: VerbContext): Promise<number> {
  const body = await api.bytes(`/tasks/${taskOf(given)}/result`, signal);
  await writeBody(body, given.words[1], terminal);
  return 0;
}

/** `tasks import FILE`. */
export async function importTask(context: VerbContext): Promise<number> {
  const { api, given, output } = context;
  const reason = reasonOf(given);
  const history = await historyFile(context);
  const task = await api.post<TaskDetails>('/tasks/import', { history, reason });
  output.say(`imported as ${task.taskId} (${task.tool}, ${task.status})`, task);
  return 0;
}

/** The document in the one file that is named; what it says is not checked. @throws UserError */
export async function historyFile({ given, terminal }: Pick<LocalContext, 'given' | 'terminal'>): Promise<unknown> {
  const [file = ''] = given.words;
  const text = await readFile(resolve(terminal.cwd, file), 'utf8').catch((error: unknown) => {
    throw new UserError(`${file}: ${error instanceof Error ? error.message : String(error)}`, EXIT.usage);
  });
  try {
    return JSON.parse(withoutByteOrderMark(text)) as unknown;
  } catch (error) {
    throw new UserError(`${file} is no exported history: ${error instanceof Error ? error.message : String(error)}`, EXIT.usage);
  }
}
