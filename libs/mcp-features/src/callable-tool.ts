import type { CallableTool } from '@longhaul/tasks';
import { invalidArguments } from './define-tool.js';
import type { FeatureRegistry } from './feature-registry.js';
import { problemOfArguments } from './task-without-client.js';
import { taskTimesOf } from './task-times.js';

/**
 * The tool of that name, for tasks that call it.
 *
 * @param maxTtlMs how long an ended task is kept at most, milliseconds
 * @returns why there is none
 */
export function callableTool(features: Pick<FeatureRegistry, 'known' | 'durable'>, name: string, maxTtlMs: number): CallableTool | string {
  const known = features.known(name);
  const tool = known === undefined ? features.durable(name) : known;
  if (tool === undefined || tool.taskSupport === 'forbidden') {
    if (tool === undefined) return `There is no tool "${name}".`;
    return `Tool "${name}" answers within the request and is no task: give it task: 'optional', or call its function.`;
  }
  return {
    scopes: tool.scopes,
    complete: (input) => tool.complete?.(input) ?? input,
    problemOf(input) {
      const problem = problemOfArguments(tool, input);
      return problem === undefined ? undefined : invalidArguments(name, problem);
    },
    times: (ttlMs) => taskTimesOf(tool, ttlMs, maxTtlMs),
  };
}
