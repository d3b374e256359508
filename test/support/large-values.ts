import { type LargeValue, LargeValueSweep, type TaskEvent, type TaskId, type TaskStore } from '@longhaul/tasks';
import { createLargeValues } from '@longhaul/tasks/store';
import type { Engine } from './engine.js';
import type { MemoryBlobs } from './memory-blobs.js';

/** The folder of the deployment. */
const FOLDER = 'deployment';

/** Has values of more than 1,000 bytes kept apart, in parts of 400. */
export function withLargeValues(blobs: MemoryBlobs, most = 100_000): <T extends TaskStore>(store: T) => T {
  return (store) => ({
    ...store,
    values: createLargeValues({ blobs, codec: store.codec, folder: FOLDER, fromBytes: 1_000, maxBytes: most, partLength: 400 }),
  });
}

/** The parts of the values that are kept of a task, by id and number. */
export function partsOf({ kept }: MemoryBlobs, taskId: TaskId): Readonly<Record<string, string>> {
  const above = `${FOLDER}/${taskId}/`;
  const own = [...kept].filter(([path]) => path.startsWith(above));
  return Object.fromEntries(own.map(([path, bytes]) => [path.slice(above.length), bytes.toString()]));
}

/** Puts such parts back, for a task that may have another id. */
export function putBack({ kept }: MemoryBlobs, taskId: TaskId, parts: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(parts)) kept.set(`${FOLDER}/${taskId}/${path}`, Buffer.from(text));
}

/** One sweep of a worker. @returns how many values were removed */
export async function sweepValues(engine: Engine): Promise<number> {
  const { store } = engine;
  if (store.values === undefined) throw new RangeError('The engine has no large values.');
  return new LargeValueSweep({ store, values: store.values, clock: () => engine.now }).sweep();
}

/** The values that a history refers to. */
export function referredTo(events: readonly TaskEvent[]): readonly LargeValue[] {
  return events.flatMap(({ data }) => {
    if ('large' in data && data.large !== undefined) return [data.large];
    return 'outcome' in data && data.outcome.kind === 'result' && data.outcome.large !== undefined ? [data.outcome.large] : [];
  });
}

/** The ids of the values that are kept of a task. */
export function keptOf({ kept }: MemoryBlobs, taskId: TaskId): readonly string[] {
  const all = [...kept.keys()].map((path) => path.split('/')).filter(([, of]) => of === taskId);
  return [...new Set(all.map(([, , id = '']) => id))].toSorted();
}
