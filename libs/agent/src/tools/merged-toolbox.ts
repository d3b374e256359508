import { nameTools } from './tool-names.js';
import type { AgentTool, Toolbox } from './toolbox.js';

/**
 * Merges several toolboxes into one. Each tool gets a unique name.
 *
 * @throws RangeError, when its tools are read, if two of them have a server of the same name
 */
export function mergedToolbox(toolboxes: readonly Toolbox[]): Toolbox {
  const merge = lastOf((lists: readonly (readonly AgentTool[])[]) => mergedTools(lists, toolboxes));
  const merged = (): Merged => merge(toolboxes.map(({ tools }) => tools));
  return {
    get tools() {
      return merged().tools;
    },
    call: async (request, options) => {
      const origin = merged().origins.get(keyOf(request.tool.server, request.tool.listed.name));
      if (origin === undefined) throw new Error(`The tool ${request.tool.name} is no longer there.`);
      return origin.toolbox.call({ ...request, tool: origin.tool }, options);
    },
  };
}

interface Merged {
  readonly tools: readonly AgentTool[];
  /** Where a tool comes from, and what it is called there. */
  readonly origins: ReadonlyMap<string, { readonly toolbox: Toolbox; readonly tool: AgentTool }>;
}

function mergedTools(lists: readonly (readonly AgentTool[])[], toolboxes: readonly Toolbox[]): Merged {
  const byServer = new Map<string, { readonly toolbox: Toolbox; readonly tools: AgentTool[] }>();
  const origins = new Map<string, { readonly toolbox: Toolbox; readonly tool: AgentTool }>();
  for (const [index, toolbox] of toolboxes.entries()) {
    for (const tool of lists[index] ?? []) {
      const server = byServer.get(tool.server) ?? { toolbox, tools: [] };
      if (server.toolbox !== toolbox) throw new RangeError(`Two servers have the name "${tool.server}": give one of them another name.`);
      server.tools.push(tool);
      byServer.set(tool.server, server);
      origins.set(keyOf(tool.server, tool.listed.name), { toolbox, tool });
    }
  }
  const servers = [...byServer].map(([server, { tools }]) => ({ server, tools: tools.map(({ listed }) => listed) }));
  return { tools: nameTools(servers), origins };
}

function keyOf(server: string, tool: string): string {
  return JSON.stringify([server, tool]);
}

/** Remembers the result for the last lists: a toolbox gives the same list until its tools change. */
function lastOf(make: (lists: readonly (readonly AgentTool[])[]) => Merged): typeof make {
  let last: { readonly lists: readonly (readonly AgentTool[])[]; readonly made: Merged } | undefined;
  return (lists) => {
    const isSame = last?.lists.length === lists.length && last.lists.every((list, index) => list === lists[index]);
    if (last === undefined || !isSame) last = { lists, made: make(lists) };
    return last.made;
  };
}
