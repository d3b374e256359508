/** Makes the tools that a tool under test may call: real ones, or what a test says in their place. */
import type { JsonObject, Workflow } from '@longhaul/tasks';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { callableTool } from '../callable-tool.js';
import { defineTool } from '../define-tool.js';
import { createFeatureRegistry } from '../feature-registry.js';
import type { DurableTool } from '../tool.js';

/** The result of a tool, or of its function; an error that it throws is what the tool throws. */
export type StubbedTool = CallToolResult | ((input: JsonObject) => CallToolResult | Promise<CallToolResult>);

/** The tools that a tool under test may call: real ones in a list, or by their names, also results in their place. */
export type CalledTools = readonly DurableTool[] | Readonly<Record<string, DurableTool | StubbedTool>>;

/** As much as workers allow by default. */
const LIMITS = { concurrentTasks: 1_000, tasksPerMinute: Number.MAX_SAFE_INTEGER, historyBytes: Number.MAX_SAFE_INTEGER };
const DAY_MS = 86_400_000;

/** What a simulation needs of them. @param tool under test, which may call itself */
export function calledTools(tool: DurableTool, given: CalledTools = []) {
  const tools = Array.isArray(given) ? (given as readonly DurableTool[]) : Object.entries(given).map(([name, each]) => named(name, each));
  const features = createFeatureRegistry([tool, ...tools.filter(({ name }) => name !== tool.name)]);
  return {
    workflows: (name: string): Workflow | undefined => features.workflow(name),
    children: { tool: (name: string) => callableTool(features, name, 7 * DAY_MS), limitsOf: () => LIMITS },
  };
}

function named(name: string, given: DurableTool | StubbedTool): DurableTool {
  if (typeof given !== 'function' && 'workflow' in given) return { ...(given as DurableTool), name };
  return defineTool({
    name,
    description: 'Stands for a tool.',
    input: { type: 'object' },
    task: 'optional',
    run: (input: JsonObject, context) => context.step('stub', async () => (typeof given === 'function' ? given(input) : given)),
  });
}
