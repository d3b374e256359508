import type { Requester } from '@longhaul/sessions/gateway';
import type { JsonObject } from '@longhaul/tasks';

/** The extension of 2026-07-28 for tasks. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** Whether the capabilities include the tasks extension. */
export function declaresTasks({ extensions }: JsonObject): boolean {
  return typeof extensions === 'object' && extensions !== null && TASKS_EXTENSION in extensions;
}

/**
 * Whether the client follows tasks by the protocol. In 2026-07-28 each request declares it. In 2025-11-25 nothing has to be declared: there
 * it is known once the client has called a tool as a task, or if it takes tasks itself.
 */
export function followsTasks(requester: Requester): boolean {
  if (requester.followsTasks === true) return true;
  const { capabilities } = requester.client();
  return requester.generation === '2026-07-28' ? declaresTasks(capabilities) : typeof capabilities['tasks'] === 'object';
}
