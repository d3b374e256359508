/**
 * Repairs everything that a death or a lost write left undone, and enforces deadlines: the sweep takes the due entries of the agenda, looks
 * at their tasks, and dates the entries again. Every worker sweeps. A lease on taken entries shares the work, and gives it to another
 * worker if this one dies.
 */
import type { TaskStore } from '../ports/task-store.js';
import { fold } from '../domain/evolve.js';
import type { TaskId } from '../domain/task-id.js';
import { isStoreError } from '../errors.js';
import { project } from '../domain/projections/project.js';
import type { AgendaVerdict, TakenEntries } from '../ports/task-agenda.js';
import { inParallel } from '../in-parallel.js';
import { RowRepair } from './row-repair.js';
import { jobToLookFor, look, seen, type SeenTask } from './task-look.js';
import type { TaskWriter } from '../write/task-writer.js';
import { wholeMs } from '../domain/milliseconds.js';

/** How many entries are taken together. */
const BATCH = 200;
/** How many tasks are handled at once. */
const WIDTH = 32;
/** Longer than a batch takes. */
const LEASE_MS = wholeMs(10_000);
const SHORTEST_PERIOD_MS = 10_000;
/** All workers together look at no more healthy tasks than this. */
const LOOKS_PER_SECOND = 1_000;
/** How long a task is left alone after its look failed. */
const SET_ASIDE_MS = wholeMs(600_000);

/** If more tasks than this were set aside, they may be reported again. */
const MAX_REMEMBERED = 10_000;

/** Dependencies of a sweep. */
export interface SweepOptions {
  readonly store: TaskStore;
  readonly writer: TaskWriter;
  readonly onError: (error: unknown) => void;
}

/**
 * Verdicts on the entries that were taken together. An entry without a verdict keeps its lease, and is due again when the lease expires.
 */
type Verdicts = Map<TaskId, AgendaVerdict>;

/** A task that cannot be looked at, for a reason of its own. */
class TaskSetAside extends Error {
  override readonly name = 'TaskSetAside';

  constructor(taskId: TaskId, count: number, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`Task ${taskId} cannot be looked at and was set aside for 10 minutes (number ${count} of this process): ${why}`, { cause });
  }
}

/** One worker's part in the sweep. */
export class Sweep {
  /** Tasks that were set aside; each is reported once. */
  readonly #reported = new Set<TaskId>();
  #setAside = 0;
  /** Errors of the store during a run; the first one is reported. */
  readonly #storeErrors: unknown[] = [];
  #isSweeping = false;
  #isStopped = false;
  readonly #rows: RowRepair;

  constructor(private readonly options: SweepOptions) {
    this.#rows = new RowRepair(options.store, () => options.writer.now);
  }

  /**
   * Looks at everything that is due; does nothing while an earlier call is running. An error of one shard or one task is reported, and
   * stops no other.
   *
   * @returns how many tasks were looked at
   */
  async run(): Promise<number> {
    if (this.#isSweeping) return 0;
    this.#isSweeping = true;
    const count = await this.#runAll();
    this.#isSweeping = false;
    const [storeError] = this.#storeErrors.splice(0);
    if (storeError !== undefined && !this.#isStopped) this.options.onError(storeError);
    return count;
  }

  /** Ends the present run after the work that it has begun, and reports nothing any more: the connections may end. */
  stop(): void {
    this.#isStopped = true;
  }

  async #runAll(): Promise<number> {
    const { agenda } = this.options.store;
    let count = 0;
    const first = Math.floor(Math.random() * agenda.shards);
    for (let turn = 0; turn < agenda.shards; turn++)
      await this.#guard(async () => {
        count += await this.#sweepShard((first + turn) % agenda.shards);
      });
    await this.#guard(() => agenda.flush());
    await this.#guard(() => agenda.heal((taskIds) => this.#rows.writeMissing(taskIds)));
    await this.#guard(() => this.#rows.goOn());
    return count;
  }

  async #sweepShard(shard: number): Promise<number> {
    let count = 0;
    while (!this.#isStopped) {
      const taken = await this.options.store.agenda.take(shard, BATCH, LEASE_MS);
      await this.#lookAt(taken);
      count += taken.taskIds.length;
      if (taken.taskIds.length < BATCH) break;
    }
    return count;
  }

  async #lookAt(taken: TakenEntries): Promise<void> {
    if (taken.taskIds.length === 0) return;
    const { store, writer } = this.options;
    const verdicts: Verdicts = new Map();
    const tasks = await this.#read(taken.taskIds, verdicts);
    await this.#guard(() => this.#rows.write(tasks.map(({ view }) => view)));
    const jobs = tasks.flatMap((task) => jobToLookFor(task, writer.now) ?? []);
    const isThere = await store.queue.has(jobs);
    const lost = new Map(jobs.filter((_, index) => isThere[index] === false).map((job) => [job.taskId, job]));
    const deps = { store, writer, periodMs: Math.max(SHORTEST_PERIOD_MS, (1_000 * taken.total) / LOOKS_PER_SECOND) };
    await inParallel(tasks, WIDTH, (task) => {
      const { taskId } = task.view;
      return this.#isolate(taskId, verdicts, () => look(task, lost.get(taskId), deps));
    });
    await store.agenda.settle(taken, verdicts);
  }

  /** The tasks that are there and can be read. */
  async #read(taskIds: readonly TaskId[], verdicts: Verdicts): Promise<readonly SeenTask[]> {
    try {
      const views = await this.options.store.events.views(taskIds);
      for (const [index, taskId] of taskIds.entries()) if (views[index] === undefined) verdicts.set(taskId, 'remove');
      return views.flatMap((view) => (view === undefined ? [] : seen(view)));
    } catch {
      // One of them cannot be read, or one master of a cluster is away: that must not hold up the others.
      verdicts.clear();
    }
    const tasks: SeenTask[] = [];
    await inParallel(taskIds, WIDTH, (taskId) =>
      this.#isolate(taskId, verdicts, async () => {
        const task = await this.#readOne(taskId);
        if (task === undefined) return 'remove';
        tasks.push(task);
        return undefined;
      }),
    );
    return tasks;
  }

  /** Reads the view, or the events if the view cannot be read: the next append writes it again. */
  async #readOne(taskId: TaskId): Promise<SeenTask | undefined> {
    const { store } = this.options;
    try {
      const [view] = await store.events.views([taskId]);
      return view && seen(view);
    } catch (error) {
      if (isStoreError(error)) throw error;
      const state = fold(await store.events.read(taskId));
      if (state.version === 0) throw error;
      return { view: project(taskId, state).view, state };
    }
  }

  /** Notes the verdict on the task's entry. If its own error does not let it be looked at, it is set aside. */
  async #isolate(taskId: TaskId, verdicts: Verdicts, work: () => Promise<AgendaVerdict | undefined>): Promise<void> {
    try {
      const verdict = await work();
      if (verdict !== undefined) verdicts.set(taskId, verdict);
    } catch (error) {
      if (isStoreError(error)) this.#storeErrors.push(error);
      else {
        verdicts.set(taskId, SET_ASIDE_MS);
        this.#report(taskId, error);
      }
    }
  }

  #report(taskId: TaskId, cause: unknown): void {
    if (this.#reported.has(taskId)) return;
    if (this.#reported.size >= MAX_REMEMBERED) this.#reported.clear();
    this.#reported.add(taskId);
    this.#setAside += 1;
    this.options.onError(new TaskSetAside(taskId, this.#setAside, cause));
  }

  async #guard(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#storeErrors.push(error);
    }
  }
}
