/**
 * Guards all passes of a worker: it holds back the passes that operators have paused, and knows since when the others run.
 *
 * The pauses are read after each change message, and once a second in case a message was missed. So without a pause they cost nothing, and
 * while a tool is paused they cost a read of the view of each task. Passes of a pause that ended are put back into the queue by any worker
 * that looks.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { TaskId } from '../domain/task-id.js';
import type { TaskStore } from '../ports/task-store.js';
import type { Unsubscribe } from '../ports/event-store.js';
import { NOTHING_PAUSED, type PausedWork, type PauseName, pauseName } from '../ports/queue-pauses.js';
import type { JobDelivery, JobHandler, JobVerdict } from '../ports/task-queue.js';
import { MAX_LISTED_PASSES, type RunningPass } from '../ports/worker-registry.js';

const LOOK_MS = 1_000;
/** How many jobs of a queue are put back into it at once. */
const PUT_BACK = 500;

/** Dependencies of the gate. */
export interface PassGateOptions {
  readonly store: Pick<TaskStore, 'pauses' | 'events' | 'clock'>;
  /** Epoch milliseconds. @defaultValue the clock of the store */
  readonly clock?: () => number;
  /** Since when a task waits to be tried. @defaultValue no task waits */
  readonly waitsForTrialSince?: (taskId: TaskId) => number | undefined;
  readonly onError: (error: unknown) => void;
}

/** The gate of one worker. */
export class PassGate {
  readonly #passes = new Set<RunningPass>();
  readonly #stopped = new AbortController();
  readonly #clock: () => number;
  #paused: PausedWork = NOTHING_PAUSED;
  /** Both run at the same time: a queue with hanging commands must not delay a worker's reading of pauses. */
  readonly #lookSoon = onceMore(() => this.#look());
  readonly #putBackSoon = onceMore(() => this.#putBack());
  #unsubscribe: Unsubscribe | undefined;

  constructor(private readonly options: PassGateOptions) {
    this.#clock = options.clock ?? options.store.clock;
  }

  /** Resolves when it is known what is paused. @throws TaskError `STORE_UNAVAILABLE` */
  async start(): Promise<void> {
    const { pauses } = this.options.store;
    this.#unsubscribe = await pauses.onChange(() => this.#lookSoon());
    this.#paused = await pauses.present();
    void this.#keepLooking();
  }

  stop(): void {
    this.#stopped.abort();
    this.#unsubscribe?.();
  }

  /** How many passes run, and the longest running of them. */
  get running(): { readonly busy: number; readonly passes: readonly RunningPass[] } {
    const { waitsForTrialSince } = this.options;
    // They are in the order in which they began.
    const passes = [...this.#passes].slice(0, MAX_LISTED_PASSES).map((pass) => {
      const since = waitsForTrialSince?.(pass.taskId);
      return since === undefined ? pass : Object.assign({}, pass, { waitsForTrialSince: since });
    });
    return { busy: this.#passes.size, passes };
  }

  /** Handles a delivery, unless its pass is paused. */
  readonly guard = (handler: JobHandler): JobHandler => {
    return async (delivery) => {
      const pausedBy = await this.#pauseOf(delivery);
      return pausedBy === undefined ? this.#during(delivery, handler) : { pausedBy };
    };
  };

  async #during(delivery: JobDelivery, handler: JobHandler): Promise<JobVerdict> {
    const pass: RunningPass = { taskId: delivery.job.taskId, since: this.#clock() };
    this.#passes.add(pass);
    try {
      return await handler(delivery);
    } finally {
      this.#passes.delete(pass);
    }
  }

  async #pauseOf({ job: { taskId } }: JobDelivery): Promise<PauseName | undefined> {
    const { all, tools } = this.#paused;
    if (all) return pauseName();
    if (tools.length === 0) return undefined;
    const tool = await this.#toolOf(taskId);
    // The task may have ended, and then its job has ended too.
    return tool !== undefined && tools.includes(tool) ? pauseName(tool) : undefined;
  }

  async #toolOf(taskId: TaskId): Promise<string | undefined> {
    const [view] = await this.options.store.events.views([taskId]);
    return view?.ending === undefined ? view?.tool : undefined;
  }

  async #keepLooking(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      this.#lookSoon();
      await wait(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #look(): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    try {
      this.#paused = await this.options.store.pauses.present();
      this.#putBackSoon();
    } catch (error) {
      // The known pauses stay until the next look.
      this.options.onError(error);
    }
  }

  async #putBack(): Promise<void> {
    const { store, onError } = this.options;
    try {
      while (!this.#stopped.signal.aborted && (await store.pauses.putBack(PUT_BACK)) >= PUT_BACK);
    } catch (error) {
      onError(error);
    }
  }
}

/** Starts work that never rejects. If it is requested again while it runs, it runs once more, and no more than once. */
function onceMore(run: () => Promise<void>): () => void {
  let isAsked = false;
  let isRunning = false;
  const runWhileAsked = async (): Promise<void> => {
    isRunning = true;
    while (isAsked) {
      isAsked = false;
      await run();
    }
    isRunning = false;
  };
  return () => {
    isAsked = true;
    if (!isRunning) void runWhileAsked();
  };
}
