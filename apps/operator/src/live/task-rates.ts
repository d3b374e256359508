/** Counts how many tasks were created and have ended recently, from the changes. */
import type { TaskChange } from '@longhaul/tasks';

/** The counts, second by second. */
export interface Rates {
  /** The time that the counts cover, milliseconds; at most a minute. */
  readonly overMs: number;
  readonly created: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
}

type Counted = Exclude<keyof Rates, 'overMs'>;

const SECOND_MS = 1_000;
const SECONDS = 60;
const ENDS: ReadonlySet<string> = new Set<Counted>(['completed', 'failed', 'cancelled']);

/** The last minute. */
export class TaskRates {
  readonly #seconds = new Map<number, Record<Counted, number>>();
  #since: number | undefined;

  constructor(private readonly clock: () => number) {}

  /** Counts from now on. */
  start(): void {
    this.#since ??= this.clock();
  }

  /** Stops counting. */
  stop(): void {
    this.#since = undefined;
    this.#seconds.clear();
  }

  count({ status, isNew }: TaskChange): void {
    const second = this.#second(Math.floor(this.clock() / SECOND_MS));
    if (isNew) second.created += 1;
    if (status !== undefined && ENDS.has(status)) second[status as Counted] += 1;
  }

  get now(): Rates {
    const now = this.clock();
    const oldest = Math.floor(now / SECOND_MS) - SECONDS;
    const sum = { created: 0, completed: 0, failed: 0, cancelled: 0 };
    for (const [at, second] of this.#seconds) {
      if (at <= oldest) this.#seconds.delete(at);
      else for (const name of Object.keys(sum) as Counted[]) sum[name] += second[name];
    }
    return { overMs: this.#since === undefined ? 0 : Math.min(now - this.#since, SECONDS * SECOND_MS), ...sum };
  }

  #second(at: number): Record<Counted, number> {
    const found = this.#seconds.get(at) ?? { created: 0, completed: 0, failed: 0, cancelled: 0 };
    this.#seconds.set(at, found);
    return found;
  }
}
