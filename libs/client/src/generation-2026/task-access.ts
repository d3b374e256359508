/** Accesses a task of protocol version 2026-07-28. Its questions come with its status, its answers go back with `tasks/update`. */
import { type CallToolResult, INTERNAL_ERROR, INVALID_PARAMS } from '@modelcontextprotocol/client';
import { type TaskController, withTasks } from '@modelcontextprotocol/ext-tasks/client';
import { taskId as asTaskId } from '@modelcontextprotocol/ext-tasks/core';
import type { ActiveCall } from '../active-call.js';
import type { Connection } from '../connection.js';
import { InputFailedError, RpcError, TaskCancelledError, TaskFailedError } from '../errors.js';
import type { TaskAccess } from '../following/follow-task.js';
import type { SnapshotFeed } from '../following/snapshot-feed.js';
import { type TaskSnapshot, toolResult } from '../following/task-snapshot.js';
import { inputKindOf, type InputRequest } from '../input.js';
import { isEnd } from '../task-status.js';
import { checkedAnswer } from './checked-answer.js';
import { translated } from './extension-errors.js';
import { sessionPort } from './session-port.js';
import { snapshotOfView } from './snapshots.js';
import type { TaskSubscription } from './task-subscription.js';

export class TaskAccess2026 implements TaskAccess {
  readonly #task: TaskController;
  readonly #taken = new Set<string>();

  constructor(
    connection: Connection,
    private readonly subscription: TaskSubscription,
    private readonly taskId: string,
    private readonly call: ActiveCall,
  ) {
    this.#task = withTasks(sessionPort(connection), { tools: { currentTool: () => undefined } }).task(asTaskId(taskId));
  }

  async get(signal: AbortSignal): Promise<TaskSnapshot> {
    return snapshotOfView(await translated(this.#task.snapshot(signal)));
  }

  async cancel(): Promise<void> {
    try {
      await translated(this.#task.cancel());
    } catch (error) {
      // Forgotten already.
      if (!(error instanceof RpcError && error.code === INVALID_PARAMS)) throw error;
    }
  }

  watch(feed: SnapshotFeed, signal: AbortSignal): void {
    const { taskId } = this;
    const stop = this.subscription.watch({ taskId, onSnapshot: (snapshot) => feed.offer(snapshot), onReady: () => feed.look() });
    signal.addEventListener('abort', stop, { once: true });
  }

  /** Each question is asked once, all at the same time, and each answer goes out when it is there. */
  attend({ inputRequests = {} }: TaskSnapshot, feed: SnapshotFeed, signal: AbortSignal): void {
    for (const [key, { method, params }] of Object.entries(inputRequests)) {
      if (this.#taken.has(key)) continue;
      this.#taken.add(key);
      const kind = inputKindOf(method);
      if (kind === undefined) feed.fail(new InputFailedError(`The task asks for ${method}, which is unknown.`));
      else this.#answer(key, { kind, params, key }, feed, signal).catch((error: unknown) => feed.fail(error));
    }
  }

  async settle(snapshot: TaskSnapshot, signal: AbortSignal): Promise<CallToolResult> {
    if (snapshot.status === 'cancelled') throw new TaskCancelledError(this.taskId, snapshot.statusMessage);
    // A task may have ended when it is created; its handle does not say how.
    const isHandle = snapshot.result === undefined && snapshot.error === undefined;
    const { status, statusMessage, result, error } = isHandle ? await this.get(signal) : snapshot;
    if (status === 'completed') return toolResult(result);
    const { code = INTERNAL_ERROR, message = statusMessage ?? 'The task failed.', data } = error ?? {};
    throw new TaskFailedError(this.taskId, code, message, data);
  }

  async #answer(key: string, request: InputRequest, feed: SnapshotFeed, signal: AbortSignal): Promise<void> {
    const answer = checkedAnswer(request.kind, await this.call.answer(`task ${key}`, request, signal));
    try {
      await translated(this.#task.updateJson({ [key]: answer }, signal));
    } catch (error) {
      // The task may have ended since then, without the answer.
      const ended = error instanceof RpcError ? await this.get(signal) : undefined;
      if (ended === undefined || !isEnd(ended)) throw error;
      feed.offer(ended);
    }
    feed.look();
  }
}
