/**
 * Tasks, as far as the caller's token allows: what is asked of a tool is asked of everything about its tasks too, and what a method
 * needs that answers, cancels or reads one is asked of that, whichever way the caller comes. The caller that owns
 * a task may know that it is there, so it is refused by name and not as if there were none. Every way to a task of a caller leads
 * through here: methods, streams, resumption, answers.
 */
import type { FeatureRegistry } from '@longhaul/mcp-features';
import { type AnswerDoor, TaskError, type TaskPage, type TaskService, type TaskSnapshot, type TaskView } from '@longhaul/tasks';
import type { TaskCaller } from '../caller.js';
import type { MethodName } from '../methods.js';
import { scopesOfMethod, type ScopeSettings } from '../request-scopes.js';
import { holdsScopes, type RequireScopes } from '../scopes.js';

/** The methods of tasks that a caller uses. */
export interface CallerTasks {
  /** @param method what it is read for, where that has scopes of its own */
  get(taskId: string, caller: TaskCaller, method?: MethodName): Promise<TaskView>;
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

/** What is asked of the callers of tasks. */
export interface TaskScopes {
  /** What is asked of their tools is asked of the tasks. */
  readonly features: FeatureRegistry;
  /** What methods need. It is asked of what they do, so that no other way to that can be forgotten. */
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
  /** A task that is not there is the method's to say. */
  const requireTask = async (taskId: string, caller: TaskCaller, method: MethodName): Promise<void> => {
    if (caller.auth?.scopes === undefined) return;
    const snapshot = await ifThere(() => tasks.getOfCall(taskId, caller));
    check(caller, method, snapshot?.view);
  };
  return {
    ...tasks,
    get: async (taskId, caller, method) => checked(await tasks.get(taskId, caller), caller, method),
    getWithOutcome: async (taskId, caller) => checked(await tasks.getWithOutcome(taskId, caller), caller, 'tasks/get'),
    getOfCall: async (taskId, caller) => checked(await tasks.getOfCall(taskId, caller), caller),
    async list(caller, cursor) {
      const { tasks: found, ...page } = await tasks.list(caller, cursor);
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
