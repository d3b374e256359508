import type { DurableContext } from '@longhaul/mcp-features';
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type { PassConnections } from './pass-connections.js';

/** What a server has said of itself when the task began. Plain JSON: it is recorded. */
export interface ListedServer {
  readonly name: string;
  /** The protocol version that is spoken with it. */
  readonly generation: string;
  readonly tools: readonly ListedTool[];
  readonly instructions?: string;
}

/** Asks each server for its tools: once in a task, so that the model is offered the same ones to its end. @throws Error that names a server which cannot be connected */
export function listServers(context: DurableContext, connections: PassConnections, names: readonly string[]): Promise<ListedServer[]> {
  return Promise.all(
    names.map((name, index) =>
      context.step(`tools of server ${index + 1}`, async () => {
        const { server } = await connections.to(name);
        const { tools, instructions, client } = server;
        // As JSON: the SDK's types have members that may be anything.
        const listed = { name, generation: client.generation, tools, ...(instructions !== undefined && { instructions }) };
        return JSON.parse(JSON.stringify(listed)) as unknown;
      }),
    ),
  ) as Promise<ListedServer[]>;
}
