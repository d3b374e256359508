/**
 * Tasks, as far as the caller's token allows: what is asked of a tool is asked of everything about its tasks too. The caller that owns
 * a task may know that it is there, so it is refused by name and not as if there were none. Every way to a task of a caller leads
 * through here: methods, streams, resumption, answers.
 */
import type { FeatureRegistry } from '@longhaul/mcp-features';
import { type AnswerDoor, TaskError, type TaskPage, type TaskService, type TaskSnapshot, type TaskView } from '@longhaul/tasks';
import type { TaskCaller } from '../caller.js';
import { holdsScopes, type RequireScopes } from '../scopes.js';

/** The methods of tasks that a caller uses. */
export interface CallerTasks {
  get(taskId: string, caller: TaskCaller): Promise<TaskView>;
  getWithOutcome(taskId: string, caller: TaskCaller): Promise<TaskSnapshot>;
  getOfCall(taskId: string, caller: TaskCaller): Promise<TaskSnapshot>;
  list(caller: TaskCaller, cursor?: string): Promise<TaskPage>;
  cancel(taskId: string, caller: TaskCaller, reason?: string): Promise<TaskView>;
  provideInput(
    taskId: string,
    key: string,
    answer: Parameters<TaskService['provideInput']>[2],
    caller: TaskCaller,
    door: AnswerDoor,
  ): Promise<boolean>;
}

/** The service as methods and streams use it. Each of a caller's methods also throws a Refusal 403; a list leaves tasks out. */
export type ScopedTasks = Omit<TaskService, keyof CallerTasks> & CallerTasks;

/** What the tools of an owner's tasks need. */
export type ScopesOfTasks = (taskIds: readonly string[], owner: string) => Promise<readonly string[]>;

/** What a task asks of tokens: what its tool asked for when it was called, and what it asks for here, if it is known here. */
function scopesOf(features: FeatureRegistry, { tool, scopes }: Pick<TaskView, 'tool' | 'scopes'>): readonly string[] {
  const here = features.tool(tool)?.scopes ?? [];
  return scopes === undefined ? here : [...new Set([...scopes, ...here])];
}

/** For refusals that name all that an operation needs. Tasks that are not there need nothing. */
export function createScopesOfTasks(tasks: Pick<TaskService, 'getOfCall'>, features: FeatureRegistry): ScopesOfTasks {
  return async (taskIds, owner) => {
    const found = await Promise.all(taskIds.map((taskId) => ifThere(() => tasks.getOfCall(taskId, { owner }))));
    return found.flatMap((snapshot) => (snapshot === undefined ? [] : scopesOf(features, snapshot.view)));
  };
}

/** What was read of a task; nothing when the task is not there. */
export async function ifThere<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof TaskError && error.code === 'TASK_NOT_FOUND') return undefined;
    throw error;
  }
}

/** @param features what is asked of their tools is asked of the tasks */
export function scopedTasks(tasks: TaskService, features: FeatureRegistry, require: RequireScopes): ScopedTasks {
  const checked = <Found extends TaskView | TaskSnapshot>(found: Found, { auth, neededScopes = [] }: TaskCaller): Found => {
    if (auth?.scopes === undefined) return found;
    const ofTool = scopesOf(features, 'view' in found ? found.view : found);
    if (!holdsScopes(auth, ofTool)) require(auth, [...new Set([...neededScopes, ...ofTool])]);
    return found;
  };
  /** A task that is not there is the method's to say. */
  const requireTask = async (taskId: string, caller: TaskCaller): Promise<void> => {
    if (caller.auth?.scopes === undefined) return;
    const snapshot = await ifThere(() => tasks.getOfCall(taskId, caller));
    if (snapshot !== undefined) checked(snapshot, caller);
  };
  return {
    ...tasks,
    get: async (taskId, caller) => checked(await tasks.get(taskId, caller), caller),
    getWithOutcome: async (taskId, caller) => checked(await tasks.getWithOutcome(taskId, caller), caller),
    getOfCall: async (taskId, caller) => checked(await tasks.getOfCall(taskId, caller), caller),
    async list(caller, cursor) {
      const { tasks: found, ...page } = await tasks.list(caller, cursor);
      return { ...page, tasks: found.filter((view) => holdsScopes(caller.auth, scopesOf(features, view))) };
    },
    async cancel(taskId, caller, reason) {
      await requireTask(taskId, caller);
      return tasks.cancel(taskId, caller, reason);
    },
    async provideInput(taskId, key, answer, caller, door) {
      await requireTask(taskId, caller);
      return tasks.provideInput(taskId, key, answer, caller, door);
    },
  };
}
