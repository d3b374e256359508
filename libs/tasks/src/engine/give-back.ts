/**
 * Gives back tasks that a worker cannot run: their tool is not there, the code does not fit the record, or this version lacks an operation
 * that the code calls or an event that the record has. Giving back records nothing and spends no attempt; a claim that was recorded stays
 * recorded. The task is parked for a worker of another version. One exception: if its own code made the record and no other version is
 * alive, no worker will ever fit, and the task is failed.
 */
import type { TaskState } from '../domain/state.js';
import type { TaskId } from '../domain/task-id.js';
import type { JobDelivery } from '../ports/task-queue.js';
import { isLack, unknownRecord, withoutPlace } from '../replay/lacking.js';
import type { PassJournal } from '../replay/pass-journal.js';
import type { GivenBack, ParkedTask, ParkedTasks } from '../ports/parked-tasks.js';
import type { WorkerRegistry } from '../ports/worker-registry.js';
import { failPermanently, failureFor } from './fail-permanently.js';
import type { TaskWriter } from '../write/task-writer.js';

/** A worker remembers this many tasks that do not fit, so that it does not try them again in vain. */
const REMEMBERED = 10_000;

/** Says how code and record differ, and what to do about it. */
const CAUSES =
  'its code has changed since the task began (context.changed keeps the old way for such tasks), or it depends on time, randomness or ' +
  'I/O outside of steps (context.now, context.randomUUID and context.step record them)';

/** A misfit, and what may be the cause of it. */
export function withCauses(misfit: string): string {
  return isLack(misfit) ? `${misfit}.` : `${misfit}: ${CAUSES}.`;
}

/** Dependencies of giving back. */
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

  /** Parks a task if its code is known not to fit this attempt. @returns whether it did */
  async knownMisfit(delivery: JobDelivery, state: TaskState): Promise<boolean> {
    const known = this.misfits.get(delivery.job.taskId);
    if (known?.attemptSince !== attemptSinceOf(state)) return false;
    await this.park(delivery, state, known.misfit);
    return true;
  }

  /** Parks a task if its record has an event that only a later version knows. @returns whether it did */
  async unknownRecord(delivery: JobDelivery, state: TaskState, isDue: boolean): Promise<boolean> {
    const { unknownEvent, pass, outcome, task } = state;
    // A running task has a worker, unless that was lost. Only a later version knows whether a waiting task is due.
    if (unknownEvent === undefined || outcome !== undefined || (pass.phase === 'running' && !isDue)) return false;
    await this.park(delivery, state, unknownRecord(task?.tool ?? '', unknownEvent));
    return true;
  }

  /** Parks a task whose record refers to large values, for a worker that has a place for them. @returns whether it did */
  async largeValues(delivery: JobDelivery, state: TaskState, isDue: boolean): Promise<boolean> {
    if (state.largeBytes === 0 || state.outcome !== undefined || !isDue) return false;
    await this.park(delivery, state, withoutPlace(state.task?.tool ?? ''));
    return true;
  }

  /** Parks a task of a tool that this worker does not know. */
  unknownTool(delivery: JobDelivery, state: TaskState): Promise<void> {
    return this.park(delivery, state);
  }

  /**
   * Handles a task after its pass ended as `misfit`.
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

/** Another attempt, or another run of a task that was continued as new, may fit workers that this one did not fit. */
function attemptSinceOf({ attemptSince, runSince }: TaskState): number {
  return Math.max(attemptSince, runSince);
}
