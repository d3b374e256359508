import type { Generation } from '@longhaul/tasks';

/** The revision. */
export const GENERATION = '2026-07-28' satisfies Generation;

/** The extension for tasks. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** Whether the capabilities include the tasks extension. */
export function declaresTasks(capabilities: unknown): boolean {
  const { extensions } = (capabilities ?? {}) as { readonly extensions?: unknown };
  return typeof extensions === 'object' && extensions !== null && TASKS_EXTENSION in extensions;
}
