/**
 * Limits tasks to what the caller's token allows. Everything about a task needs the scopes of its tool; answering, cancelling or reading it
 * also needs the scopes of that method, however the caller reaches it. The caller that owns a task may know that it exists, so it is
 * refused by scope and not as if the task were missing. Methods, streams, resumption and answers all reach a caller's task only through
 * this module.
 */
import type { FeatureRegistry } from '@longhaul/mcp-features';
import {
  type AnswerDoor,
  type Generation,
  type ListOptions,
  TaskError,
  type TaskPage,
  type TaskService,
  type TaskSnapshot,
  type TaskView,
} from '@longhaul/tasks';
import type { TaskCaller } from '../caller.js';
import type { MethodName } from '../methods.js';
import { scopesOfMethod, type ScopeSettings } from '../request-scopes.js';
import { holdsScopes, type RequireScopes } from '../scopes.js';

/** The method that reads a result. What else gives one to a caller needs the scopes of it too. */
export const READS_RESULT: Readonly<Record<Generation, MethodName>> = { '2025-11-25': 'tasks/result', '2026-07-28': 'tasks/get' };

/** The methods of tasks that a caller uses. */
export interface CallerTasks {
  /** Asks for the scopes of a method that something else stands in for. */
  requireMethod(method: MethodName, caller: TaskCaller): void;
  /** @param method that reads it, if the method has scopes of its own */
  get(taskId: string, caller: TaskCaller, method?: MethodName): Promise<TaskView>;
  getWithOutcome(taskId: string, caller: TaskCaller): Promise<TaskSnapshot>;
  getOfCall(taskId: string, caller: TaskCaller): Promise<TaskSnapshot>;
  list(caller: TaskCaller, options?: ListOptions): Promise<TaskPage>;
  cancel(taskId: string, caller: TaskCaller, reason?: string): Promise<TaskView>;
  provideInput(
    taskId: string,
    key: string,
    answer: Parameters<TaskService['provideInput']>[2],
    caller: TaskCaller,
    door: AnswerDoor,
  ): Promise<boolean>;
}

/** The service in the form that methods and streams use. Each of a caller's methods also throws a Refusal 403; a list leaves tasks out. */
export type ScopedTasks = Omit<TaskService, keyof CallerTasks> & CallerTasks;

/** The scopes that the tools of an owner's tasks need. */
export type ScopesOfTasks = (taskIds: readonly string[], owner: string) => Promise<readonly string[]>;

/** The scopes of a task: the scopes of its tool when it was called, and its present scopes here, if the tool is known here. */
function scopesOf(features: FeatureRegistry, { tool, scopes }: Pick<TaskView, 'tool' | 'scopes'>): readonly string[] {
  const here = features.tool(tool)?.scopes ?? [];
  return scopes === undefined ? here : [...new Set([...scopes, ...here])];
}

/** For refusals that name all scopes of an operation. Missing tasks need no scopes. */
export function createScopesOfTasks(tasks: Pick<TaskService, 'getOfCall'>, features: FeatureRegistry): ScopesOfTasks {
  return async (taskIds, owner) => {
    const found = await Promise.all(taskIds.map((taskId) => ifThere(() => tasks.getOfCall(taskId, { owner }))));
    return found.flatMap((snapshot) => (snapshot === undefined ? [] : scopesOf(features, snapshot.view)));
  };
}

/** The result of reading a task; nothing when the task does not exist. */
export async function ifThere<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof TaskError && error.code === 'TASK_NOT_FOUND') return undefined;
    throw error;
  }
}

/** The scopes that callers of tasks need. */
export interface TaskScopes {
  /** Tasks need the scopes of their tools. */
  readonly features: FeatureRegistry;
  /** The scopes of methods. They are checked here, in what methods do, so that every path is covered. */
  readonly settings: Pick<ScopeSettings, 'methods'>;
  readonly require: RequireScopes;
}

export function scopedTasks(tasks: TaskService, { features, settings, require }: TaskScopes): ScopedTasks {
  const check = ({ auth, neededScopes = [] }: TaskCaller, method: MethodName | undefined, view?: TaskView): void => {
    if (auth?.scopes === undefined) return;
    const ofMethod = method === undefined ? [] : scopesOfMethod(settings, method);
    const needed = view === undefined ? ofMethod : [...ofMethod, ...scopesOf(features, view)];
    if (!holdsScopes(auth, needed)) require(auth, [...new Set([...neededScopes, ...needed])]);
  };
  const checked = <Found extends TaskView | TaskSnapshot>(found: Found, caller: TaskCaller, method?: MethodName): Found => {
    check(caller, method, 'view' in found ? found.view : found);
    return found;
  };
  /** If a task does not exist, the method reports it. */
  const requireTask = async (taskId: string, caller: TaskCaller, method: MethodName): Promise<void> => {
    if (caller.auth?.scopes === undefined) return;
    const snapshot = await ifThere(() => tasks.getOfCall(taskId, caller));
    check(caller, method, snapshot?.view);
  };
  return {
    ...tasks,
    requireMethod: (method, caller) => check(caller, method),
    get: async (taskId, caller, method) => checked(await tasks.get(taskId, caller), caller, method),
    getWithOutcome: async (taskId, caller) => checked(await tasks.getWithOutcome(taskId, caller), caller, 'tasks/get'),
    getOfCall: async (taskId, caller) => checked(await tasks.getOfCall(taskId, caller), caller),
    async list(caller, options) {
      const { tasks: found, ...page } = await tasks.list(caller, options);
      return { ...page, tasks: found.filter((view) => holdsScopes(caller.auth, scopesOf(features, view))) };
    },
    async cancel(taskId, caller, reason) {
      await requireTask(taskId, caller, 'tasks/cancel');
      return tasks.cancel(taskId, caller, reason);
    },
    async provideInput(taskId, key, answer, caller, door) {
      await requireTask(taskId, caller, 'tasks/update');
      return tasks.provideInput(taskId, key, answer, caller, door);
    },
  };
}
