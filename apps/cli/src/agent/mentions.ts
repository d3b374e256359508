/**
 * Reads what a question names of servers: resources as `@server:uri`, and a prompt as `/name` at its beginning. Other text with such signs,
 * such as an address of mail or a path, stays text.
 */
import { MAX_RESOURCES, type OpenServers, type ResourceReference, type ServerPrompt } from '@longhaul/agent';
import { printableLine } from '@longhaul/runtime/printable';
import { UserError } from '../user-error.js';
import { splitWords } from './servers/split-words.js';

const MAX_SHOWN = 100;
const MAX_LISTED = 50;

/** A question as the agent is asked it. */
export interface Question {
  readonly prompt: string;
  readonly resources: readonly ResourceReference[];
}

/** The servers that a question may name. */
export type Mentionable = Pick<OpenServers, 'withResources' | 'prompts' | 'promptText'>;

/** @throws UserError for a prompt that there is not, or that lacks an argument; the reason of the signal */
export async function questionOf(text: string, servers: Mentionable, signal: AbortSignal): Promise<Question> {
  const prompt = await filledIn(text, servers, signal);
  const resources = mentioned(text, servers.withResources);
  if (resources.length > MAX_RESOURCES)
    throw new UserError(`a question may name at most ${MAX_RESOURCES} resources, and this one has ${resources.length}`);
  return { prompt, resources };
}

function mentioned(text: string, servers: readonly string[]): readonly ResourceReference[] {
  const found = [...text.matchAll(/(?<=^|[\s("'=])@([^\s:@]+):(\S+)/g)].flatMap(([, server = '', uri = '']) =>
    servers.includes(server) ? [{ server, uri: uri.replace(/[.,;!?)\]}"']+$/, '') }] : [],
  );
  return found.filter(({ server, uri }, at) => found.findIndex((each) => each.server === server && each.uri === uri) === at);
}

async function filledIn(text: string, servers: Mentionable, signal: AbortSignal): Promise<string> {
  const [, name, rest = ''] = /^\/([\w.:-]+)(?:\s+([^]*))?$/.exec(text.trim()) ?? [];
  if (name === undefined) return text;
  const prompts = await servers.prompts(signal);
  const found = prompts.filter((each) => each.name === name || `${each.server}:${each.name}` === name);
  const [prompt] = found;
  if (prompt === undefined) {
    if (prompts.length === 0) return text;
    throw new UserError(`there is no prompt /${name}. ${listed(prompts)}`);
  }
  if (found.length > 1)
    throw new UserError(`several servers have a prompt /${name}: say ${found.map(({ server }) => `/${server}:${name}`).join(' or ')}`);
  return servers.promptText(prompt, argumentsOf(prompt, rest), signal).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new UserError(`/${name}: ${printableLine(error instanceof Error ? error.message : String(error), 1_000)}`);
  });
}

/** `name=value`, and the other words for the first argument without a value. */
function argumentsOf(prompt: ServerPrompt, rest: string): Readonly<Record<string, string>> {
  const words = splitWords(rest);
  if (words === undefined) throw new UserError(`/${prompt.name}: a quote or a backslash is left open`);
  const args = new Map<string, string>();
  const others: string[] = [];
  for (const word of words) {
    const [, name = '', value = ''] = /^([^=]+)=([^]*)$/.exec(word) ?? [];
    if (prompt.arguments.some((argument) => argument.name === name)) args.set(name, value);
    else others.push(word);
  }
  const open = prompt.arguments.filter(({ name }) => !args.has(name));
  const first = open.find(({ required }) => required === true) ?? open[0];
  if (others.length > 0 && first === undefined) throw new UserError(`/${prompt.name} takes no ${JSON.stringify(others.join(' '))}`);
  if (others.length > 0 && first !== undefined) args.set(first.name, others.join(' '));
  const missing = prompt.arguments.filter(({ name, required }) => required === true && !args.has(name));
  if (missing.length > 0) throw new UserError(`/${prompt.name} needs ${missing.map(({ name }) => `${name}=…`).join(' ')}`);
  return Object.fromEntries(args);
}

function listed(prompts: readonly ServerPrompt[]): string {
  const names = prompts.slice(0, MAX_LISTED).map(({ name, arguments: args, description = '' }) => {
    const said = [`/${name}`, ...args.map((argument) => (argument.required === true ? `${argument.name}=…` : `[${argument.name}=…]`))];
    return printableLine(`${said.join(' ')}${description === '' ? '' : ` (${description})`}`, MAX_SHOWN);
  });
  return `The prompts are: ${names.join(', ')}${prompts.length > MAX_LISTED ? ' and others' : ''}.`;
}
