/**
 * Checks an answer to a question before it is recorded. This is the only check: whichever way an answer came, a workflow gets no other
 * answers than these. An answer that does not fit changes nothing, and the question stays open.
 */
import type { InputAnswer } from './events.js';
import { isJsonObject, type JsonObject } from './json.js';
import { CommandRejected } from './rejection.js';
import { fieldKindOf, type FormValue, shortened } from './field-kind.js';

const ELICITATION = 'elicitation/create';
const ACTIONS: ReadonlySet<unknown> = new Set(['accept', 'decline', 'cancel']);

/** A request to the client, as far as its answer depends on it. */
export interface AskedQuestion {
  readonly method: string;
  readonly params: JsonObject;
}

/**
 * The answer as it is recorded: for the accepted content of a form, the meaning of its fields. In a field that may be left out, null and an
 * empty text are no value.
 *
 * @throws CommandRejected `ANSWER_DOES_NOT_FIT` with one sentence that names what does not fit
 */
export function fittingAnswer({ method, params }: AskedQuestion, answer: InputAnswer): InputAnswer {
  // A client that runs the request as a task answers with that task, and later with what is checked here.
  if ('error' in answer || method !== ELICITATION || (params['task'] !== undefined && 'task' in answer.response)) return answer;
  return { response: fittingResult(params, answer.response) };
}

function fittingResult(params: JsonObject, { action, content, ...rest }: JsonObject): JsonObject {
  if (action === undefined || !ACTIONS.has(action)) refuse('action', 'The action of an answer must be accept, decline or cancel.');
  if (action !== 'accept') return { ...rest, action };
  // A page that was opened is answered by nothing else.
  if (params['mode'] === 'url') return { ...rest, action };
  if (content !== undefined && content !== null && !isJsonObject(content))
    refuse('content', 'The content of an answer must be an object with the fields of the form.');
  const { requestedSchema } = params;
  const read = fittingContent(isJsonObject(requestedSchema) ? requestedSchema : {}, content ?? {});
  return { ...rest, action, ...(isJsonObject(content) && { content: read }) };
}

function fittingContent({ properties, required }: JsonObject, content: JsonObject): JsonObject {
  const fields = isJsonObject(properties) ? properties : {};
  const needed: ReadonlySet<unknown> = new Set(Array.isArray(required) ? required : []);
  for (const name of needed)
    if (typeof name === 'string' && (!Object.hasOwn(content, name) || content[name] === null))
      refuse(`content.${name}`, `The field ${quoted(name)} is required.`);
  const read = Object.entries(content).flatMap(([name, given]): [string, FormValue][] => {
    if (given === null || (given === '' && !needed.has(name))) return [];
    const { wanted, read: valueOf } = fieldKindOf(Object.hasOwn(fields, name) ? fields[name] : undefined);
    const value = valueOf(given);
    return value === undefined ? refuse(`content.${name}`, `The field ${quoted(name)} must be ${wanted}.`) : [[name, value]];
  });
  return Object.fromEntries(read);
}

function quoted(name: string): string {
  return JSON.stringify(shortened(name));
}

function refuse(field: string, sentence: string): never {
  throw new CommandRejected('ANSWER_DOES_NOT_FIT', sentence, shortened(field));
}
