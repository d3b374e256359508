/**
 * The workers of a deployment, as they say themselves. Recovery acts on it when one has died, a rolling deployment when
 * it asks who knows a tool, and operators look at it.
 *
 * A worker that does not beat for `deadAfterMs`, by the time of the store, counts as dead; so does one whose process
 * said at its end that it leaves. A dead one stays listed until somebody forgets it, who gives its work to others.
 */
import type { TaskId } from '../domain/task-id.js';

/** A pass that a worker runs, or a delivery that it handles otherwise. */
export interface RunningPass {
  readonly taskId: TaskId;
  /** When it was given to the worker, epoch milliseconds by the clock of the worker. */
  readonly since: number;
}

/** So many passes a worker names at most: those that have run for longest, so that one that is stuck is among them. */
export const MAX_LISTED_PASSES = 50;

/** What a worker says of itself. */
export interface RegisteredWorker {
  /** As in `PassStarted`. */
  readonly workerId: string;
  /** Version of the deployment that it runs. */
  readonly version: string;
  /** Names of the durable tools that it knows. */
  readonly tools: readonly string[];
  /** The locks of its jobs begin with this: see `JobRecovery`. */
  readonly lockToken: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Passes that it runs at once. */
  readonly slots: number;
  /** How many it runs now. */
  readonly busy?: number;
  /** Those of them that have run for longest, at most `MAX_LISTED_PASSES`. */
  readonly running?: readonly RunningPass[];
}

/** As it is stored: named one by one, since the worker's own object may have more. */
export function detailsOf({ workerId, version, tools, lockToken, startedAt, slots, busy, running }: RegisteredWorker): string {
  const passes = running?.slice(0, MAX_LISTED_PASSES).map(({ taskId, since }) => ({ taskId, since }));
  return JSON.stringify({ workerId, version, tools, lockToken, startedAt, slots, busy, running: passes });
}

/** What a worker learns from its beat. */
export interface Heartbeat {
  /** Whether the registry knew it before: false at the first beat, and when it was declared dead since its last one. */
  readonly known: boolean;
  /** How long the other living worker that was silent for longest was so, milliseconds; 0 without one. */
  readonly silentMs: number;
  /** Workers that have died and were not forgotten yet. */
  readonly dead: readonly DeadWorker[];
}

/** A worker that is dead as far as the registry knows; after an outage of the store all of them look so. */
export interface DeadWorker {
  readonly worker: RegisteredWorker;
  /** Whether it said itself that it leaves. */
  readonly left: boolean;
}

/** `gone`: it said that it leaves, or its work was given to others, or it never beat. `silent`: dead unless the store was away. */
export type WorkerStanding = 'live' | 'silent' | 'gone';

/** When a worker counts as dead. */
export interface WorkerTimes {
  /** From one beat to the next. */
  readonly beatMs: number;
  /** A worker that has not beaten for this long is dead. */
  readonly deadAfterMs: number;
}

/**
 * With these the death of a worker is noticed 3.5 to 4.5 s after it, and its jobs go on half a second later. Shorter
 * times would take a busy machine for a dead one.
 */
export const DEFAULT_WORKER_TIMES: WorkerTimes = { beatMs: 500, deadAfterMs: 4_000 };

/** Who works. All methods but `leave` throw TaskError `STORE_UNAVAILABLE`. */
export interface WorkerRegistry {
  readonly times: WorkerTimes;
  /** Says that the worker is alive. */
  beat(worker: RegisteredWorker): Promise<Heartbeat>;
  /** The workers that are alive, in no order. */
  live(): Promise<readonly RegisteredWorker[]>;
  standing(workerId: string): Promise<WorkerStanding>;
  /**
   * The worker's own word that it takes no jobs any more, whether it gave its work back or dies. It is written before
   * this returns, so that a process may say it in its last moment; where it cannot be written, silence says the same.
   */
  leave(workerId: string): void;
  /**
   * Removes a worker that is dead, so that its work can be given to others. Should it live after all, its next beat says
   * that it is not known.
   *
   * @returns false when it has beaten meanwhile, or somebody else removed it
   */
  forget(workerId: string): Promise<boolean>;
}
