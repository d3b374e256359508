import type { FeatureRegistry } from '@longhaul/mcp-features';
import type { TaskService } from '@longhaul/tasks';
import { NO_SCOPES } from '../request-scopes.js';
import { scopedTasks, type ScopedTasks } from './scoped-tasks.js';

/** The service for callers whose tokens have no scopes. */
export function unscopedTasks(tasks: TaskService, features: FeatureRegistry): ScopedTasks {
  const require = (): never => {
    throw new Error('These callers have no scopes.');
  };
  return scopedTasks(tasks, { features, settings: NO_SCOPES, require });
}
