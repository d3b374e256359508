import { TaskError } from '../errors.js';
import type { TaskId } from '../domain/task-id.js';
import type { TaskView } from '../projections/task-view.js';
import type { EventStore } from '../store/event-store.js';

/** A lost change message costs at most this long. */
const BACKSTOP_MS = 5_000;

/**
 * The one loop behind everything that waits for a task: subscribe, re-read, hand out what is new,
 * wait for the next change message, and look again after a while even without one.
 *
 * @param task a view that the caller has just read saves the first read
 */
export async function* followTask(events: EventStore, task: TaskId | TaskView, signal: AbortSignal): AsyncGenerator<TaskView, void> {
  const taskId = typeof task === 'string' ? task : task.taskId;
  let view = typeof task === 'string' ? await read(events, taskId) : task;
  yield view;
  if (view.endedAt !== undefined) return;
  const changes = new ChangeFlag();
  const unsubscribe = await events.subscribe(taskId, () => changes.raise());
  try {
    for (;;) {
      signal.throwIfAborted();
      const now = await read(events, taskId);
      if (now.version === view.version) {
        await changes.wait(BACKSTOP_MS, signal);
        continue;
      }
      view = now;
      yield view;
      if (view.endedAt !== undefined) return;
    }
  } finally {
    unsubscribe();
  }
}

async function read(events: EventStore, taskId: TaskId): Promise<TaskView> {
  const [view] = await events.views([taskId]);
  if (view === undefined) throw new TaskError('TASK_NOT_FOUND');
  return view;
}

/** Remembers a change that came while nobody waited. */
class ChangeFlag {
  private raised = false;
  private wake: (() => void) | undefined;

  raise(): void {
    this.raised = true;
    this.wake?.();
  }

  async wait(timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (!this.raised)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        this.wake = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', resolveNow);
          resolve();
        };
        const resolveNow = (): void => this.wake?.();
        signal.addEventListener('abort', resolveNow, { once: true });
      });
    this.raised = false;
    this.wake = undefined;
  }
}
