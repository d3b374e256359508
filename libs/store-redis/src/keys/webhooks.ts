/** Names the keys of webhooks in Redis. The names are persisted, so they are frozen: a new meaning gets a new name. */
import { isTaskId, type TaskId } from '@longhaul/tasks';
import type { RedisKeys } from './tasks.js';

/** Builds the names under the prefix of the tasks' keys. */
export class WebhookKeys {
  constructor(private readonly tasks: Pick<RedisKeys, 'prefix'>) {}

  /**
   * Hash: the webhooks of the task. `<endpoint>:<version>` is what is known of one, as JSON, and the same name with `:message` what is
   * still to be sent; `pending`, `<endpoint>:pending` and `left-out` count. TTL 8 days from the last change, and as the events when nothing
   * is left to send.
   */
  webhooks(taskId: TaskId): string {
    return `${this.tasks.prefix}:{${taskId}}:webhooks`;
  }

  /**
   * Sorted sets of `<taskId> <endpoint>`. `pending`: those with webhooks to send, by when a worker must look at them; `failing` and
   * `givenUp`: those whose latest try failed, and those with a webhook that was given up, by when. TTL 8 days from the last change.
   */
  recipients(): { readonly pending: string; readonly failing: string; readonly givenUp: string } {
    const prefix = `${this.tasks.prefix}:{webhooks}`;
    return { pending: `${prefix}:pending`, failing: `${prefix}:failing`, givenUp: `${prefix}:given-up` };
  }
}

/** The task of the webhooks with that name; nothing for any other name. */
export function taskOfWebhooks(keys: RedisKeys, name: string): TaskId | undefined {
  const start = keys.prefix.length + 2;
  const taskId = name.slice(start, name.indexOf('}', start));
  return isTaskId(taskId) && new WebhookKeys(keys).webhooks(taskId) === name ? taskId : undefined;
}

/** A pattern of the names of all views, operators' views too, and of all tasks' webhooks; few other names fit it. */
export function patternOfWalk({ prefix }: RedisKeys): string {
  return `${prefix}:{*}:*e[wb]*`;
}
