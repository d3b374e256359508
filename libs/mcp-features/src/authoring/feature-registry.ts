import type { WorkflowRegistry } from '@longhaul/tasks';
import type { Tool } from './tool.js';
import { createToolListings, type ToolListings } from './tool-listings.js';

/** All features of a server, looked up by name. */
export interface FeatureRegistry {
  /** In the order in which they were defined. */
  readonly tools: readonly Tool[];
  /** The tools as `tools/list` shows them to a client. */
  readonly toolListings: ToolListings;
  tool(name: string): Tool | undefined;
  /** The workflow behind a durable tool; `undefined` for inline and unknown ones. */
  readonly workflow: WorkflowRegistry;
}

/** @throws RangeError when two features share a name */
export function createFeatureRegistry(tools: readonly Tool[]): FeatureRegistry {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  if (byName.size < tools.length) {
    const twice = tools.find((tool, index) => tools.findIndex((other) => other.name === tool.name) !== index);
    throw new RangeError(`Two tools are named "${twice?.name}".`);
  }
  return {
    tools,
    toolListings: createToolListings(tools),
    tool: (name) => byName.get(name),
    workflow: (name) => {
      const tool = byName.get(name);
      return tool === undefined || tool.taskSupport === 'forbidden' ? undefined : tool.workflow;
    },
  };
}
