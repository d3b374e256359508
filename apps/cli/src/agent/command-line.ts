/** Reads the arguments of `longhaul agent`. */
import { THREAD_NAME, THREAD_NAME_RULE } from '@longhaul/agent/thread-names';
import type { Given } from '../command-line/command.js';
import { UserError } from '../user-error.js';

const MOST_ROUNDS = 1_000;

/** A command line that is understood. */
export interface AgentCommandLine {
  /** Undefined when none was typed: then questions come from the terminal, or one from standard input. */
  readonly question: string | undefined;
  /** Names of the list of servers, URLs, or commands; empty for all of the list. */
  readonly servers: readonly string[];
  /** Folders that servers may work with; empty for the current one. */
  readonly roots: readonly string[];
  readonly model: string | undefined;
  readonly maxRounds: number | undefined;
  /** The conversation that is kept; undefined if none is. */
  readonly thread: ThreadOptions | undefined;
  /** Whether kept conversations are listed. */
  readonly list: boolean;
  /** Whose conversations: a caller of the deployment; undefined for the user of `longhaul stdio`. */
  readonly owner: string | undefined;
  /** The file of the schema that the answer has to fit. */
  readonly outputSchema: string | undefined;
  /** Whether standard output is one JSON object. */
  readonly json: boolean;
  /** Whether standard output is a JSON object for each event, and one for the outcome. */
  readonly streamJson: boolean;
  /** Whether text is written while it is generated, also into a pipe. */
  readonly stream: boolean;
  /** Whether every call is approved without a question. */
  readonly yes: boolean;
}

/** Which conversation is continued or begun. */
export interface ThreadOptions {
  readonly name: string | undefined;
  /** `name@number`. */
  readonly fork: string | undefined;
  readonly isLatest: boolean;
}

/** @throws UserError with exit code 2 for what is not understood */
export function agentCommandLine({ words, value, values, has }: Given): AgentCommandLine {
  const [model, maxRounds, outputSchema] = [value('model'), value('max-rounds'), value('output-schema')];
  const formats = ['json', 'stream-json', 'stream'].filter((name) => has(name));
  if (formats.length > 1) throw new UserError(`--${formats[0]} and --${formats[1]} cannot be used together`, 2);
  return {
    question: words.length === 0 ? undefined : required('QUESTION', words.join(' ').trim()),
    servers: values('server').map((server) => required('--server', server.trim())),
    roots: values('root').map((root) => required('--root', root)),
    model: model === undefined ? undefined : required('--model', model),
    maxRounds: maxRounds === undefined ? undefined : rounds(maxRounds),
    thread: threadOf(value('thread'), value('fork'), has('continue')),
    list: has('list'),
    owner: value('owner'),
    outputSchema: outputSchema === undefined ? undefined : required('--output-schema', outputSchema),
    json: has('json'),
    streamJson: has('stream-json'),
    stream: has('stream'),
    yes: has('yes'),
  };
}

function required(name: string, value: string): string {
  if (value === '') throw new UserError(`${name} is empty (see longhaul agent --help)`, 2);
  return value;
}

function threadOf(name: string | undefined, fork: string | undefined, isLatest: boolean): ThreadOptions | undefined {
  if (isLatest && (name !== undefined || fork !== undefined))
    throw new UserError('--continue takes the conversation that was used last: leave out --thread and --fork', 2);
  if (name !== undefined && !THREAD_NAME.test(name)) throw new UserError(`--thread ${name}: it ${THREAD_NAME_RULE}`, 2);
  if (fork !== undefined && !/^[^@]+@\d{1,6}$/.test(fork))
    throw new UserError(`--fork ${fork}: it must be the name of a conversation, "@", and the number of a question`, 2);
  return isLatest || name !== undefined || fork !== undefined ? { name, fork, isLatest } : undefined;
}

function rounds(text: string): number {
  const value = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > MOST_ROUNDS) throw new UserError(`--max-rounds ${text}: it must be a whole number from 1 to ${MOST_ROUNDS}`, 2);
  return value;
}
