/**
 * Parks tasks that this worker or another one cannot run: the worker gives such tasks back, takes parked tasks that it may be able to run,
 * and fails tasks that no worker can run. `docs/adr/0013-tasks-find-a-worker-that-fits.md`
 */
import type { TaskState } from '../domain/state.js';
import type { JobDelivery } from '../ports/task-queue.js';
import type { TaskStore } from '../ports/task-store.js';
import type { ParkedTask } from '../ports/parked-tasks.js';
import { GiveBack } from './give-back.js';
import { NoWorkerWatch } from './no-worker-watch.js';
import { ParkedTaskTaker } from './parked-task-taker.js';
import type { TaskWriter } from '../write/task-writer.js';

/** The parking of one worker. */
export interface TaskParkingOptions {
  readonly store: TaskStore;
  readonly writer: TaskWriter;
  readonly version: string;
  readonly knows: (tool: string) => boolean;
  readonly concurrency: number;
  readonly noWorkerMs?: number | undefined;
  readonly onGivenBack?: ((task: ParkedTask) => void) | undefined;
  readonly onError: (error: unknown) => void;
}

/** Combines the three parts. */
export class TaskParking {
  readonly giveBack: GiveBack;
  readonly taker: ParkedTaskTaker;
  private readonly watch: NoWorkerWatch;

  constructor(private readonly options: TaskParkingOptions) {
    const { store, writer, version, knows, concurrency, noWorkerMs, onGivenBack, onError } = options;
    const { parked, workers, queue } = store;
    const worker = { version, knows };
    this.giveBack = new GiveBack({ parked, workers, writer, version, onGivenBack });
    this.taker = new ParkedTaskTaker({ parked, queue, worker, concurrency, onError });
    this.watch = new NoWorkerWatch({ parked, workers, writer, worker, noWorkerMs });
  }

  /**
   * Parks a task whose record this worker cannot read: it has an event that only a later version knows, or refers to large values, and the
   * worker has no place for them.
   *
   * @returns whether it did
   */
  async unreadable(delivery: JobDelivery, state: TaskState, isDue: boolean): Promise<boolean> {
    if (await this.giveBack.unknownRecord(delivery, state, isDue)) return true;
    return this.options.store.values === undefined && this.giveBack.largeValues(delivery, state, isDue);
  }

  /** Looks at all parked tasks. Call it about every second. @throws TaskError `STORE_UNAVAILABLE` */
  async look(): Promise<void> {
    const groups = await this.options.store.parked.groups();
    await this.taker.take(groups);
    await this.watch.look(groups);
  }
}
