import type { TaskStore } from '../ports/task-store.js';

/** Numbers of the whole deployment, which every process can read. */
export type LoadGauge = 'longhaul.tasks.unfinished' | 'longhaul.queue.depth' | 'longhaul.queue.oldest' | 'longhaul.queue.paused';

/** Where they go. */
export interface LoadGauges {
  observe(names: readonly LoadGauge[], read: () => Promise<Partial<Record<LoadGauge, number>>>): void;
}

/** Reads the numbers whenever metrics are read. While the store is away there are no numbers. */
export function observeLoad(gauges: LoadGauges, { agenda, load }: Pick<TaskStore, 'agenda' | 'load'>): void {
  gauges.observe(['longhaul.tasks.unfinished', 'longhaul.queue.depth', 'longhaul.queue.oldest', 'longhaul.queue.paused'], async () => {
    const [unfinished, { waiting, setAside, oldestWaitMs = 0 }] = await Promise.all([agenda.count(), load.queue()]);
    return {
      'longhaul.tasks.unfinished': unfinished,
      'longhaul.queue.depth': waiting,
      'longhaul.queue.oldest': oldestWaitMs / 1_000,
      'longhaul.queue.paused': setAside,
    };
  });
}
