/**
 * Fails parked tasks for which no worker that fits has been alive for too long. Each worker watches for itself, from the moment when it
 * first finds no such worker. So the time counts only while there are workers, and clocks need not agree.
 */
import { mayRun, type ParkedGroup, type ParkedTask, type ParkedTasks } from '../ports/parked-tasks.js';
import type { WorkerRegistry } from '../ports/worker-registry.js';
import { failPermanently, failureFor } from './fail-permanently.js';
import { withCauses } from './give-back.js';
import { DEFAULT_NO_WORKER_MS } from '../limits.js';
import type { TaskWriter } from '../write/task-writer.js';
import type { TaskFailure } from '../domain/events.js';
import { wholeMs } from '../domain/milliseconds.js';

/** How many tasks are failed at a time. */
const BATCH = 100;

/** Dependencies of the watch, and its time limit. */
export interface NoWorkerWatchOptions {
  readonly parked: ParkedTasks;
  readonly workers: Pick<WorkerRegistry, 'live'>;
  readonly writer: TaskWriter;
  readonly worker: Parameters<typeof mayRun>[0];
  /** How long parked tasks wait while no worker that fits is alive. @defaultValue `DEFAULT_NO_WORKER_MS` */
  readonly noWorkerMs?: number | undefined;
}

/** The watch of one worker. */
export class NoWorkerWatch {
  /** Since when no worker fits, by the name of the group. */
  private readonly since = new Map<string, number>();
  private readonly noWorkerMs: number;

  constructor(private readonly options: NoWorkerWatchOptions) {
    this.noWorkerMs = options.noWorkerMs ?? DEFAULT_NO_WORKER_MS;
  }

  /** Looks at the groups that have tasks now. @throws TaskError `STORE_UNAVAILABLE` */
  async look(groups: readonly ParkedGroup[]): Promise<void> {
    const unfit = await this.withoutWorker(groups);
    const names = new Set(unfit.map(({ name }) => name));
    for (const name of this.since.keys()) if (!names.has(name)) this.since.delete(name);
    const now = performance.now();
    for (const group of unfit) {
      const since = this.since.get(group.name) ?? now;
      this.since.set(group.name, since);
      if (now - since >= this.noWorkerMs) await this.fail(group);
    }
  }

  private async withoutWorker(groups: readonly ParkedGroup[]): Promise<readonly ParkedGroup[]> {
    const unfit = groups.filter((group) => !mayRun(this.options.worker, group));
    if (unfit.length === 0) return [];
    const live = (await this.options.workers.live()).map(({ version, tools }) => ({
      version,
      knows: (tool: string) => tools.includes(tool),
    }));
    return unfit.filter((group) => !live.some((worker) => mayRun(worker, group)));
  }

  private async fail(group: ParkedGroup): Promise<void> {
    const { parked, writer } = this.options;
    for (;;) {
      const tasks = await parked.take(group, BATCH, wholeMs(this.noWorkerMs));
      await Promise.all(tasks.map((task) => failPermanently(writer, task.taskId, this.failureOf(task)).catch(() => parked.park(task))));
      if (tasks.length < BATCH) return;
    }
  }

  private failureOf({ tool, asked, misfit }: ParkedTask): TaskFailure {
    const what = `The task of the tool "${tool}" failed permanently: for ${this.noWorkerMs} ms (LONGHAUL_NO_WORKER_MS) no worker was alive`;
    const versions = asked.join(', ');
    return misfit === undefined
      ? failureFor('NO_WORKER', `${what} that has this tool. Versions that were asked: ${versions}.`)
      : failureFor('NONDETERMINISM', `${what} whose code fits its record. Versions that were asked: ${versions}. ${withCauses(misfit)}`);
  }
}
