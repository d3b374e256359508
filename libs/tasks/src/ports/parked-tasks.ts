/**
 * Defines where tasks wait that workers gave back, because the workers do not know the tool or because their code does not fit the record.
 * Such tasks have no job: in the one queue it would wander among workers that do not fit. A worker that may fit takes them.
 *
 * Tasks of one tool that the same versions gave back are one group, so that a worker sees at a glance which are for it. A task that is lost
 * here, with the process that took it, is found like any unfinished task without a job.
 */
import type { TaskId } from '../domain/task-id.js';
import type { Unsubscribe } from './event-store.js';
import type { Milliseconds } from '../domain/milliseconds.js';

/** Why a task was given back, as far as it matters to the next worker. */
export interface GivenBack {
  readonly tool: string;
  /** Versions of the workers that gave it back, at least one. */
  readonly asked: readonly string[];
  /** Version of the stream at which the attempt began that these workers were asked to run: another attempt may fit them. */
  readonly attemptSince: number;
  /** How often it was given back. */
  readonly times: number;
  /** How the code of one of them did not fit; absent when none of them knew the tool. */
  readonly misfit?: string;
  /** The epoch of a claim that its worker lost or gave back: as long as it is the latest epoch, the pass may be claimed again. */
  readonly lostEpoch?: number;
  /** A delivery was lost: see `JobDelivery`. */
  readonly lost?: true;
}

/** A task that waits for a worker that fits. */
export interface ParkedTask extends GivenBack {
  readonly taskId: TaskId;
  /** The pass that is due. */
  readonly pass: number;
  /** See `TaskJob`. */
  readonly lane?: string;
}

/** The parked tasks of one tool that the same versions gave back. */
export interface ParkedGroup extends Pick<GivenBack, 'tool' | 'asked'> {
  /** Opaque. */
  readonly name: string;
}

/** Where tasks are parked. Every method rejects with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached. */
export interface ParkedTasks {
  /**
   * Parks a task, and lets the workers know. A task that is parked already keeps its time, and gets the versions of both. If the attempts
   * differ, only the later one counts.
   */
  park(task: ParkedTask): Promise<void>;
  /** The groups that have tasks. */
  groups(): Promise<readonly ParkedGroup[]>;
  /**
   * Removes tasks of a group, the longest parked first.
   *
   * @param parkedForMs only such that were parked at least so long ago, by the time of the store
   */
  take(group: ParkedGroup, limit: number, parkedForMs?: Milliseconds): Promise<readonly ParkedTask[]>;
  /** Calls the listener with the group of each task that is parked from now on, and without a group when some may have been missed. */
  onParked(listener: (group: ParkedGroup | undefined) => void): Promise<Unsubscribe>;
}

/** Whether a worker may run the tasks of a group, as far as is known. */
export function mayRun(worker: { readonly version: string; knows(tool: string): boolean }, { tool, asked }: ParkedGroup): boolean {
  return !asked.includes(worker.version) && worker.knows(tool);
}

/** The group of that name. A name is the JSON of the tool and the versions; no line break is in it. */
export function groupNamed(name: string): ParkedGroup {
  const [tool = '', ...asked] = JSON.parse(name) as string[];
  return { name, tool, asked };
}

/** The name of the group that the task is in. */
export function groupNameOf({ tool, asked }: Pick<GivenBack, 'tool' | 'asked'>): string {
  return JSON.stringify([tool, ...asked.toSorted()]);
}

/** The merged record of a task that is parked a second time in the same attempt. */
export function mergedTask(known: ParkedTask, given: ParkedTask): ParkedTask {
  const lane = given.lane ?? known.lane;
  const misfit = given.misfit ?? known.misfit;
  const { pass, lostEpoch } = known.pass > given.pass ? known : given;
  return {
    taskId: given.taskId,
    pass,
    ...(lane !== undefined && { lane }),
    tool: given.tool,
    asked: [...new Set([...known.asked, ...given.asked])].toSorted(),
    attemptSince: given.attemptSince,
    times: Math.max(known.times, given.times),
    ...(misfit !== undefined && { misfit }),
    ...(lostEpoch !== undefined && { lostEpoch }),
    ...((given.lost === true || known.lost === true) && { lost: true as const }),
  };
}
