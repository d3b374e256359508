import type { FeatureRegistry } from '@longhaul/mcp-features';
import type { TaskService } from '@longhaul/tasks';
import type { SessionStore } from '../sessions/session.js';
import { callTool } from './call-tool.js';
import { cancelTask } from './cancel-task.js';
import type { FollowTask } from './follow-task.js';
import { getTaskResult } from './get-task-result.js';
import { getTask } from './get-task.js';
import { listTasks } from './list-tasks.js';
import { listTools } from './list-tools.js';
import type { Method } from './method.js';
import { ping } from './ping.js';
import { setLogLevel } from './set-log-level.js';

/** What the methods work on. */
export interface MethodDeps {
  readonly features: FeatureRegistry;
  readonly tasks: TaskService;
  readonly sessions: SessionStore;
  readonly follow: FollowTask;
  readonly maxTtlMs: number;
}

/** Every method of a session, by its name. `initialize` is not among them: it makes the session. */
export function methodTable({ features, tasks, sessions, follow, maxTtlMs }: MethodDeps): ReadonlyMap<string, Method> {
  const methods = [
    ping,
    setLogLevel(sessions),
    listTools(features),
    callTool({ features, tasks, follow, maxTtlMs }),
    getTask(tasks),
    getTaskResult(tasks, follow),
    listTasks(tasks),
    cancelTask(tasks),
  ];
  return new Map(methods.map((method) => [method.name, method]));
}
