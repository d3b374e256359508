/**
 * Refuses new tasks while too many passes wait for workers. The queue is read about once a second while tasks are created. Tasks created
 * since then count as waiting until the next reading. Before a task is refused because of them, the queue is read again. Other gateways
 * create tasks too, so the limit may be exceeded by the tasks that all of them create between two readings.
 */
import { TaskError } from '../errors.js';
import type { TaskLoad } from '../ports/task-load.js';

const READ_EVERY_MS = 1_000;
/** A reading this young is not read again. */
const MIN_AGE_MS = 20;

/** Its dependencies. */
export interface QueueLimitDeps {
  readonly load: Pick<TaskLoad, 'queue'>;
  /** Passes that may wait; any number if it is absent. */
  readonly most: number | undefined;
  /** Milliseconds that only go forward. @defaultValue `performance.now` */
  readonly now?: () => number;
}

export class QueueLimit {
  /** Passes that waited when the queue was read, or were created since. */
  #waiting = 0;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(private readonly deps: QueueLimitDeps) {}

  /** Takes a slot for the first pass of a task. @throws TaskError `QUEUE_FULL` */
  async requireRoom(): Promise<void> {
    const { most } = this.deps;
    if (most === undefined) return;
    if (this.#ageMs() > READ_EVERY_MS || (this.#waiting >= most && this.#ageMs() > MIN_AGE_MS)) await this.#read();
    if (this.#waiting >= most) throw queueFull(most);
    this.#waiting += 1;
  }

  #ageMs(): number {
    const { now = () => performance.now() } = this.deps;
    return now() - this.#readAt;
  }

  #read(): Promise<void> {
    return (this.#reading ??= this.#readOnce().finally(() => (this.#reading = undefined)));
  }

  async #readOnce(): Promise<void> {
    const { load, now = () => performance.now() } = this.deps;
    const { waiting, setAside } = await load.queue();
    this.#waiting = waiting + setAside;
    this.#readAt = now();
  }
}

function queueFull(most: number): TaskError {
  return new TaskError(
    'QUEUE_FULL',
    `As many calls wait for a worker as may (${most}, LONGHAUL_MAX_QUEUED). Nothing was begun; try again later.`,
    { limit: 'queued', most, retryable: true, retryAfterMs: READ_EVERY_MS },
  );
}
