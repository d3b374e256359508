/** Answers the requests of servers to an agent on a terminal: to its user, to its model, and for its folders. */
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ChatModel, type ChatRequest, type Message, samplingWith } from '@longhaul/agent';
import type { Asking, Logins, ServerEvent, ServerHandlers } from '@longhaul/servers';
import type { Dialogue } from '../terminal/dialogue.js';
import { printableLine, visible } from '@longhaul/runtime/printable';
import { choose } from './choose.js';
import { answerElicitation } from './elicitation.js';

const MAX_SHOWN = 500;

/** Who answers servers. */
export interface Answering {
  readonly dialogue: Dialogue;
  readonly model: ChatModel;
  /** Absolute paths. */
  readonly roots: readonly string[];
  /** Whether requests to the model are allowed without a question. */
  readonly approvesAll: boolean;
  /** Most tokens of an answer to a server. */
  readonly maxSampledTokens: number;
  /** Where the user logs in to servers. */
  readonly logins: Logins;
}

/** Answers servers by the user of the terminal, and by the agent's own model once the user has allowed it. */
export function serverHandlers({ dialogue, model, roots, approvesAll, maxSampledTokens, logins }: Answering): ServerHandlers {
  const alwaysAllowed = new Set<string>();
  const approve = async (request: ChatRequest, { server, signal }: Asking): Promise<boolean> => {
    if (approvesAll || alwaysAllowed.has(server)) return true;
    if (!dialogue.canAsk) {
      dialogue.say(`${server} asks the model, which is not allowed: there is no terminal to ask at`);
      return false;
    }
    const word = await dialogue.questions(signal, (person) => {
      person.say(`${server} asks ${model.name}:`);
      for (const line of shown(request)) person.say(visible(line).replaceAll(/^/gm, '  '));
      return choose(person, 'Allow it?', ['yes', 'always', 'no']);
    });
    if (word === 'always') alwaysAllowed.add(server);
    return word === 'yes' || word === 'always';
  };
  return {
    elicitation: (params, { server, signal }) => answerElicitation(params, { dialogue, server, signal }),
    sampling: samplingWith({ model, approve, maxTokens: maxSampledTokens }),
    roots: () => roots.map((root) => ({ uri: pathToFileURL(root).href, name: basename(root) })),
    logLevel: 'warning',
    logins,
    report: (event) => {
      const line = lineOf(event);
      if (line !== undefined) dialogue.say(line);
    },
  };
}

/** All that the model receives. */
function shown({ messages, tools }: ChatRequest): string[] {
  return [
    ...messages.flatMap((message) => [
      `${message.role}: ${textOf(message)}`,
      ...(message.role === 'assistant' ? (message.tool_calls ?? []) : []).map(
        ({ function: { name, arguments: args } }) => `call: ${name} ${args}`,
      ),
    ]),
    ...tools.map(({ name, description = '', parameters }) => `tool: ${name} ${JSON.stringify(parameters)} ${description}`),
  ];
}

function textOf({ content }: Message): string {
  return typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '[image]')).join('\n');
}

function lineOf(event: ServerEvent): string | undefined {
  switch (event.type) {
    case 'connected':
      return `${event.server} is connected (${event.protocolVersion}, ${event.tools} tools)`;
    case 'disconnected':
      return `${event.server} is disconnected: ${event.reason}`;
    case 'list-changed':
      return `${event.server} has other ${event.list} now: ${event.entries}`;
    case 'resource-updated':
      return undefined;
    case 'log':
      return `${event.server} ${event.level}: ${printableLine(typeof event.data === 'string' ? event.data : JSON.stringify(event.data), MAX_SHOWN)}`;
    case 'warning':
      return `${event.server}: ${event.message}`;
  }
}
