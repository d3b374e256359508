/** Runs several functions behind the one tool of an engine, which call each other. */
import type { JsonObject, TaskContext, TaskId, TaskView } from '@longhaul/tasks';
import { Engine } from './engine.js';

/** One of them. */
export type Member = (context: TaskContext, args: JsonObject) => Promise<unknown>;

/** An engine with several functions behind its tool: the argument `as` says which. A task without it is the parent. */
export function familyOf(members: Readonly<Record<string, Member>>, change?: ConstructorParameters<typeof Engine>[1]): Engine {
  return new Engine(async (context, { as = 'parent', ...args }) => members[as as string]?.(context, args), change);
}

/** Calls a member. */
export function call(context: TaskContext, as: string, more: JsonObject = {}, options = {}) {
  return context.call('tool', { as, ...more }, options);
}

/** The value that a member returns. */
export async function valueOf(context: TaskContext, as: string, more: JsonObject = {}): Promise<unknown> {
  return (await call(context, as, more))['value'];
}

/** What a call has thrown, as its author sees it. */
export function thrown(calls: Promise<unknown>): Promise<unknown> {
  return calls.then(
    () => 'nothing',
    ({ code, data }: { readonly code: string; readonly data: unknown }) => ({ code, data }),
  );
}

/** The tasks that a task has started, in their order. */
export async function childrenOf(engine: Engine, parent: TaskId): Promise<TaskId[]> {
  return (await engine.events(parent)).flatMap((event) => (event.type === 'ChildStarted' ? [event.data.taskId as TaskId] : []));
}

/** Delivers what is due first, until the task has ended. */
export async function toEnd(engine: Engine, task: TaskId): Promise<void> {
  while ((await engine.outcome(task)) === undefined) {
    engine.jobs.sort((left, right) => left.dueAt - right.dueAt);
    await engine.deliver();
  }
}

/** The view of a task. */
export async function viewOf(engine: Engine, taskId: TaskId): Promise<TaskView | undefined> {
  return (await engine.store.events.views([taskId], 'operator'))[0];
}
