/**
 * What goes out on a session's standalone stream: the status of its tasks at each change, and the news
 * that no waiting request of the client has sent. It is live only: a client that was not connected
 * asks with `tasks/get`, as the specification wants of it anyway.
 */
import { type Caller, TaskError, type TaskId, type TaskService, type TaskView } from '@longhaul/tasks';
import type { Logger } from 'pino';
import { taskObject } from '../generation-2025/task-object.js';
import type { Listener, TellNews } from '../methods/news-teller.js';

/** What a feed is made of. */
export interface SessionFeedDeps {
  readonly tasks: TaskService;
  readonly tellNews: TellNews;
  readonly logger: Logger;
}

/** Feeds one stream. */
export class SessionFeed {
  /** The status that was told last, of tasks that have not ended. */
  readonly #told = new Map<TaskId, string>();
  /** Tasks that are looked at now; `true` when they changed again meanwhile. */
  readonly #looking = new Map<TaskId, boolean>();
  #unsubscribe: (() => void) | undefined;
  #isEnded = false;

  constructor(
    private readonly deps: SessionFeedDeps,
    private readonly caller: Caller,
    private readonly listener: Listener,
  ) {}

  /** Begins to listen. */
  async start(): Promise<void> {
    const unsubscribe = await this.deps.tasks.watchSession(this.listener.sessionId, (taskId) => void this.#look(taskId));
    if (this.#isEnded) unsubscribe();
    else this.#unsubscribe = unsubscribe;
  }

  end(): void {
    this.#isEnded = true;
    this.#unsubscribe?.();
  }

  async #look(taskId: TaskId): Promise<void> {
    if (this.#isEnded) return;
    if (this.#looking.has(taskId)) {
      this.#looking.set(taskId, true);
      return;
    }
    do {
      this.#looking.set(taskId, false);
      try {
        await this.#tell(await this.deps.tasks.get(taskId, this.caller));
      } catch (error) {
        if (!(error instanceof TaskError)) this.deps.logger.error({ err: error, taskId }, 'task not told');
      }
    } while (this.#looking.get(taskId) === true && !this.#isEnded);
    this.#looking.delete(taskId);
  }

  async #tell(view: TaskView): Promise<void> {
    const task = taskObject(view);
    const status = `${task.status} ${task.statusMessage ?? ''}`;
    if (this.#told.get(view.taskId) !== status) {
      this.#told.set(view.taskId, status);
      this.listener.push({ method: 'notifications/tasks/status', params: task });
    }
    await this.deps.tellNews(view, this.listener);
    if (view.endedAt !== undefined) this.#told.delete(view.taskId);
  }
}
