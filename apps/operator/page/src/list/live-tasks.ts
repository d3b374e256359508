/** Follows the newest tasks that fit a filter, in their present state. */
import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { addressOf, type Query } from '../api/client.js';
import { openStream } from '../api/stream.js';
import type { Task } from '../../../src/answers.js';

/** Changes within this time are shown together. */
const TOGETHER_MS = 16;

class LiveTasks {
  /** Newest first; undefined until the list is complete. */
  readonly tasks = signal<readonly Task[] | undefined>(undefined);
  /** Why the list cannot be followed, such as a wrong filter. */
  readonly refusal = signal<string | undefined>(undefined);
  #known = new Map<string, Task>();
  /** The tasks of a restarted stream, until the list is complete. */
  #coming: Map<string, Task> | undefined;
  #showing: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly query: Query) {}

  follow(): () => void {
    const end = openStream({
      address: () => addressOf('tasks/events', this.query),
      events: {
        begin: () => (this.#coming = new Map()),
        task: (data) => this.#take(data as Task),
        gone: (data) => {
          this.#known.delete((data as Task).taskId);
          this.#show();
        },
        ready: () => {
          this.#known = this.#coming ?? this.#known;
          this.#coming = undefined;
          this.#show();
        },
      },
      refused: (message) => (this.refusal.value = message),
    });
    return () => {
      end();
      clearTimeout(this.#showing);
    };
  }

  #take(task: Task): void {
    (this.#coming ?? this.#known).set(task.taskId, task);
    if (this.#coming === undefined) this.#show();
  }

  #show(): void {
    this.#showing ??= setTimeout(() => {
      this.#showing = undefined;
      this.tasks.value = [...this.#known.values()].sort(newestFirst);
    }, TOGETHER_MS);
  }
}

/** Newest first, as the API orders them. */
export function newestFirst(left: Task, right: Task): number {
  if (left.createdAt !== right.createdAt) return left.createdAt < right.createdAt ? 1 : -1;
  return left.taskId < right.taskId ? 1 : -1;
}

/** Follows them while a view shows them. */
export function useLiveTasks(query: Query): Pick<LiveTasks, 'tasks' | 'refusal'> {
  const key = JSON.stringify(query);
  const live = useMemo(() => new LiveTasks(query), [key]);
  useEffect(() => live.follow(), [live]);
  return live;
}
