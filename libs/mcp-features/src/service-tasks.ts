/**
 * Tasks that other programs start without being clients ("services"): the rules that hold for a starter in the store and for the operator API.
 * The record of such a task has the name of its service, and of an owner each service has idempotency keys of its own.
 */
import { rowOf, type TaskCreatedData, type TaskView } from '@longhaul/tasks';
import { omitUndefined } from './omit-undefined.js';
import { type StartOfTool, taskWithoutClient, type UnfitStart } from './task-without-client.js';
import type { DurableTool } from './tool.js';

/** Who starts the tasks of a service. It is also the owner of those that have no other. */
export function serviceNamed(name: string): string {
  return `service:${name}`;
}

/** A task that a service starts. */
export interface StartOfService extends Omit<StartOfTool, 'startedBy' | 'owner'> {
  /** By `serviceNamed`. */
  readonly service: string;
  /** @defaultValue the service */
  readonly owner?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

/** The task of a tool that a service starts, or why it cannot be. */
export function taskOfService(
  tool: DurableTool,
  { service, owner = service, idempotencyKey, ...start }: StartOfService,
): { readonly task: TaskCreatedData } | { readonly problem: UnfitStart } {
  const made = taskWithoutClient(tool, { ...start, startedBy: service, owner });
  if ('problem' in made || idempotencyKey === undefined) return made;
  return { task: { ...made.task, idempotencyKey: `${service}:${idempotencyKey}` } };
}

/** A task at one moment, as a service sees it. */
export function standingOf(view: TaskView) {
  const { taskId, tool, progress, exposed, endedAt } = view;
  return omitUndefined({
    taskId,
    tool,
    status: rowOf(view).status,
    message: view.ending?.message ?? view.statusMessage,
    progress: progress && omitUndefined({ ...progress }),
    exposed: exposed?.value,
    createdAt: new Date(view.createdAt).toISOString(),
    updatedAt: new Date(view.updatedAt).toISOString(),
    endedAt: endedAt === undefined ? undefined : new Date(endedAt).toISOString(),
  });
}
