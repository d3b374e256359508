/**
 * Accesses a task of protocol version 2025-11-25. Its questions are requests of the server. They come on the session's standalone stream or
 * on the stream of `tasks/result`, which is opened as soon as the task waits for input.
 */
import { type CallToolResult, INVALID_PARAMS } from '@modelcontextprotocol/client';
import { GetTaskResultV1Schema, type TaskV1, TaskStatusNotificationV1Schema } from '@modelcontextprotocol/ext-tasks/core/v1';
import type { Connection } from '../connection.js';
import { ProtocolViolationError, RpcError, TaskCancelledError, TaskFailedError } from '../errors.js';
import type { TaskAccess } from '../following/follow-task.js';
import type { SnapshotFeed } from '../following/snapshot-feed.js';
import { exposedIn, type TaskSnapshot, toolResult } from '../following/task-snapshot.js';
import { waitAtMost } from '../waits.js';

const READ_TIMEOUT_MS = 30_000;
/** How long a waiting `tasks/result` gets when the task is known to have ended, before it is asked again. */
const RESULT_GRACE_MS = 1_000;

type Outcome = { readonly result: unknown } | { readonly error: RpcError };

export class TaskAccess2025 implements TaskAccess {
  #awaited: Promise<Outcome> | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly taskId: string,
  ) {}

  async get(signal: AbortSignal): Promise<TaskSnapshot> {
    const result = GetTaskResultV1Schema.safeParse(await this.#read('tasks/get', signal));
    if (!result.success || result.data.taskId !== this.taskId)
      throw new ProtocolViolationError('The answer to tasks/get is not the task that was asked for.', { cause: result.error });
    return { ...snapshotOf(result.data), ...exposedIn(result.data._meta) };
  }

  async cancel(): Promise<void> {
    try {
      await this.#read('tasks/cancel');
    } catch (error) {
      // It has ended, or is forgotten already.
      if (!(error instanceof RpcError && error.code === INVALID_PARAMS)) throw error;
    }
  }

  watch(feed: SnapshotFeed, signal: AbortSignal): void {
    const stop = this.connection.notifications.listen((notification) => {
      if (notification.method !== 'notifications/tasks/status' || notification.params?.['taskId'] !== this.taskId) return;
      const status = TaskStatusNotificationV1Schema.safeParse(notification);
      if (status.success) feed.offer(snapshotOf(status.data.params));
      else feed.look();
    });
    signal.addEventListener('abort', stop, { once: true });
    feed.look();
  }

  attend(snapshot: TaskSnapshot, feed: SnapshotFeed, signal: AbortSignal): void {
    if (snapshot.status !== 'input_required' || this.#awaited !== undefined) return;
    this.#awaited = this.#outcome(signal);
    this.#awaited.then(
      // A result is the end, even if the status says something else, and some servers forget the task with it.
      (outcome) => ('result' in outcome ? feed.offer({ ...snapshot, status: endOf(outcome.result) }) : feed.look()),
      (error: unknown) => feed.fail(error),
    );
  }

  async settle({ status, statusMessage }: TaskSnapshot, signal: AbortSignal): Promise<CallToolResult> {
    if (status === 'cancelled') throw new TaskCancelledError(this.taskId, statusMessage);
    const outcome = await this.#outcomeOfEnded(signal);
    if ('result' in outcome) return toolResult(outcome.result);
    if (status === 'completed') throw outcome.error;
    const { code, message, data } = outcome.error;
    throw new TaskFailedError(this.taskId, code, message, data);
  }

  /**
   * The request that waits for the end has the result in a moment, unless its connection died without a sign. An
   * error may also say that it could not wait, so it is asked again.
   */
  async #outcomeOfEnded(signal: AbortSignal): Promise<Outcome> {
    const awaited = this.#awaited && (await waitAtMost(RESULT_GRACE_MS, this.#awaited));
    return awaited && 'result' in awaited ? awaited : this.#outcome(signal, READ_TIMEOUT_MS);
  }

  async #outcome(signal: AbortSignal, timeoutMs?: number): Promise<Outcome> {
    try {
      return { result: await this.#read('tasks/result', signal, timeoutMs ?? null) };
    } catch (error) {
      if (error instanceof RpcError) return { error };
      throw error;
    }
  }

  #read(method: string, signal?: AbortSignal, timeoutMs: number | null = READ_TIMEOUT_MS): Promise<unknown> {
    return this.connection.request({
      method,
      params: { taskId: this.taskId },
      isRepeatable: true,
      ...(signal !== undefined && { signal }),
      ...(timeoutMs !== null && { timeoutMs }),
    });
  }
}

function endOf(result: unknown): TaskSnapshot['status'] {
  return (result as { isError?: unknown }).isError === true ? 'failed' : 'completed';
}

/** The task of the wire in the words that both protocol versions share. */
export function snapshotOf({ taskId, status, statusMessage, createdAt, lastUpdatedAt, ttl, pollInterval }: TaskV1): TaskSnapshot {
  return {
    taskId,
    status,
    createdAt,
    lastUpdatedAt,
    ttlMs: ttl,
    ...(statusMessage !== undefined && { statusMessage }),
    ...(pollInterval !== undefined && { pollIntervalMs: pollInterval }),
  };
}
