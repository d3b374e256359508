import { setTimeout as wait } from 'node:timers/promises';
import type { RegisteredWorker, WorkerRegistry } from '../store/worker-registry.js';

/** What the presence works with. */
export interface WorkerPresenceOptions {
  readonly registry: WorkerRegistry;
  readonly worker: RegisteredWorker;
  readonly onError: (error: unknown) => void;
}

/** A worker's place among the others: it beats. */
export class WorkerPresence {
  readonly #stopped = new AbortController();

  constructor(private readonly options: WorkerPresenceOptions) {}

  /** Registers the worker and begins to beat. */
  async start(): Promise<void> {
    const { registry, worker } = this.options;
    await registry.beat(worker);
    void this.#keepBeating();
  }

  /** Stops to beat and says that the worker takes no jobs any more: see `WorkerRegistry.leave`. */
  leave(): void {
    this.#stopped.abort();
    this.options.registry.leave(this.options.worker.workerId);
  }

  async #keepBeating(): Promise<void> {
    const { registry, worker, onError } = this.options;
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      await wait(registry.times.beatMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) await registry.beat(worker).catch(onError);
    }
  }
}
