import type { TaskEvent } from '../domain/events.js';
import type { TaskId } from '../domain/task-id.js';
import type { TaskStore } from '../ports/task-store.js';
import type { AppendRequest } from '../ports/event-store.js';
import { fromStored } from '../ports/stored-event.js';
import type { SideJob, TaskQueue } from '../ports/task-queue.js';
import { wrappedStore } from '../ports/wrapped-store.js';

/** Stores what simulated tasks write: the events of the first one stay readable, and only clean-up jobs are kept. */
export class RecordingStore {
  /** All events of the first task in order, also those before it was continued as new. */
  readonly history: TaskEvent[] = [];
  /** All tasks, in the order of their creation. */
  readonly tasks: TaskId[] = [];
  readonly sideJobs: SideJob[] = [];
  readonly store: TaskStore;

  /** @param onAppend called after each append, also one that was refused */
  constructor(
    store: TaskStore,
    private readonly onAppend: () => void,
  ) {
    const { events } = store;
    const recorded = wrappedStore(events, {
      append: async (request) => this.note(request, await events.append(request)),
      create: async (request, ...counted) => this.note(request, await events.create(request, ...counted)),
    });
    this.store = { ...store, events: recorded, queue: this.queue() };
  }

  /** The first task of a called tool that has not ended. */
  async openTaskOf(tool: string): Promise<TaskId | undefined> {
    const views = await this.store.events.views(this.tasks.slice(1), 'operator');
    return views.find((view) => view?.tool === tool && view.ending === undefined)?.taskId;
  }

  private note<Result>(request: AppendRequest, result: Result): Result {
    if (result === 'appended' && request.expectedVersion === 0) this.tasks.push(request.taskId);
    if (result === 'appended' && request.taskId === this.tasks[0]) this.history.push(...request.events.map(fromStored));
    this.onAppend();
    return result;
  }

  /** The due pass follows from the record, so its jobs are not needed. */
  private queue(): TaskQueue {
    return {
      add: async () => undefined,
      has: async (jobs) => jobs.map(() => true),
      recover: async () => undefined,
      addGivenBack: async () => undefined,
      withdraw: async () => undefined,
      addSideJob: async (job) => void this.sideJobs.push(job),
      close: async () => undefined,
    };
  }
}
