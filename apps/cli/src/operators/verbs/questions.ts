import { UserError } from '../../user-error.js';
import type { Question, TaskDetails } from '../api/answers.js';
import { EXIT } from '../api/exit-codes.js';
import { filterOf, limitOf, reasonOf } from '../command-line/flags.js';
import { age } from '../output/texts.js';
import { listed } from '../command-line/pages.js';
import type { Given, VerbContext } from '../command-line/verb.js';
import { namedValues } from '../command-line/named-values.js';

/** `questions`. */
export async function listQuestions({ api, given, output }: VerbContext): Promise<number> {
  const questions = await listed<Question>(api, '/questions', filterOf(given), 'questions', limitOf(given));
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

/** `answer TASK [KEY] [NAME=VALUE…]`. */
export async function answerQuestion({ api, given, output }: VerbContext): Promise<number> {
  const [taskId, ...rest] = given.words;
  if (taskId === undefined) throw new UserError('name the task', EXIT.usage);
  const reason = reasonOf(given);
  const fields = rest.filter((word) => word.includes('='));
  const [named, ...tooMany] = rest.filter((word) => !word.includes('='));
  if (tooMany.length > 0) throw new UserError(`what is ${JSON.stringify(tooMany[0])}? Fields of the answer are NAME=VALUE`, EXIT.usage);
  const path = `/tasks/${encodeURIComponent(taskId)}`;
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
  const action = actionOf(given);
  const form = {
    schema: asked.params['requestedSchema'],
    named: fields,
    json: given.value('content'),
    what: { owner: 'the form', flag: 'content' },
  };
  const content = action === 'accept' ? namedValues(form) : undefined;
  await api.post(`${path}/answers/${encodeURIComponent(asked.key)}`, { action, reason, ...(content !== undefined && { content }) });
  output.say(`${asked.key} is answered (${action})`, { taskId, key: asked.key, action });
  return 0;
}

function actionOf(given: Given): 'accept' | 'decline' | 'cancel' {
  if (given.has('decline') && given.has('cancel')) throw new UserError('--decline or --cancel, not both', EXIT.usage);
  if (given.has('decline')) return 'decline';
  return given.has('cancel') ? 'cancel' : 'accept';
}
