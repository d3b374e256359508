import type { CallToolResult } from '@modelcontextprotocol/client';
import type { ActiveCall } from '../active-call.js';
import { isEnd } from '../task-status.js';
import { SnapshotFeed } from './snapshot-feed.js';
import type { TaskSnapshot } from './task-snapshot.js';

/** The functions of each protocol version for one followed task. */
export interface TaskAccess {
  get(signal: AbortSignal): Promise<TaskSnapshot>;
  /** Resolves when the server has taken note, or the task has ended anyhow. */
  cancel(): Promise<void>;
  /** Has the server push what happens, where it can. `feed.look` is called as soon as nothing can be missed any more. */
  watch(feed: SnapshotFeed, signal: AbortSignal): void;
  /** Starts what the snapshot asks the client to do. The feed receives what comes of it. */
  attend(snapshot: TaskSnapshot, feed: SnapshotFeed, signal: AbortSignal): void;
  /** The result of a task that has ended. @throws TaskFailedError, TaskCancelledError */
  settle(snapshot: TaskSnapshot, signal: AbortSignal): Promise<CallToolResult>;
}

/**
 * Follows a task to its end. It uses notifications and polling together. Push is fast where it works. A lost push is noticed after the
 * server's poll interval at the latest.
 */
export async function followTask(task: TaskAccess, first: TaskSnapshot, call: ActiveCall): Promise<CallToolResult> {
  const end = new AbortController();
  const signal = AbortSignal.any([call.signal, end.signal]);
  const feed = new SnapshotFeed(signal);
  try {
    if (!isEnd(first)) task.watch(feed, signal);
    let snapshot = first;
    for (;;) {
      call.signal.throwIfAborted();
      call.report(snapshot);
      if (isEnd(snapshot)) return await task.settle(snapshot, signal);
      task.attend(snapshot, feed, signal);
      snapshot = await feed.next(snapshot, () => task.get(signal));
    }
  } finally {
    end.abort(new DOMException('The task is not followed any more.', 'AbortError'));
  }
}
