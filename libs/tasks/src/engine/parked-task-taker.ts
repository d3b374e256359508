/**
 * Takes parked tasks for one worker, as many as it has free slots, and adds their jobs to the queue. The queue is shared: a worker that was
 * asked before may be faster, and parks the task again at once. So the taker looks for them again at each notice that a task was parked,
 * when a slot becomes free while others wait, and from time to time in case a notice was lost.
 */
import type { TaskQueue } from '../ports/task-queue.js';
import type { Unsubscribe } from '../ports/event-store.js';
import { mayRun, type ParkedGroup, type ParkedTask, type ParkedTasks } from '../ports/parked-tasks.js';

/** Time from a notice to the look, so that many notices cause few looks. */
const PAUSE_MS = 10;

/** Dependencies of the taker. */
export interface ParkedTaskTakerOptions {
  readonly parked: ParkedTasks;
  readonly queue: Pick<TaskQueue, 'addGivenBack'>;
  readonly worker: Parameters<typeof mayRun>[0];
  /** Slots of the worker. */
  readonly concurrency: number;
  readonly onError: (error: unknown) => void;
}

/** Takes parked tasks for one worker. */
export class ParkedTaskTaker {
  private active = 0;
  private isOpen = false;
  private othersWait = false;
  private pause: NodeJS.Timeout | undefined;
  private unsubscribe: Unsubscribe | undefined;

  constructor(private readonly options: ParkedTaskTakerOptions) {}

  /** Begins to take tasks. */
  async start(): Promise<void> {
    const { parked, worker } = this.options;
    this.isOpen = true;
    this.unsubscribe = await parked.onParked((group) => {
      if (group === undefined || mayRun(worker, group)) this.lookSoon();
    });
  }

  /** Takes no tasks from now on. */
  stop(): void {
    this.isOpen = false;
    clearTimeout(this.pause);
    this.unsubscribe?.();
    this.unsubscribe = undefined;
  }

  /** Does the work of one delivery, in a slot of its own. */
  async inSlot<T>(work: () => Promise<T>): Promise<T> {
    this.active += 1;
    try {
      return await work();
    } finally {
      this.active -= 1;
      if (this.othersWait) this.lookSoon();
    }
  }

  /** Takes tasks of these groups. @throws TaskError `STORE_UNAVAILABLE` */
  async take(groups: readonly ParkedGroup[]): Promise<void> {
    const { parked, worker, concurrency } = this.options;
    const own = groups.filter((group) => mayRun(worker, group));
    let free = concurrency - this.active;
    this.othersWait = own.length > 0 && free <= 0;
    for (const [index, group] of own.entries()) {
      // A share for each, so that many tasks of one tool do not hold up the tasks of another.
      const share = Math.ceil(free / (own.length - index));
      if (!this.isOpen || share <= 0) return;
      const tasks = await parked.take(group, share);
      free -= tasks.length;
      this.othersWait ||= tasks.length === share;
      await Promise.all(tasks.map((task) => this.enqueue(task)));
    }
  }

  private async enqueue(task: ParkedTask): Promise<void> {
    const { taskId, pass, lane, ...givenBack } = task;
    try {
      await this.options.queue.addGivenBack({ taskId, pass, tool: task.tool, ...(lane !== undefined && { lane }) }, givenBack);
    } catch (error) {
      await this.options.parked.park(task);
      throw error;
    }
  }

  private lookSoon(): void {
    if (!this.isOpen || this.pause !== undefined) return;
    this.pause = setTimeout(() => {
      this.pause = undefined;
      if (this.active >= this.options.concurrency) this.othersWait = true;
      else void this.look().catch(this.options.onError);
    }, PAUSE_MS).unref();
  }

  private async look(): Promise<void> {
    await this.take(await this.options.parked.groups());
  }
}
