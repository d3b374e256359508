/** Provides tools that are functions of a test. */
import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type { AgentTool, Toolbox, ToolCallOptions, ToolRequest } from './toolbox.js';

export type Act = (request: ToolRequest, options: ToolCallOptions) => Promise<CallToolResult> | CallToolResult;

export interface MemoryTool extends Partial<ListedTool> {
  readonly act?: Act;
}

export interface MemoryToolbox extends Toolbox {
  /** The calls, in order. */
  readonly called: readonly ToolRequest[];
}

/** A toolbox of one server; a tool without a function says its arguments. */
export function memoryToolbox(tools: Readonly<Record<string, MemoryTool>>, server = 'test'): MemoryToolbox {
  const called: ToolRequest[] = [];
  return {
    called,
    tools: Object.entries(tools).map(([name, tool]) => toolOf(server, { name, ...listedOf(tool) })),
    call: async (request, options) => {
      called.push(request);
      const act = tools[request.tool.listed.name]?.act;
      return act === undefined ? textResult(JSON.stringify(request.arguments)) : act(request, options);
    },
  };
}

export function toolOf(server: string, listed: Partial<ListedTool> & { readonly name: string }): AgentTool {
  return { name: listed.name, server, listed: { inputSchema: { type: 'object' }, ...listed } };
}

export function textResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

function listedOf(tool: MemoryTool): Partial<ListedTool> {
  const { act: _, ...listed } = tool;
  return listed;
}
