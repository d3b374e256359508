/**
 * Gives a model the resources of servers by two tools of the agent, `list_resources` and `read_resource`. What a resource has comes as the
 * result of a call, so it is bounded, and shown to the model, as any other result.
 */
import type { JsonObject } from '@longhaul/tasks';
import { isAllowed, type ServerConfig } from '@longhaul/servers';
import { cutWithNote } from '@longhaul/runtime/cut-bytes';
import type {
  CallToolResult,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  Tool as ListedTool,
} from '@modelcontextprotocol/sdk/types.js';
import type { ToolCall } from '../conversation/messages.js';
import { aboutServers, type AgentTool, serverOf, type Toolbox, type ToolCallOptions } from '../tools/toolbox.js';

const LIST_RESOURCES = 'list_resources';
const READ_RESOURCE = 'read_resource';

/** Entries of one list that the model is shown, and bytes of a text in them. */
const MAX_LISTED = 100;
const MAX_TEXT_BYTES = 300;

/** Resources that are given with one question. */
export const MAX_RESOURCES = 20;

const READERS = new WeakSet<ListedTool>();

/** A resource of a server. */
export interface ResourceReference {
  readonly server: string;
  readonly uri: string;
}

/** Reads `SERVER:URI`. */
export function referenceOf(text: string): ResourceReference {
  const at = text.indexOf(':');
  return { server: text.slice(0, at), uri: text.slice(at + 1) };
}

/** What a server lists. */
export interface ListedResources {
  readonly resources: readonly Resource[];
  readonly resourceTemplates: readonly ResourceTemplate[];
}

/** Reads from servers; in a task, what is read is recorded. */
export interface ResourceReader {
  /** Those with resources that may be used. */
  readonly servers: readonly string[];
  list(server: string, options: ToolCallOptions): Promise<ListedResources>;
  read(reference: ResourceReference, options: ToolCallOptions): Promise<ReadResourceResult>;
}

/** Whether resources of a server may be read: the tools that may be used are those of the agent too. */
export function mayRead(config: Pick<ServerConfig, 'tools' | 'deny'>): boolean {
  return isAllowed(READ_RESOURCE, config);
}

/** A name for the server of the agent's own tools that no other server has. */
export function ownServerName(others: readonly string[]): string {
  let name = 'longhaul';
  while (others.includes(name)) name = `${name}_`;
  return name;
}

/** The two tools; none where no server has resources. */
export function resourceTools(servers: readonly string[]): readonly ListedTool[] {
  if (servers.length === 0) return [];
  const server = { type: 'string', enum: [...servers], description: 'The server that has it' };
  const annotations = { readOnlyHint: true };
  const read = aboutServers({
    name: READ_RESOURCE,
    description: 'Reads a resource of a server, such as a file or a record, by its URI.',
    inputSchema: {
      type: 'object',
      properties: { server, uri: { type: 'string', minLength: 1, maxLength: 8192 } },
      required: ['server', 'uri'],
    },
    annotations,
  });
  READERS.add(read);
  const filter = { type: 'string', description: 'Only those with this text in the URI, the name or the description' };
  const list = aboutServers({
    name: LIST_RESOURCES,
    description: `Lists the resources of a server, and templates of URIs, to be read by ${READ_RESOURCE}.`,
    inputSchema: { type: 'object', properties: { server, filter }, required: ['server'] },
    annotations,
  });
  return [list, read];
}

/** Calls the two tools. */
export async function callResourceTool(
  reader: ResourceReader,
  request: Parameters<Toolbox['call']>[0],
  options: ToolCallOptions,
): Promise<CallToolResult> {
  const server = serverOf(request);
  const { uri, filter } = request.arguments;
  if (!READERS.has(request.tool.listed)) return listing(await reader.list(server, options), typeof filter === 'string' ? filter : '');
  const { contents } = await reader.read({ server, uri: uri as string }, options);
  return { content: contents.map((resource) => ({ type: 'resource', resource })) };
}

/** The calls of the user for resources: as the model would make them. */
export function readCalls(resources: readonly ResourceReference[], tools: readonly AgentTool[]): readonly ToolCall[] {
  const name = tools.find(({ listed }) => READERS.has(listed))?.name ?? READ_RESOURCE;
  return resources.map(({ server, uri }) => ({ id: '', type: 'function', function: { name, arguments: JSON.stringify({ server, uri }) } }));
}

function listing({ resources, resourceTemplates }: ListedResources, filter: string): CallToolResult {
  const fits = (entry: object): boolean => JSON.stringify(entry).toLowerCase().includes(JSON.stringify(filter).slice(1, -1).toLowerCase());
  const shown = (entries: readonly (Resource | ResourceTemplate)[]): readonly JsonObject[] => entries.map(entryShown).filter(fits);
  const [all, templates] = [shown(resources), shown(resourceTemplates)];
  const leftOut = Math.max(0, all.length - MAX_LISTED) + Math.max(0, templates.length - MAX_LISTED);
  const answer = {
    resources: all.slice(0, MAX_LISTED),
    ...(templates.length > 0 && { templates: templates.slice(0, MAX_LISTED) }),
    ...(leftOut > 0 && { note: `${leftOut} more are left out: use a filter.` }),
  };
  return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
}

function entryShown(entry: Resource | ResourceTemplate): JsonObject {
  const { name, title, description, mimeType } = entry;
  return {
    ...('uri' in entry ? { uri: entry.uri } : { uriTemplate: entry.uriTemplate }),
    name: cutWithNote(title ?? name, MAX_TEXT_BYTES),
    ...(description !== undefined && { description: cutWithNote(description, MAX_TEXT_BYTES) }),
    ...(mimeType !== undefined && { mimeType }),
  };
}
