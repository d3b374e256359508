import type { TaskLoad } from '../ports/task-load.js';
import type { MemoryTaskAgenda } from './task-agenda.js';
import type { MemoryTaskQueue } from './task-queue.js';

/** `TaskLoad` in memory. */
export function createMemoryTaskLoad(queue: MemoryTaskQueue, agenda: MemoryTaskAgenda): TaskLoad {
  return { queue: async () => queue.depth(), overdue: async () => agenda.overdue() };
}
