/**
 * How a worker gives tasks back that it cannot run: their tool is not there, the code does not fit what is recorded, or this version
 * does not have what the code calls or what the record says.
 * Nothing is recorded of that, but a claim that was recorded stays so, and no attempt is spent. The task is parked for a worker of another version, except
 * where its own code made the record and no other version is alive: then no worker will ever fit, and the task is failed.
 */
import type { TaskState } from '../domain/state.js';
import type { TaskId } from '../domain/task-id.js';
import type { JobDelivery } from '../ports/task-queue.js';
import { isLack, unknownRecord } from '../replay/lacking.js';
import type { PassJournal } from '../replay/pass-journal.js';
import type { GivenBack, ParkedTask, ParkedTasks } from '../ports/parked-tasks.js';
import type { WorkerRegistry } from '../ports/worker-registry.js';
import { failPermanently, failureFor } from './fail-permanently.js';
import type { TaskWriter } from '../write/task-writer.js';

/** So many tasks a worker remembers not to fit, in order not to try again for nothing. */
const REMEMBERED = 10_000;

/** What makes code and record differ, and what to do about it. */
const CAUSES =
  'its code has changed since the task began (context.changed keeps the old way for such tasks), or it depends on time, randomness or ' +
  'I/O outside of steps (context.now, context.randomUUID and context.step record them)';

/** A misfit, and what may be the cause of it. */
export function withCauses(misfit: string): string {
  return isLack(misfit) ? `${misfit}.` : `${misfit}: ${CAUSES}.`;
}

/** What tasks are given back by. */
export interface GiveBackOptions {
  readonly parked: ParkedTasks;
  readonly workers: Pick<WorkerRegistry, 'live'>;
  readonly writer: TaskWriter;
  /** Version of this worker. */
  readonly version: string;
  /** Called for each task that is parked after this worker has looked at it. */
  readonly onGivenBack?: ((task: ParkedTask) => void) | undefined;
}

interface Misfit {
  readonly attemptSince: number;
  readonly misfit: string;
}

/** Gives back the tasks of one worker. */
export class GiveBack {
  private readonly misfits = new Map<TaskId, Misfit>();

  constructor(private readonly options: GiveBackOptions) {}

  /** Parks the task again at once if this version was asked already. @returns whether it did */
  async again({ job, givenBack, lost = false }: JobDelivery): Promise<boolean> {
    if (givenBack?.asked.includes(this.options.version) !== true) return false;
    await this.options.parked.park({ ...job, ...givenBack, times: givenBack.times + 1, ...(lost && { lost }) });
    return true;
  }

  /** Parks a task whose code is known not to fit this attempt. @returns whether it did */
  async knownMisfit(delivery: JobDelivery, state: TaskState): Promise<boolean> {
    const known = this.misfits.get(delivery.job.taskId);
    if (known?.attemptSince !== attemptSinceOf(state)) return false;
    await this.park(delivery, state, known.misfit);
    return true;
  }

  /** Parks a task whose record has an event that only a later version knows. @returns whether it did */
  async unknownRecord(delivery: JobDelivery, state: TaskState, isDue: boolean): Promise<boolean> {
    const { unknownEvent, pass, outcome, task } = state;
    // What runs has a worker, unless that was lost; whether what rests is due, only a later version knows.
    if (unknownEvent === undefined || outcome !== undefined || (pass.phase === 'running' && !isDue)) return false;
    await this.park(delivery, state, unknownRecord(task?.tool ?? '', unknownEvent));
    return true;
  }

  /** Parks a task whose tool this worker does not know. */
  unknownTool(delivery: JobDelivery, state: TaskState): Promise<void> {
    return this.park(delivery, state);
  }

  /**
   * Deals with a task whose pass ended as `misfit`.
   *
   * @param loaded the state before the pass
   */
  async misfit(delivery: JobDelivery, loaded: TaskState, journal: PassJournal, misfit: string): Promise<void> {
    const { taskId } = delivery.job;
    if (await this.fitsNobody(loaded))
      return failPermanently(this.options.writer, taskId, failureFor(isLack(misfit) ? 'NO_WORKER' : 'NONDETERMINISM', withCauses(misfit)));
    this.remember(taskId, { attemptSince: attemptSinceOf(loaded), misfit });
    await this.park(delivery, journal.isClaimed ? journal.state : loaded, misfit);
  }

  /** Whether this version has made the whole record, and every worker that lives has it. */
  private async fitsNobody({ recordedBy }: TaskState): Promise<boolean> {
    const { version, workers } = this.options;
    if ([...recordedBy].some((other) => other !== version)) return false;
    return (await workers.live()).every((worker) => worker.version === version);
  }

  private remember(taskId: TaskId, misfit: Misfit): void {
    const [oldest] = this.misfits.keys();
    if (oldest !== undefined && this.misfits.size >= REMEMBERED) this.misfits.delete(oldest);
    this.misfits.set(taskId, misfit);
  }

  private async park(delivery: JobDelivery, state: TaskState, misfit?: string): Promise<void> {
    const { job, givenBack, lost = false, trial } = delivery;
    const { parked, version, onGivenBack } = this.options;
    const attemptSince = attemptSinceOf(state);
    const before: Partial<GivenBack> = givenBack?.attemptSince === attemptSince ? givenBack : {};
    const reason = misfit ?? before.misfit;
    const task: ParkedTask = {
      ...job,
      tool: state.task?.tool ?? '',
      asked: [...(before.asked ?? []), version],
      attemptSince,
      times: (givenBack?.times ?? 0) + 1,
      ...(reason !== undefined && { misfit: reason }),
      ...(state.pass.phase === 'running' && { lostEpoch: state.epoch }),
      ...((lost || trial !== undefined) && { lost: true as const }),
    };
    await parked.park(task);
    onGivenBack?.(task);
  }
}

/** Another attempt, or another run of a task that was continued as new, may fit those whom this one did not. */
function attemptSinceOf({ attemptSince, runSince }: TaskState): number {
  return Math.max(attemptSince, runSince);
}
