/**
 * Gives a model a part of many tools, and one more tool that finds the others. A model that is sent hundreds of tools chooses badly, and its
 * context is full of them.
 *
 * What the model is given follows from the conversation: the tools that searches have found or that were called, and those that
 * fit the last question. So a replay, a fork and a later question on a thread give the same tools.
 */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { isJsonObject } from '@longhaul/tasks';
import { cutWithNote } from '@longhaul/runtime/cut-bytes';
import type { Message } from '../conversation/messages.js';
import { textOfContent } from '../conversation/tool-content.js';
import { parseJson } from '../textual-calls/json-value.js';
import { ToolIndex } from './tool-index.js';
import type { AgentTool, Toolbox, ToolRequest } from './toolbox.js';

const NAME = 'search_tools';
/** Tools that one search gives, and that are given for a question without a search. */
const MAX_FOUND = 10;
const MAX_DESCRIPTION_BYTES = 300;
const MAX_NAMED_SERVERS = 50;
/** So many later searches or calls count as much as one place in the list of a search. */
const STEPS_OF_A_PLACE = 4;

/** The tools of a run, with a search among them if they are too many. */
export class SearchedTools {
  /** All tools that may be called; the search is the first one. */
  readonly all: readonly AgentTool[];
  private readonly search: AgentTool | undefined;
  private readonly index: () => ToolIndex;

  /** @param most tools that are sent in one request */
  constructor(
    private readonly tools: readonly AgentTool[],
    private readonly most: number,
  ) {
    this.search = tools.length > most ? searchTool(tools) : undefined;
    this.all = this.search === undefined ? tools : [this.search, ...tools];
    let index: ToolIndex | undefined;
    this.index = () => (index ??= new ToolIndex(tools));
  }

  /** The tools for the next request. */
  given(conversation: readonly Message[]): readonly AgentTool[] {
    if (this.search === undefined) return this.tools;
    const question = conversation.findLast(({ role }) => role === 'user');
    const names = [...namesIn(conversation), ...this.namesFor(question === undefined ? '' : textOfContent(question.content))];
    const wanted = new Set(names.filter((name, at) => names.indexOf(name) === at && this.isTool(name)).slice(0, this.most));
    // In the order of the list: endpoints keep the beginning of a request that does not change.
    return [this.search, ...this.tools.filter(({ name }) => wanted.has(name))];
  }

  /** Whether a call is a search, which {@link answer} answers. */
  isSearch({ tool }: ToolRequest): boolean {
    return tool === this.search;
  }

  /** The result of a search. It names the tools that the next request has. */
  answer({ arguments: { query } }: ToolRequest): CallToolResult {
    const found = this.index().find(typeof query === 'string' ? query : '', Math.min(MAX_FOUND, this.most));
    const tools = found.map(({ name, server, listed: { description = '' } }) => ({
      name,
      server,
      description: cutWithNote(description, MAX_DESCRIPTION_BYTES),
    }));
    const answer =
      found.length === 0 ? { tools, note: 'No tool fits these words. Try others.' } : { tools, note: 'You can call these now.' };
    return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
  }

  private isTool(name: string): boolean {
    return this.tools.some((tool) => tool.name === name);
  }

  private namesFor(question: string): readonly string[] {
    return this.index()
      .find(question, MAX_FOUND)
      .map(({ name }) => name);
  }
}

/** Searches the tools of a toolbox, as they are at each time. */
export function searchedTools(toolbox: Pick<Toolbox, 'tools'>, most: number): () => SearchedTools {
  let last: { readonly tools: readonly AgentTool[]; readonly searched: SearchedTools } | undefined;
  return () => {
    const { tools } = toolbox;
    if (last?.tools !== tools) last = { tools, searched: new SearchedTools(tools, most) };
    return last.searched;
  };
}

function searchTool(tools: readonly AgentTool[]): AgentTool {
  let name = NAME;
  while (tools.some((tool) => tool.name === name)) name = `${name}_`;
  const servers = [...new Set(tools.map(({ server }) => server))];
  const named = servers.slice(0, MAX_NAMED_SERVERS).join(', ');
  return {
    name,
    server: 'longhaul',
    listed: {
      name,
      description: `Finds tools by what they do. There are ${tools.length}, of these servers: ${named}${servers.length > MAX_NAMED_SERVERS ? ' and others' : ''}. You see only some of them: search before you say that something cannot be done. Found tools can be called afterwards.`,
      inputSchema: {
        type: 'object',
        properties: {
          query: { type: 'string', minLength: 1, description: 'Words of what the tool does, such as "send mail", or the name of a server' },
        },
        required: ['query'],
      },
      annotations: { readOnlyHint: true },
    },
  };
}

/** The tools that a conversation has called or found: the best of late searches first. */
function namesIn(conversation: readonly Message[]): readonly string[] {
  const searches = new Set<string>();
  const steps = conversation.flatMap((message): (readonly string[])[] => {
    if (message.role === 'tool') return searches.has(message.tool_call_id) ? [namesFound(message.content)] : [];
    if (message.role !== 'assistant') return [];
    return (message.tool_calls ?? []).flatMap(({ id, function: { name } }) => {
      if (!name.startsWith(NAME)) return [[name]];
      searches.add(id);
      return [];
    });
  });
  const ranked = steps.toReversed().flatMap((names, age) => names.map((name, at) => ({ name, rank: at + age / STEPS_OF_A_PLACE })));
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ name }) => name);
}

function namesFound(content: Message['content']): readonly string[] {
  const found = parseJson(textOfContent(content));
  const tools = isJsonObject(found) ? found['tools'] : undefined;
  return Array.isArray(tools)
    ? tools.flatMap((tool) => (isJsonObject(tool) && typeof tool['name'] === 'string' ? [tool['name']] : []))
    : [];
}
