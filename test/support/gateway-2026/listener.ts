/** Runs a listening client: it reads the stream of `subscriptions/listen` while it arrives. */
import { openStream, type OpenStream } from '../gateway/stream.js';
import { requestOf } from './modern-client.js';

/** A message on the stream. */
export interface StreamMessage {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Record<string, unknown> & { readonly _meta?: Record<string, unknown> };
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** An open stream. */
export interface Listener extends OpenStream {
  /** The parameters of all notifications of a task, oldest first. */
  notificationsOf(taskId: string): Record<string, unknown>[];
  /** Resolves when a notification of the task has the status. */
  status(taskId: string, status: string): Promise<Record<string, unknown>>;
  all(): StreamMessage[];
}

export const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

let listens = 0;

/** Begins to listen. */
export async function listen(
  gateway: { readonly url: string },
  notifications: object,
  { id = `listen-${++listens}`, capabilities }: { readonly id?: string | number; readonly capabilities?: object } = {},
): Promise<Listener> {
  const request = requestOf(id, 'subscriptions/listen', { notifications }, capabilities === undefined ? {} : { capabilities });
  const stream = await openStream(gateway.url, request);
  const notificationsOf = (taskId: string): Record<string, unknown>[] =>
    stream
      .messages()
      .filter(({ method }) => method === 'notifications/tasks')
      .map(({ params }) => params as Record<string, unknown>)
      .filter((params) => params['taskId'] === taskId);
  return {
    ...stream,
    notificationsOf,
    all: () => stream.messages(),
    async status(taskId, status) {
      const message = await stream.message(`task ${taskId} is sent as ${status}`, ({ method, params }) => {
        const task = params as { taskId?: string; status?: string } | undefined;
        return method === 'notifications/tasks' && task?.taskId === taskId && task.status === status;
      });
      return message['params'] as Record<string, unknown>;
    },
  };
}
