/**
 * Follows tasks that streams of this process listen to. If several streams name a task, one loop follows it for all of them: it subscribes
 * to the task once, and reads it once for each change.
 */
import { TaskError, type TaskId, type TaskService, type TaskSnapshot } from '@longhaul/tasks';
import type { Logger } from 'pino';
import { setTimeout as pause } from 'node:timers/promises';

/** The pause before an unreadable task is read again. */
const RETRY_MS = 1_000;

/** One error for all: a new one would capture the stack each time, which costs more than the rest of an end. */
const NOT_LISTENED_TO = new Error('No stream listens to the task any more.');

/** Receives the present state of a task, and each later one. */
export type SnapshotListener = (snapshot: TaskSnapshot) => void;

interface Following {
  readonly listeners: Set<SnapshotListener>;
  readonly end: AbortController;
  latest: TaskSnapshot;
}

export class SharedFollowers {
  readonly #byTask = new Map<TaskId, Following>();

  constructor(private readonly deps: { readonly tasks: Pick<TaskService, 'follow'>; readonly logger: Logger }) {}

  /**
   * Follows a task until it has ended.
   *
   * @param from the task in its present state
   * @returns a function that stops it
   */
  follow(from: TaskSnapshot, listener: SnapshotListener): () => void {
    const { view } = from;
    const present = this.#byTask.get(view.taskId);
    const following = present ?? this.#begin(from);
    following.listeners.add(listener);
    if (present !== undefined) {
      const newest = present.latest.view.version >= view.version ? present.latest : from;
      // How a task ended is read with its end, which the loop is about to do.
      if (newest.view.endedAt === undefined || newest.outcome !== undefined) listener(newest);
    }
    return () => {
      following.listeners.delete(listener);
      if (following.listeners.size === 0) this.#end(view.taskId, following);
    };
  }

  #begin(from: TaskSnapshot): Following {
    const following: Following = { listeners: new Set(), end: new AbortController(), latest: from };
    const { taskId } = from.view;
    this.#byTask.set(taskId, following);
    void this.#run(following).finally(() => this.#end(taskId, following));
    return following;
  }

  async #run(following: Following): Promise<void> {
    const { signal } = following.end;
    while (!signal.aborted) {
      try {
        for await (const snapshot of this.deps.tasks.follow(following.latest, signal)) {
          following.latest = snapshot;
          for (const listener of following.listeners) listener(snapshot);
        }
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.deps.logger.warn({ err: error }, 'task not followed');
        if (error instanceof TaskError && error.code === 'TASK_NOT_FOUND') return;
        await pause(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  #end(taskId: TaskId, following: Following): void {
    if (this.#byTask.get(taskId) !== following) return;
    this.#byTask.delete(taskId);
    following.end.abort(NOT_LISTENED_TO);
  }
}
