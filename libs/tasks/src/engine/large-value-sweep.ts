/**
 * Removes large values that no record refers to: of tasks that are gone, and of writers that died before their record, or lost a race. It
 * compares no ages where a value may still be referred to. The id of a value says which pass has written it, by its epoch, and a record of a
 * pass whose epoch is over is refused; so what such a pass has not recorded by then, it never will.
 *
 * Every worker sweeps, in turn: the more there are, the rarer each of them does.
 */
import type { LargeValues } from '../ports/large-values.js';
import { largeValueOf } from '../domain/large-value.js';
import { isTaskId, type TaskId } from '../domain/task-id.js';
import type { TaskView } from '../domain/projections/task-view.js';
import type { TaskStore } from '../ports/task-store.js';
import { historyPages } from '../ports/read-history.js';
import { inParallel } from '../in-parallel.js';
import { isView, readableViews } from './readable-views.js';

/** About how often one of the workers looks at all of them, milliseconds. */
const PERIOD_MS = 60_000;
/** Tasks that are looked at together. */
const BATCH = 100;
const WIDTH = 4;
/** Values that were written before their task existed, as for a fork, wait this long for it: such a write gives up much sooner. */
export const FOR_NEW_TASKS_MS = 3_600_000;
/** Tasks that this process remembers to have looked at. */
const MAX_REMEMBERED = 50_000;

/** Dependencies of the sweep. */
export interface LargeValueSweepDeps {
  readonly store: Pick<TaskStore, 'events' | 'workers'>;
  readonly values: LargeValues;
  readonly clock: () => number;
}

/** One worker's part in it. */
export class LargeValueSweep {
  #nextAt: number;
  #isRunning = false;
  /** Where a task stood when it had no value without a reference: as long as it stands there, it has none. */
  readonly #clean = new Map<string, string>();

  constructor(private readonly deps: LargeValueSweepDeps) {
    this.#nextAt = deps.clock() + PERIOD_MS * Math.random();
  }

  /** Looks at all values if it is time to. */
  async run(): Promise<void> {
    const { store, clock } = this.deps;
    if (this.#isRunning || clock() < this.#nextAt) return;
    this.#isRunning = true;
    try {
      const workers = Math.max(1, (await store.workers.live()).length);
      this.#nextAt = clock() + PERIOD_MS * workers * (0.5 + Math.random());
      await this.sweep();
    } finally {
      this.#isRunning = false;
    }
  }

  /** Looks at all values now. @returns how many were removed */
  async sweep(): Promise<number> {
    let removed = 0;
    let batch: string[] = [];
    for await (const taskId of this.deps.values.tasks()) {
      batch.push(taskId);
      if (batch.length < BATCH) continue;
      removed += await this.#look(batch);
      batch = [];
    }
    return removed + (await this.#look(batch));
  }

  async #look(names: readonly string[]): Promise<number> {
    let removed = 0;
    const taskIds = names.filter(isTaskId);
    const views = await readableViews(this.deps.store.events, taskIds, 'operator');
    await inParallel([...taskIds.entries()], WIDTH, async ([index, taskId]) => {
      const view = views[index];
      if (view === undefined) removed += await this.#removeOfGone(taskId);
      else if (isView(view)) removed += await this.#removeUnreferenced(view);
    });
    return removed;
  }

  async #removeOfGone(taskId: TaskId): Promise<number> {
    const { values, clock } = this.deps;
    let removed = 0;
    for await (const id of values.ids(taskId)) {
      const { epoch, writtenAt } = partsOf(id);
      // Its task may be about to be created.
      if (epoch === 0 && writtenAt > clock() - FOR_NEW_TASKS_MS) continue;
      await values.remove(taskId, id);
      removed += 1;
    }
    return removed;
  }

  async #removeUnreferenced({ taskId, standing, endedAt, continuedAt }: TaskView): Promise<number> {
    const { values, store } = this.deps;
    const stands = JSON.stringify([standing.epoch, standing.phase === 'running', endedAt, continuedAt]);
    if (this.#clean.get(taskId) === stands) return 0;
    const isOver = ({ epoch }: { readonly epoch: number }): boolean =>
      endedAt !== undefined || (epoch > 0 && (epoch < standing.epoch || (epoch === standing.epoch && standing.phase !== 'running')));
    const over: string[] = [];
    for await (const id of values.ids(taskId)) if (isOver(partsOf(id))) over.push(id);
    let removed = 0;
    if (over.length > 0) {
      // Read after the view: what is not referred to by now cannot be from here on.
      const referred = new Set<string>();
      for await (const events of historyPages(store.events, taskId))
        for (const event of events) {
          const large = largeValueOf(event);
          if (large !== undefined) referred.add(large.id);
        }
      for (const id of over) {
        if (referred.has(id)) continue;
        await values.remove(taskId, id);
        removed += 1;
      }
    }
    if (this.#clean.size >= MAX_REMEMBERED) this.#clean.clear();
    this.#clean.set(taskId, stands);
    return removed;
  }
}

/** What the id of a value says of it. What has no such id was not written by this version: it is left alone, as if its pass ran. */
function partsOf(id: string): { readonly epoch: number; readonly writtenAt: number } {
  const [epoch = '', at = ''] = id.split('-');
  const parsed = { epoch: Number.parseInt(epoch, 10), writtenAt: Number.parseInt(at, 36) };
  return Number.isNaN(parsed.epoch) || Number.isNaN(parsed.writtenAt) ? { epoch: 0, writtenAt: Number.POSITIVE_INFINITY } : parsed;
}
