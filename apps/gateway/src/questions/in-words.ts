/**
 * Puts questions of a task into words for a model: the message, what each field of the form takes, and what to call next. The texts come
 * from a tool, so they are quoted, and their lengths are bounded.
 */
import { APPROVAL } from '@longhaul/mcp-features';
import { isJsonObject, type JsonObject, type PendingInput, presentParams } from '@longhaul/tasks';
import { firstCharacters } from '@longhaul/tasks/text';
import { type Choice, type FormField, formFieldsOf } from './form-fields.js';

/** The most characters of a message, of a description, of what a field offers, and of all fields of a form. */
const MAX_MESSAGE = 2_000;
const MAX_DESCRIPTION = 200;
const MAX_CHOICES = 2_000;
const MAX_FORM = 8_000;
/** The most questions of a task: clients cut results of more than about 40,000 characters off. */
const MAX_QUESTIONS = 3;

/** The ways to answer a question, in addition to other clients and to operators. */
export interface AnswerWays {
  readonly taskId: string;
  /** Whether the reader has the tool `task_answer`. */
  readonly hasAnswer: boolean;
  /** Whether the reader has the tool `task_view`, which shows the user the question. */
  readonly hasView: boolean;
  /** The address of a page with the question. */
  readonly linkTo: (input: PendingInput) => string | undefined;
}

/** Whether only the user of an agent may answer: whether the agent may call a tool. */
export function isApproval({ _meta: meta }: JsonObject): boolean {
  return isJsonObject(meta) && meta[APPROVAL] === true;
}

/** The questions in words, each in one text. */
export function questionsInWords(inputs: readonly PendingInput[], ways: AnswerWays): readonly string[] {
  const said = inputs.slice(0, MAX_QUESTIONS).map((input) => questionInWords(input, ways));
  const more = inputs.length - said.length;
  return more > 0 ? [...said, `${more} more questions follow when these are answered.`] : said;
}

/** The same for the status of a task, in one line. */
export function questionInOneLine(input: PendingInput, link: string | undefined): string {
  const { message } = presentParams(input);
  const asked = typeof message === 'string' ? `: ${quoted(message, MAX_DESCRIPTION)}` : ` to ${input.method}`;
  return `Waits for an answer that this client cannot be asked for${asked}${link === undefined ? '' : `. Answer it at ${link}`}`;
}

function questionInWords(input: PendingInput, ways: AnswerWays): string {
  const { method, params } = input;
  if (method !== 'elicitation/create')
    return `The task waits for an answer to ${method}, which this client cannot give. Another client of the same user can.`;
  // No link either: the model could use it.
  if (isApproval(params))
    return 'The task asks the user whether an agent may call a tool. Only the user may answer, in a client that can ask them: you cannot.';
  const { message } = presentParams(input);
  const text = quoted(typeof message === 'string' ? message : '', MAX_MESSAGE);
  return params['mode'] === 'url' ? urlInWords(input, text, ways) : formInWords(input, text, ways);
}

function formInWords(input: PendingInput, message: string, ways: AnswerWays): string {
  const { taskId, hasAnswer, linkTo } = ways;
  const fields = formFieldsOf(input.params['requestedSchema']);
  const lines = fitting(fields, fieldInWords, MAX_FORM);
  const more = fields.length - lines.length;
  const form =
    fields.length === 0
      ? ['It takes a yes or a no.']
      : ['Fields of the answer:', ...lines, ...(more > 0 ? [`- and ${more} more, which only a page shows`] : [])];
  const call = JSON.stringify({ taskId, key: input.key, action: 'accept', ...(fields.length > 0 && { content: {} }) });
  const byModel = hasAnswer
    ? [
        `Ask the user this now, and wait for what they say. Then call task_answer with ${call}${fields.length > 0 ? ', where content has the fields' : ''}. If the user does not want to answer, use "action":"decline". Pass on the user's own answer: never make one up, also if it seems plain.`,
      ]
    : [];
  return [`The task asks the user: ${message}`, ...form, ...byModel, ...otherWays(linkTo(input), ways, byModel.length > 0)].join('\n');
}

function urlInWords(input: PendingInput, message: string, ways: AnswerWays): string {
  const { taskId, hasAnswer, linkTo } = ways;
  const { url } = input.params;
  const address = typeof url === 'string' ? url : '';
  const host = URL.canParse(address) ? new URL(address).host : '';
  const decline = JSON.stringify({ taskId, key: input.key, action: 'decline' });
  return [
    `The task asks the user to open an address: ${message}`,
    `${quoted(address, MAX_MESSAGE)}${host === '' ? '' : `, which is of ${host}`}`,
    'Show the user the address and whose it is, and let them decide. Do not open it yourself. Only the user can confirm that they have opened it: you cannot do that with a tool.',
    ...(hasAnswer ? [`If they do not want to, call task_answer with ${decline}.`] : []),
    ...otherWays(linkTo(input), ways, false),
  ].join('\n');
}

function otherWays(link: string | undefined, { taskId, hasView }: AnswerWays, isAnswered: boolean): readonly string[] {
  const also = isAnswered ? 'also ' : '';
  return [
    ...(hasView ? [`Call task_view with ${JSON.stringify({ taskId })} to show the user this question.`] : []),
    ...(link === undefined ? [] : [`The user can ${also}answer on this page, which is for this one question: ${link}`]),
    ...(link === undefined && !hasView && !isAnswered
      ? ['Another client of the same user can answer, or an operator of this server.']
      : []),
  ];
}

function fieldInWords(field: FormField): string {
  const { name, title, description, isRequired, kind, wanted, choices, default: entered } = field;
  const takes =
    kind === 'choice' ? `one of ${choicesInWords(choices)}` : kind === 'choices' ? `a list of ${choicesInWords(choices)}` : wanted;
  const parts = [
    `- ${quoted(name, MAX_DESCRIPTION)}${title === name ? '' : ` (${firstCharacters(title, MAX_DESCRIPTION)})`}: ${takes}`,
    isRequired ? 'required' : 'may be left out',
    ...(entered === undefined ? [] : [`the default is ${firstCharacters(JSON.stringify(entered), MAX_DESCRIPTION)}`]),
  ];
  return `${parts.join('; ')}.${description === undefined ? '' : ` ${quoted(description, MAX_DESCRIPTION)}`}`;
}

/** Values are never shortened, because the answer must repeat them exactly. */
function choicesInWords(choices: readonly Choice[]): string {
  const said = fitting(choices, choiceInWords, MAX_CHOICES);
  const more = choices.length - said.length;
  return [...said, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function choiceInWords({ value, title }: Choice): string {
  return `${JSON.stringify(value)}${title === value ? '' : ` (${firstCharacters(title, MAX_DESCRIPTION)})`}`;
}

/** The texts of the first items, as many as have so many characters together. */
function fitting<T>(items: readonly T[], textOf: (item: T) => string, most: number): readonly string[] {
  const texts: string[] = [];
  let characters = 0;
  for (const item of items) {
    const text = textOf(item);
    characters += text.length;
    if (characters > most) break;
    texts.push(text);
  }
  return texts;
}

function quoted(text: string, most: number): string {
  return JSON.stringify(text.length > most ? `${firstCharacters(text, most)}…` : text);
}
