import type { TaskId } from '../domain/task-id.js';
import type { TaskView } from '../domain/projections/task-view.js';
import { isStoreError } from '../errors.js';
import type { TaskReader } from '../ports/event-store.js';
import type { TaskStore } from '../ports/task-store.js';

/** The result of reading a task. */
export type ReadView = TaskView | undefined | 'unreadable';

export function isView(read: ReadView): read is TaskView {
  return typeof read === 'object';
}

/**
 * The views of the tasks, in their order. A view that cannot be read does not hold up the others; a look of the sweep reports it.
 *
 * @throws TaskError `STORE_UNAVAILABLE`
 */
export async function readableViews(
  events: Pick<TaskStore['events'], 'views'>,
  taskIds: readonly TaskId[],
  reader: TaskReader,
): Promise<readonly ReadView[]> {
  const read = async (some: readonly TaskId[], instead: () => Promise<readonly ReadView[]>): Promise<readonly ReadView[]> => {
    try {
      return await events.views(some, reader);
    } catch (error) {
      if (isStoreError(error)) throw error;
      return instead();
    }
  };
  return read(taskIds, async () => {
    const each = await Promise.all(taskIds.map((taskId) => read([taskId], async () => ['unreadable'])));
    return each.flat();
  });
}
