import type { DurableContext } from '@longhaul/mcp-features';
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type { PassConnections } from './pass-connections.js';

/** A server's description of itself at the beginning of the task. Plain JSON: it is recorded. */
export interface ListedServer {
  readonly name: string;
  /** The protocol version that is spoken with it. */
  readonly generation: string;
  readonly tools: readonly ListedTool[];
  readonly instructions?: string;
  /** Whether it says that it has resources. */
  readonly hasResources?: true;
}

/**
 * Asks each server for its tools, once in a task, so that the model is offered the same tools until the end. A server that cannot be
 * connected is left out, and the log of the task names it.
 *
 * @throws the error of the first server, if all connections fail
 */
export async function listServers(
  context: DurableContext,
  connections: PassConnections,
  names: readonly string[],
): Promise<ListedServer[]> {
  const outcomes = await Promise.allSettled(names.map((name, index) => listServer(context, connections, name, index)));
  const servers = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  if (failures.length > 0 && (servers.length === 0 || context.signal.aborted)) throw failures[0];
  for (const failure of failures) context.log('warning', failure instanceof Error ? failure.message : String(failure));
  return servers;
}

async function listServer(context: DurableContext, connections: PassConnections, name: string, index: number): Promise<ListedServer> {
  return (await context.step(`tools of server ${index + 1}`, async () => {
    const { server } = await connections.to(name);
    const { tools, instructions, client } = server;
    // As JSON: the SDK's types have members that may be anything.
    const listed = {
      name,
      generation: client.generation,
      tools,
      ...(instructions !== undefined && { instructions }),
      ...(server.has('resources') && { hasResources: true }),
    };
    return JSON.parse(JSON.stringify(listed)) as unknown;
  })) as ListedServer;
}
