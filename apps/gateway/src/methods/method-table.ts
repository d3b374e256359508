import type { FeatureRegistry } from '@longhaul/mcp-features';
import type { SessionState } from '@longhaul/sessions';
import type { TaskService } from '@longhaul/tasks';
import type { ContextOf } from '../context/request-context.js';
import { canComplete } from '../server-info.js';
import type { SessionStore } from '../sessions/session.js';
import { callTool } from './call-tool.js';
import { cancelTask } from './cancel-task.js';
import { complete } from './complete.js';
import type { FollowTask } from './follow-task.js';
import { getPrompt } from './get-prompt.js';
import { getTaskResult } from './get-task-result.js';
import { getTask } from './get-task.js';
import { listPrompts } from './list-prompts.js';
import { listResourceTemplates } from './list-resource-templates.js';
import { listResources } from './list-resources.js';
import { listTasks } from './list-tasks.js';
import { listTools } from './list-tools.js';
import type { Method } from './method.js';
import { ping } from './ping.js';
import { readResource } from './read-resource.js';
import { setLogLevel } from './set-log-level.js';
import { shutDownNothing, shutDownSession } from './shut-down.js';
import { subscribe, unsubscribe } from './subscribe.js';

/** What the methods work on. */
export interface MethodDeps {
  readonly features: FeatureRegistry;
  readonly tasks: TaskService;
  readonly sessions: SessionStore;
  readonly sessionState: SessionState;
  readonly contextOf: ContextOf;
  readonly follow: FollowTask;
  readonly maxTtlMs: number;
  /** Entries of a page of a list. */
  readonly pageSize: number;
  /** Whether there are no sessions, and so nothing that is about one. */
  readonly isStateless: boolean;
}

/**
 * Every method of a session, by its name, as far as there are features for it. `initialize` is not among
 * them: it makes the session.
 */
export function methodTable(deps: MethodDeps): ReadonlyMap<string, Method> {
  const { features, tasks, sessions, contextOf, follow, pageSize, isStateless } = deps;
  const ofSessions = [setLogLevel(sessions), shutDownSession(sessions), listTasks(tasks)];
  const methods = [
    ping,
    ...(isStateless ? [shutDownNothing] : ofSessions),
    listTools(features, pageSize),
    callTool(deps),
    ...promptMethods(deps),
    ...resourceMethods(deps),
    ...(canComplete(features) ? [complete(features, contextOf)] : []),
    getTask(tasks),
    getTaskResult(tasks, follow),
    cancelTask(tasks),
  ];
  return new Map(methods.map((method) => [method.name, method]));
}

function promptMethods({ features, contextOf, pageSize }: MethodDeps): readonly Method[] {
  return features.prompts.length === 0 ? [] : [listPrompts(features, pageSize), getPrompt(features, contextOf)];
}

function resourceMethods({ features, sessionState, contextOf, pageSize, isStateless }: MethodDeps): readonly Method[] {
  if (features.resources.length + features.resourceTemplates.length === 0) return [];
  return [
    listResources(features, contextOf, pageSize),
    listResourceTemplates(features, pageSize),
    readResource(features, contextOf),
    ...(isStateless ? [] : [subscribe(sessionState), unsubscribe(sessionState)]),
  ];
}
