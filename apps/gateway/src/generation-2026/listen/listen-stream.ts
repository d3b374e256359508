/** Serves one stream of `subscriptions/listen`: the changes of its tasks, lists and resources, each message with the id of its request. */
import type { ClientNotification } from '@longhaul/sessions';
import type { JsonObject, TaskSnapshot } from '@longhaul/tasks';
import { SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server';
import type { CallResponse } from '../requests/call-response.js';
import { type TaskDetails, taskDetails } from '../methods/task-details.js';
import type { ServerMeta } from '../requests/results.js';
import { accepts, type ListenFilter } from './listen-filter.js';
import type { SharedFollowers } from './shared-followers.js';

/** The options of a stream. */
export interface ListenStreamOptions {
  /** The id of the request. */
  readonly id: string | number;
  readonly filter: ListenFilter;
  /** The tasks in their present state; absent when the client has not asked for any. */
  readonly tasks: readonly TaskSnapshot[] | undefined;
  /** The client's capabilities. */
  readonly capabilities: JsonObject;
  readonly serverMeta: ServerMeta;
}

export class ListenStream {
  constructor(
    private readonly response: CallResponse,
    private readonly of: ListenStreamOptions,
  ) {}

  /** Sends what the stream subscribes to, and then the state of each task. A stream without subscriptions ends at once. */
  begin(followers: SharedFollowers): void {
    const { filter, tasks } = this.of;
    const notifications = { ...filter, ...(tasks !== undefined && { taskIds: tasks.map(({ view }) => view.taskId) }) };
    this.#push('notifications/subscriptions/acknowledged', { notifications });
    if (Object.keys(filter).length === 0 && (tasks ?? []).length === 0) return this.end();
    for (const task of tasks ?? []) this.response.whenOver(this.#follow(task, followers));
  }

  /** Sends a notification, if the stream has subscribed to it. */
  notify(notification: ClientNotification): void {
    const { method, params } = notification;
    if (accepts(this.of.filter, notification)) this.#push(method, 'uri' in params ? { uri: params['uri'] } : {});
  }

  /** Ends it with a result, which shows the client that it can come back. */
  end(): void {
    const { id, serverMeta } = this.of;
    const result = { resultType: 'complete', _meta: { [SUBSCRIPTION_ID_META_KEY]: id, ...serverMeta } };
    this.response.answer({ jsonrpc: '2.0', id, result });
  }

  /** Sends the present state of a task, and each change of it, until it has ended. @returns a function that stops this */
  #follow(from: TaskSnapshot, followers: SharedFollowers): () => void {
    const { capabilities } = this.of;
    let sent = '';
    return followers.follow(from, ({ view, outcome }) => {
      const details = taskDetails(view, outcome, { capabilities, now: Date.now() });
      const visible = visiblePart(details);
      if (visible !== sent) this.#push('notifications/tasks', details);
      sent = visible;
    });
  }

  #push(method: string, params: object): void {
    this.response.push({ method, params: { ...params, _meta: { [SUBSCRIPTION_ID_META_KEY]: this.of.id } } });
  }
}

/** The parts of an unended task that its client sees change; progress, for one, is not among them. */
function visiblePart({ status, statusMessage, inputRequests = {} }: TaskDetails): string {
  return JSON.stringify([status, statusMessage, Object.keys(inputRequests)]);
}
