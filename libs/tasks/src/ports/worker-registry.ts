/**
 * Lists the workers of a deployment, as they report themselves. Recovery acts on it when one has died, a rolling deployment when it asks
 * who knows a tool, and operators look at it.
 *
 * A worker that does not beat for `deadAfterMs`, by the time of the store, counts as dead; so does a worker that said at its end that it
 * leaves. If the store sees that the connection of a worker has ended, and the worker does not beat by another one soon, it counts as dead
 * too. A dead worker stays listed until another worker forgets it and gives its work to others.
 */
import type { TaskId } from '../domain/task-id.js';

/** A pass that a worker runs, or a delivery that it handles otherwise. */
export interface RunningPass {
  readonly taskId: TaskId;
  /** When it was given to the worker, epoch milliseconds by the clock of the store. */
  readonly since: number;
  /** Since when it waits to be tried, because processes that ran it have died: epoch milliseconds by the clock of the store. */
  readonly waitsForTrialSince?: number;
}

/** A worker names at most this many passes: the longest running, so that a stuck one is among them. */
export const MAX_LISTED_PASSES = 50;

/** A worker's description of itself. */
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
  /** How many passes it runs now. */
  readonly busy?: number;
  /** The longest running passes, at most `MAX_LISTED_PASSES`. */
  readonly running?: readonly RunningPass[];
}

/**
 * The members that are stored: named one by one, since the worker's own object may have more.
 *
 * @param connection by which others see whether the worker is there: the registry's own
 */
export function detailsOf(
  { workerId, version, tools, lockToken, startedAt, slots, busy, running }: RegisteredWorker,
  connection?: string,
): string {
  const passes = running?.slice(0, MAX_LISTED_PASSES).map((pass) => {
    return { taskId: pass.taskId, since: pass.since, waitsForTrialSince: pass.waitsForTrialSince };
  });
  return JSON.stringify({ workerId, version, tools, lockToken, startedAt, slots, busy, running: passes, connection });
}

/** What is stored of a worker. */
export function storedWorker(details: string): { readonly worker: RegisteredWorker; readonly connection?: string } {
  const { connection, ...worker } = JSON.parse(details) as RegisteredWorker & { readonly connection?: string };
  return { worker, ...(connection !== undefined && { connection }) };
}

/** The reply to a beat. */
export interface Heartbeat {
  /** Whether the registry knew it before: false at the first beat, and when it was declared dead since its last one. */
  readonly known: boolean;
  /** The longest silence of another living worker, milliseconds; 0 without another worker. */
  readonly silentMs: number;
  /** Workers that have died and were not forgotten yet. */
  readonly dead: readonly DeadWorker[];
  /** Whether the connection of another worker has ended, which may be dead soon. */
  readonly isOneCut?: boolean;
}

/** A worker that is dead as far as the registry knows; after an outage of the store all workers look dead. */
export interface DeadWorker {
  readonly worker: RegisteredWorker;
  /** Whether the worker itself said that it leaves. */
  readonly left: boolean;
  /** What is known to have ended: the whole process, or its connection, which a living worker opens again within a second. */
  readonly ended?: 'process' | 'connection';
}

/**
 * A worker whose connection has ended is dead when it has not beaten for this share of `deadAfterMs`. It connects again within a second if
 * it lives. It is asked for from the second share on.
 */
export const CUT_SHARE = { dead: 0.3, asked: 0.15 } as const;

/** `gone`: the worker said that it leaves, or its work was given to others, or it never beat. `silent`: dead unless the store was away. */
export type WorkerStanding = 'live' | 'silent' | 'gone';

/** When a worker counts as dead. */
export interface WorkerTimes {
  /** From one beat to the next. */
  readonly beatMs: number;
  /** A worker that has not beaten for this long is dead. */
  readonly deadAfterMs: number;
}

/**
 * With these the death of a worker is noticed 0.7 to 1.7 s after it where its connection tells, otherwise 3.5 to 4.5 s after it, and its
 * jobs continue half a second later. A worker that starts notices deaths from before at once in a data file, after 1.2 s by connections. Shorter times would take a busy machine for a dead one.
 */
export const DEFAULT_WORKER_TIMES: WorkerTimes = { beatMs: 500, deadAfterMs: 4_000 };

/** The workers of a deployment. All methods except `leave` throw TaskError `STORE_UNAVAILABLE`. */
export interface WorkerRegistry {
  readonly times: WorkerTimes;
  /**
   * Calls `listener` when the connection of this process ends, with false, and when there is another one, with true.
   */
  onConnection(listener: (isThere: boolean) => void): void;
  /** Says that the worker is alive. */
  beat(worker: RegisteredWorker): Promise<Heartbeat>;
  /** The workers that are alive, in no order. */
  live(): Promise<readonly RegisteredWorker[]>;
  standing(workerId: string): Promise<WorkerStanding>;
  /**
   * Records that the worker takes no more jobs, whether it gave its work back or dies. It is written before this returns, so that a process
   * may call it in its last moment. If it cannot be written, the worker's silence means the same.
   */
  leave(workerId: string): void;
  /**
   * Removes a worker that is dead, so that its work can be given to others. If it is alive after all, the reply to its next beat says that
   * it is not known.
   *
   * @returns false when it has beaten since then, or another worker removed it
   */
  forget(workerId: string): Promise<boolean>;
}
