/**
 * Search within a list: each task that the filter finds is looked at, so it is for ranges that a filter has made small. A call looks at a
 * bounded number of tasks; where it stops, the next one goes on.
 */
import type { EventStore } from '../ports/event-store.js';
import { inParallel } from './in-parallel.js';
import type { ListedTask, OperatorPage, OperatorQuery } from './operator-service.js';

/** Tasks that one call looks at, and at the same time. */
const MOST_TASKS = 500;
const PART = 100;
const AT_ONCE = 16;

/** A page of the tasks in which the text is found; without a text, of all. @param list a page of the list, whichever the text */
export async function searched(
  events: Pick<EventStore, 'readPage'>,
  { text, ...query }: OperatorQuery,
  list: (query: Omit<OperatorQuery, 'text'>) => Promise<OperatorPage>,
): Promise<OperatorPage> {
  if (text === undefined) return list(query);
  const sought = text.toLowerCase();
  const tasks: ListedTask[] = [];
  let { after } = query;
  for (let looked = 0; looked < MOST_TASKS;) {
    const page = await list({ ...query, limit: PART, after });
    const found = new Set<ListedTask>();
    await inParallel(page.tasks, AT_ONCE, async (task) => {
      if (await holds(events, task, sought)) found.add(task);
    });
    for (const task of page.tasks) {
      if (!found.has(task)) continue;
      tasks.push(task);
      const { createdAt, taskId } = task.row;
      if (tasks.length === query.limit) return { tasks, next: { createdAt, taskId } };
    }
    after = page.next;
    if (after === undefined) return { tasks };
    looked += PART;
  }
  return { tasks, ...(after !== undefined && { next: after }) };
}

async function holds(events: Pick<EventStore, 'readPage'>, { view }: ListedTask, sought: string): Promise<boolean> {
  const shown = [view.statusMessage, view.ending?.message].some((text) => text?.toLowerCase().includes(sought));
  if (shown) return true;
  const { events: read } = await events.readPage(view.taskId, 0, 1, true);
  const [first] = read;
  const task = first?.type === 'TaskCreated' ? first.data : first?.type === 'TaskContinued' ? first.data.task : undefined;
  return task !== undefined && JSON.stringify(task.arguments).toLowerCase().includes(sought);
}
