import type { CallableTool } from '@longhaul/tasks';
import { invalidArguments } from './define-tool.js';
import type { FeatureRegistry } from './feature-registry.js';
import { taskTimesOf } from './task-times.js';

/**
 * The tool of that name, for tasks that call it.
 *
 * @param maxTtlMs how long an ended task is kept at most, milliseconds
 * @returns why there is none
 */
export function callableTool(features: Pick<FeatureRegistry, 'tool' | 'durable'>, name: string, maxTtlMs: number): CallableTool | string {
  const tool = features.durable(name);
  if (tool === undefined) {
    if (features.tool(name) === undefined) return `There is no tool "${name}".`;
    return `Tool "${name}" answers within the request and is no task: give it task: 'optional', or call its function.`;
  }
  return {
    scopes: tool.scopes,
    problemOf(input) {
      const checked = tool.check(input);
      return checked.ok ? undefined : invalidArguments(name, checked.message);
    },
    times: (ttlMs) => taskTimesOf(tool, ttlMs, maxTtlMs),
  };
}
