import type { Task, TaskDetails, Tool } from '@longhaul/operator';
import { UserError } from '../../user-error.js';
import { EXIT } from '../api/exit-codes.js';
import { reasonOf } from '../command-line/flags.js';
import { namedValues } from '../command-line/named-values.js';
import type { VerbContext } from '../command-line/verb.js';
import { endOf, exitCodeOf, timeLimitOf } from './follow-task.js';

/** The reason in the audit log, unless one is given: a start repairs and changes nothing of others. */
const BY_HAND = 'called from the command line';

/** Implements `call TOOL [NAME=VALUE…]`. */
export async function callTool(context: VerbContext): Promise<number> {
  const { api, given, output } = context;
  const [name = '', ...named] = given.words;
  const wrong = named.find((word) => !word.includes('='));
  if (wrong !== undefined) throw new UserError(`${JSON.stringify(wrong)} is no argument: write NAME=VALUE`, EXIT.usage);
  const reason = given.value('reason') === undefined ? BY_HAND : reasonOf(given);
  const { tools } = await api.get<{ tools: readonly Tool[] }>('/tools');
  // A missing tool gets its error from the API.
  const schema = tools.find((tool) => tool.name === name)?.inputSchema;
  const json = given.value('arguments');
  const what = { owner: `tool ${name}`, flag: 'arguments' };
  const args = schema === undefined ? {} : namedValues({ schema, named, json, what });
  const limit = timeLimitOf(given);
  const owner = given.value('owner');
  const priority = priorityOf(given.value('priority'));
  const body = { arguments: args, reason, ...(owner !== undefined && { owner }), ...(priority !== undefined && { priority }) };
  const task = await api.post<Task>(`/tools/${encodeURIComponent(name)}/tasks`, body);
  if (!given.has('wait')) {
    output.say(`${task.taskId} is started`, task);
    return EXIT.ok;
  }
  // Who stops waiting can still ask for it.
  context.terminal.err(`${task.taskId} is started`);
  const ended = await endOf(context, task.taskId, limit);
  const details = await api.get<TaskDetails>(`/tasks/${task.taskId}`);
  output.entry(details, resultText(details));
  return exitCodeOf(ended);
}

/** A wrong number gets its error from the API. */
function priorityOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (!/^-?\d+$/.test(given)) throw new UserError(`--priority must be a whole number, and is ${JSON.stringify(given)}`, EXIT.usage);
  return Number(given);
}

/** The texts of a result, or how the task ended without one. */
function resultText({ result, error, status, message }: TaskDetails): string {
  const { content } = (result ?? {}) as { readonly content?: readonly { readonly type: string; readonly text?: string }[] };
  if (content === undefined) return error?.message ?? message ?? status;
  return content.map((block) => block.text ?? JSON.stringify(block)).join('\n');
}
