/**
 * The one loop behind every request that waits for a task: `tasks/result` and a plain call of a
 * durable tool. It holds nothing that another gateway would need; when it ends, the task goes on.
 */
import type { Outcome, TaskService, TaskView } from '@longhaul/tasks';
import type { InputIds } from '../generation-2025/input-ids.js';
import { withRelatedTask } from '../generation-2025/related-task.js';
import type { Exchange } from './method.js';

/**
 * Waits for the end of a task. Meanwhile it sends each pending input once, as a request with a durable
 * id, and the progress under the token that the task was created with.
 *
 * @throws the reason of the exchange's signal when that aborts
 */
export type FollowTask = (from: TaskView, exchange: Exchange) => Promise<Outcome>;

export function createFollowTask(tasks: TaskService, inputIds: InputIds): FollowTask {
  return async (from, exchange) => {
    const { taskId, implicit, progressToken } = from;
    const relatedTask = implicit === true ? undefined : taskId;
    const asked = new Set<string>();
    let reported = Number.NEGATIVE_INFINITY;
    for await (const { view, outcome } of tasks.follow(from, exchange.signal)) {
      for (const { key, method, params } of view.pendingInputs) {
        if (asked.has(key)) continue;
        asked.add(key);
        exchange.push({ id: inputIds.idOf({ taskId, key }), method, params: withRelatedTask(params, relatedTask) });
      }
      const { progress } = view;
      if (progressToken !== undefined && progress !== undefined && progress.progress > reported) {
        reported = progress.progress;
        exchange.push({ method: 'notifications/progress', params: withRelatedTask({ progressToken, ...progress }, relatedTask) });
      }
      if (outcome !== undefined) return outcome;
    }
    throw new RangeError('A task was followed to an end that is none.');
  };
}
