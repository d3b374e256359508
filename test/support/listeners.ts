import type { TaskStore } from '@longhaul/tasks';

/** Counts who listens to changes of a task by this store, from now on. */
export function countListeners({ events }: Pick<TaskStore, 'events'>): (taskId: string) => number {
  const counts = new Map<string, number>();
  const count = (taskId: string, by: number): void => void counts.set(taskId, (counts.get(taskId) ?? 0) + by);
  const subscribe = events.subscribe.bind(events);
  events.subscribe = async (taskId, ...more) => {
    const unsubscribe = await subscribe(taskId, ...more);
    count(taskId, 1);
    return () => {
      unsubscribe();
      count(taskId, -1);
    };
  };
  return (taskId) => counts.get(taskId) ?? 0;
}
