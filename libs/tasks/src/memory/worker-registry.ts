import type { Clock } from '../ports/clock.js';
import {
  DEFAULT_WORKER_TIMES,
  detailsOf,
  type Heartbeat,
  type RegisteredWorker,
  type WorkerRegistry,
  type WorkerStanding,
} from '../ports/worker-registry.js';

interface Entry {
  readonly worker: RegisteredWorker;
  readonly seenAt: number;
}

/** When a worker that left was last seen. */
const LEFT = Number.NEGATIVE_INFINITY;

/** `WorkerRegistry` in memory. */
export class MemoryWorkerRegistry implements WorkerRegistry {
  readonly #entries = new Map<string, Entry>();

  constructor(
    private readonly clock: Clock,
    readonly times = DEFAULT_WORKER_TIMES,
  ) {}

  async beat(worker: RegisteredWorker): Promise<Heartbeat> {
    const now = this.clock();
    const known = this.#entries.has(worker.workerId);
    this.#entries.set(worker.workerId, { worker: JSON.parse(detailsOf(worker)) as RegisteredWorker, seenAt: now });
    const dead = [...this.#entries.values()]
      .filter((entry) => !this.#isAlive(entry))
      .map(({ worker, seenAt }) => ({ worker, left: seenAt === LEFT }));
    const seenAt = [...this.#entries.values()].filter((entry) => this.#isAlive(entry)).map((entry) => entry.seenAt);
    return { known, silentMs: now - Math.min(now, ...seenAt), dead };
  }

  async live(): Promise<readonly RegisteredWorker[]> {
    return [...this.#entries.values()].filter((entry) => this.#isAlive(entry)).map(({ worker }) => worker);
  }

  async standing(workerId: string): Promise<WorkerStanding> {
    const entry = this.#entries.get(workerId);
    if (entry === undefined || entry.seenAt === LEFT) return 'gone';
    return this.#isAlive(entry) ? 'live' : 'silent';
  }

  leave(workerId: string): void {
    const entry = this.#entries.get(workerId);
    if (entry !== undefined) this.#entries.set(workerId, { ...entry, seenAt: LEFT });
  }

  async forget(workerId: string): Promise<boolean> {
    const entry = this.#entries.get(workerId);
    return entry !== undefined && !this.#isAlive(entry) && this.#entries.delete(workerId);
  }

  #isAlive({ seenAt }: Entry): boolean {
    return seenAt > this.clock() - this.times.deadAfterMs;
  }
}
