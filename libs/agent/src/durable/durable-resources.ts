/** Reads resources and prompts of servers in a task: what was read is recorded, and is what a replay reads. */
import type { DurableContext } from '@longhaul/mcp-features';
import { limitedSignal } from '@longhaul/runtime/limited-signal';
import { failureText, type ConnectedServer } from '@longhaul/servers';
import { boundedResult, type ListedServer, MAX_RECORDED_BYTES, type PassConnections } from '@longhaul/servers/durable';
import type { ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import { promptText } from '../servers/prompt-text.js';
import { type ListedResources, mayRead, type ResourceReader } from '../servers/resource-tools.js';

/** How long a server may take. */
const MAX_MS = 60_000;

/** What was read, or why nothing was. */
type Recorded<T> = { readonly value: T } | { readonly failure: string };

/** The resources of servers that have them, and that the operator lets be read. */
export function durableResources(context: DurableContext, connections: PassConnections, servers: readonly ListedServer[]): ResourceReader {
  const readable = servers.filter(({ name, hasResources }) => hasResources === true && mayRead(connections.servers.get(name) ?? {}));
  return {
    servers: readable.map(({ name }) => name),
    list: (name) =>
      recorded<ListedResources>(context, connections, { what: 'resources', name }, async (server, signal) =>
        boundedLists(await server.list('resources', signal), await server.list('resourceTemplates', signal)),
      ),
    read: ({ server: name, uri }) =>
      recorded<ReadResourceResult>(context, connections, { what: 'resource', name }, async (server, signal) =>
        boundedContents(await server.readResource(uri, signal)),
      ),
  };
}

/** The text of a prompt of a server, filled in. */
export function durablePrompt(
  context: DurableContext,
  connections: PassConnections,
  {
    server: name,
    name: prompt,
    arguments: args = {},
  }: { readonly server: string; readonly name: string; readonly arguments?: Readonly<Record<string, string>> | undefined },
): Promise<string> {
  return recorded(context, connections, { what: 'prompt', name }, async (server, signal) =>
    promptText(await server.getPrompt(prompt, args, signal)),
  );
}

/** @throws Error with what the server says, also in a replay */
async function recorded<T>(
  context: DurableContext,
  connections: PassConnections,
  { what, name }: { readonly what: string; readonly name: string },
  read: (server: ConnectedServer, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const outcome = (await context.step<unknown>(`${what} of ${name}`, async (step): Promise<Recorded<T>> => {
    const limited = limitedSignal(step.signal, MAX_MS);
    let server: ConnectedServer | undefined;
    try {
      ({ server } = await connections.to(name));
      // As JSON: the SDK's types have members that may be anything.
      return { value: JSON.parse(JSON.stringify(await read(server, limited.signal))) as T };
    } catch (error) {
      step.signal.throwIfAborted();
      if (limited.isOver) return { failure: `The server "${name}" has not answered within ${MAX_MS} ms.` };
      return { failure: server === undefined ? (error as Error).message : failureText(error, server) };
    } finally {
      limited.clear();
    }
  })) as Recorded<T>;
  if ('failure' in outcome) throw new Error(outcome.failure);
  return outcome.value;
}

/** As many entries as can be recorded. */
function boundedLists(resources: ListedResources['resources'], resourceTemplates: ListedResources['resourceTemplates']): ListedResources {
  let leftBytes = MAX_RECORDED_BYTES;
  const fits = (entry: object): boolean => (leftBytes -= Buffer.byteLength(JSON.stringify(entry))) > 0;
  return { resources: resources.filter(fits), resourceTemplates: resourceTemplates.filter(fits) };
}

function boundedContents({ contents }: ReadResourceResult): ReadResourceResult {
  const bounded = boundedResult({ content: contents.map((resource) => ({ type: 'resource', resource })) });
  return {
    contents: bounded.content.map((block) =>
      block.type === 'resource' ? block.resource : { uri: 'note:', text: block.type === 'text' ? block.text : '' },
    ),
  };
}
