/** Makes the answers of a simulated task's client: it converts the words of a test into answers of the protocol. */
import { isDeepStrictEqual } from 'node:util';
import { type InputAnswer, type JsonObject, JsonRpcCode } from '@longhaul/tasks';
import type { AnswerScript, AskedInput } from '@longhaul/tasks/simulation';
import type { CreateMessageRequestParams, CreateMessageResult, ElicitResult, Root } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import { formSchemaOf } from '../form-schema.js';

/** The user, or the model, never answers. */
export const noAnswer: unique symbol = Symbol('no answer');

/** The user fills in a form, or has been at a URL. */
export function accept(content: NonNullable<ElicitResult['content']> = {}): ElicitResult {
  return { action: 'accept', content };
}

/** The user says no. */
export const decline: ElicitResult = { action: 'decline' };

/** The user closes the question. */
export const cancel: ElicitResult = { action: 'cancel' };

/** A question to the user, as the client gets it. */
export interface Question extends JsonObject {
  readonly message: string;
}

/** A request for a message of a model, as the client gets it. */
export type SampleRequest = CreateMessageRequestParams;

/** An answer; an error when the client answers with one; `noAnswer`, or a function that says one of these. */
type Reply<Asked, Given> = Given | Error | typeof noAnswer | ((asked: Asked) => Given | Error | typeof noAnswer | Promise<Given>);

/** An answer to what fits, or to the next request. */
interface Scripted<Asked, Given, Pattern> {
  /** Its answer, as often as it is asked. Without it, it answers the next request that fits nothing else, once. */
  readonly when?: Pattern;
  readonly answer: Reply<Asked, Given>;
  /** How long it takes, milliseconds of the clock of the test. Default 0. */
  readonly afterMs?: number;
}

type Script<Asked, Given, Pattern> = Reply<Asked, Given> | readonly (Reply<Asked, Given> | Scripted<Asked, Given, Pattern>)[];

/** The user's reaction to a question: `accept({ … })`, `decline`, `cancel`. */
export type Answer = Reply<Question, ElicitResult>;

/**
 * Answers of the user: one for all questions, or a list, in the order of the questions. In a list, `{ when, answer }` answers what fits: a
 * text that the message contains, a pattern that it matches, or the schema of the form.
 */
export type Answers = Script<Question, ElicitResult, string | RegExp | z.ZodObject>;

/** The answer of a model: a text, or a whole message. */
export type Sample = Reply<SampleRequest, string | CreateMessageResult>;

/** Answers of the model, in the form of the user's answers; `when` looks at the texts of the request. */
export type Samples = Script<SampleRequest, string | CreateMessageResult, string | RegExp>;

/** Everything that a client may be asked for. */
export interface ClientScript {
  readonly answers?: Answers | undefined;
  readonly samples?: Samples | undefined;
  readonly roots?: readonly Root[] | undefined;
}

/** A script for one run, which begins at the first of its answers. @param tool as in `Tool echo` */
export function scriptOf(tool: string, { answers, samples, roots = [] }: ClientScript): AnswerScript {
  const toQuestion = replier<Question, ElicitResult, string | RegExp | z.ZodObject>(answers, fitsQuestion);
  const toSample = replier<SampleRequest, string | CreateMessageResult, string | RegExp>(samples, fitsSample);
  return async (input) => {
    switch (input.method) {
      case 'elicitation/create':
        return replyTo(tool, input, 'answers', await toQuestion(input.params as Question));
      case 'sampling/createMessage': {
        const replied = await toSample(input.params as unknown as SampleRequest);
        const given = typeof replied?.given === 'string' ? messageOf(replied.given) : replied?.given;
        return replyTo(tool, input, 'samples', replied && { ...replied, given });
      }
      case 'roots/list':
        return { answer: { response: { roots: roots as unknown as JsonObject[] } }, afterMs: 0 };
      default:
        // `ping` is answered by nothing, and no other request is sent to this client.
        return { answer: { response: {} }, afterMs: 0 };
    }
  };
}

interface Replied<Given> {
  readonly given: Given | Error | typeof noAnswer | undefined;
  readonly afterMs: number;
}

/** @returns what answers one request after the other; nothing when there is no answer left */
function replier<Asked, Given, Pattern>(
  script: Script<Asked, Given, Pattern> | undefined,
  fits: (asked: Asked, pattern: Pattern) => boolean,
): (asked: Asked) => Promise<Replied<Given> | undefined> {
  const entries = Array.isArray(script) ? (script as readonly unknown[]) : [];
  const all = entries.map((entry) => asScripted<Asked, Given, Pattern>(entry));
  const inOrder = all.filter(({ when }) => when === undefined);
  return async (asked) => {
    const always = script === undefined || Array.isArray(script) ? undefined : { answer: script as Reply<Asked, Given> };
    const found: Scripted<Asked, Given, Pattern> | undefined =
      always ?? all.find(({ when }) => when !== undefined && fits(asked, when)) ?? inOrder.shift();
    if (found === undefined) return undefined;
    const { answer, afterMs = 0 } = found;
    return { given: typeof answer === 'function' ? await (answer as (asked: Asked) => Promise<Given>)(asked) : answer, afterMs };
  };
}

function asScripted<Asked, Given, Pattern>(entry: unknown): Scripted<Asked, Given, Pattern> {
  const isScripted = typeof entry === 'object' && entry !== null && 'answer' in entry;
  return isScripted ? (entry as Scripted<Asked, Given, Pattern>) : { answer: entry as Reply<Asked, Given> };
}

function fitsQuestion({ message, requestedSchema }: Question, pattern: string | RegExp | z.ZodObject): boolean {
  if (typeof pattern === 'object' && 'safeParse' in pattern)
    return requestedSchema !== undefined && isDeepStrictEqual(asJson(requestedSchema), asJson(formSchemaOf(pattern)));
  return contains(message, pattern);
}

function fitsSample({ systemPrompt = '', messages }: SampleRequest, pattern: string | RegExp): boolean {
  const texts = messages.flatMap(({ content }) => [content].flat()).map((block) => (block.type === 'text' ? block.text : ''));
  return [systemPrompt, ...texts].some((text) => contains(text, pattern));
}

function contains(text: string, pattern: string | RegExp): boolean {
  // Not `test`, which continues from its last match if the pattern has the flag g or y.
  return typeof pattern === 'string' ? text.includes(pattern) : text.search(pattern) !== -1;
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function replyTo(tool: string, { method, params }: AskedInput, option: string, replied: Replied<object> | undefined) {
  if (replied?.given === noAnswer) return undefined;
  if (replied?.given === undefined)
    throw new TypeError(`${tool} asked ${described(method, params)}, and the test has no answer to that: add one to \`${option}\`.`);
  const { given, afterMs } = replied;
  const answer: InputAnswer = given instanceof Error ? { error: errorOf(given) } : { response: given as JsonObject };
  return { answer, afterMs };
}

function described(method: string, params: JsonObject): string {
  const text = JSON.stringify(method === 'elicitation/create' ? params['message'] : params['messages']);
  return method === 'elicitation/create' ? `its user ${text}` : `the model ${text}`;
}

function errorOf(error: Error): { readonly code: number; readonly message: string } {
  return { code: 'code' in error && typeof error.code === 'number' ? error.code : JsonRpcCode.InternalError, message: error.message };
}

function messageOf(text: string): CreateMessageResult {
  return { role: 'assistant', model: 'test', stopReason: 'endTurn', content: { type: 'text', text } };
}
