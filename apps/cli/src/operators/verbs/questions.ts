import type { Question, TaskDetails } from '@longhaul/operator';
import { UserError } from '../../user-error.js';
import { EXIT } from '../api/exit-codes.js';
import { bulkFilterOf, filterOf, limitOf, reasonOf } from '../command-line/flags.js';
import { age } from '../output/texts.js';
import { changeAll } from './bulk.js';
import { entriesOf, listed, type ListRequest } from '../command-line/pages.js';
import type { Given } from '../../command-line/command.js';
import type { VerbContext } from '../command-line/verb.js';
import { namedValues } from '../command-line/named-values.js';
import { taskIdOf } from '../command-line/task-argument.js';

/** `questions`. */
export async function listQuestions({ api, given, output }: VerbContext): Promise<number> {
  const questions = await listed<Question>(api, questionsOf(given), limitOf(given));
  output.list(
    questions,
    [
      { title: 'TASK', text: ({ taskId }) => taskId },
      { title: 'KEY', text: ({ key }) => key },
      { title: 'TOOL', text: ({ tool }) => tool },
      { title: 'OWNER', width: 20, text: ({ owner }) => owner },
      { title: 'AGE', text: ({ since }) => age(since) },
      { title: 'ASKS', width: 80, text: ({ message, params }) => message ?? JSON.stringify(params) },
    ],
    { questions },
  );
  return 0;
}

/** `answer TASK [KEY] [NAME=VALUE…]`. With a filter instead of the task it answers the questions of all tasks that fit. */
export async function answerQuestion(context: VerbContext): Promise<number> {
  const { api, given, output } = context;
  const [taskId, ...rest] = given.words;
  const filter = bulkFilterOf(given);
  if (filter !== undefined) return answerAll(context, filter);
  if (taskId === undefined || taskId.includes('='))
    throw new UserError('name the task, or give a filter such as --tool, or --all', EXIT.usage);
  const reason = reasonOf(given);
  const fields = rest.filter((word) => word.includes('='));
  const [named, ...tooMany] = rest.filter((word) => !word.includes('='));
  if (tooMany.length > 0) throw new UserError(`${JSON.stringify(tooMany[0])} is no field of the answer: write NAME=VALUE`, EXIT.usage);
  const path = `/tasks/${taskIdOf(taskId)}`;
  const { pendingInputs } = await api.get<TaskDetails>(path);
  const asked = named === undefined && pendingInputs.length === 1 ? pendingInputs[0] : pendingInputs.find(({ key }) => key === named);
  if (asked === undefined) {
    const keys = pendingInputs.map(({ key }) => key).join(', ');
    if (named === undefined && pendingInputs.length > 1)
      throw new UserError(`the task asks several questions, name one: ${keys}`, EXIT.usage);
    throw new UserError(
      keys === '' ? 'the task asks nothing now' : `the task does not ask ${JSON.stringify(named)}; it asks: ${keys}`,
      EXIT.ended,
    );
  }
  const said = saidTo(asked, fields, given);
  await api.post(`${path}/answers/${encodeURIComponent(asked.key)}`, { ...said, reason });
  output.say(`${asked.key} is answered (${said.action})`, { taskId, key: asked.key, action: said.action });
  return 0;
}

/**
 * The form comes from the first task that may be answered. If another task asks something else, the answer does not fit, and counts as
 * failed.
 */
async function answerAll(context: VerbContext, filter: object): Promise<number> {
  const { api, given, output } = context;
  const stray = given.words.find((word) => !word.includes('='));
  if (stray !== undefined) throw new UserError('name a task, or a filter, not both', EXIT.usage);
  for await (const question of entriesOf<Question>(api, questionsOf(given)))
    if (question.answerable) return changeAll(context, { action: 'answer', filter, answer: saidTo(question, given.words, given) });
  output.say('0 tasks fit', { matched: 0 });
  return EXIT.ok;
}

function questionsOf(given: Given): ListRequest {
  return { path: '/questions', query: filterOf(given), name: 'questions' };
}

function saidTo({ params }: Pick<Question, 'params'>, named: readonly string[], given: Given): { action: string; content?: object } {
  const action = actionOf(given);
  if (action !== 'accept') return { action };
  const what = { owner: 'the form', flag: 'content' };
  const content = namedValues({ schema: params['requestedSchema'], named, json: given.value('content'), what });
  return { action, ...(content !== undefined && { content }) };
}

function actionOf(given: Given): 'accept' | 'decline' | 'cancel' {
  if (given.has('decline') && given.has('cancel')) throw new UserError('--decline or --cancel, not both', EXIT.usage);
  if (given.has('decline')) return 'decline';
  return given.has('cancel') ? 'cancel' : 'accept';
}
