/**
 * The one loop behind every request that waits for a task: `tasks/result` and a plain call of a
 * durable tool. It holds nothing that another gateway would need; when it ends, the task goes on.
 */
import type { Outcome, TaskService, TaskView } from '@longhaul/tasks';
import type { InputIds } from '../generation-2025/input-ids.js';
import { withRelatedTask } from '../generation-2025/related-task.js';
import type { ActCall } from './method.js';
import type { TellNews } from './news-teller.js';

/**
 * Waits for the end of a task. Meanwhile it sends each pending input once, as a request with a durable
 * id, and the news of the task that no other stream of the client has sent.
 *
 * @throws the reason of the exchange's signal when that aborts
 */
export type FollowTask = (from: TaskView, call: ActCall) => Promise<Outcome>;

export function createFollowTask(tasks: TaskService, inputIds: InputIds, tellNews: TellNews): FollowTask {
  return async (from, { exchange, session }) => {
    const { taskId, implicit } = from;
    const relatedTask = implicit === true ? undefined : taskId;
    const listener = { sessionId: session.id, push: exchange.push.bind(exchange) };
    const asked = new Set<string>();
    for await (const { view, outcome } of tasks.follow(from, exchange.signal)) {
      for (const { key, method, params } of view.pendingInputs) {
        if (asked.has(key)) continue;
        asked.add(key);
        // A request about a task of the client names that task only: the client would look for ours in its place.
        const related = method.startsWith('tasks/') ? undefined : relatedTask;
        exchange.push({ id: inputIds.idOf({ taskId, key }), method, params: withRelatedTask(params, related) });
      }
      await tellNews(view, listener);
      if (outcome !== undefined) return outcome;
    }
    throw new RangeError('A task was followed to an end that is none.');
  };
}
