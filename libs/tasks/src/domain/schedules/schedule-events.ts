/**
 * The words of a schedule's stream, which are never renamed. A schedule's state is the fold of its events. Of the events themselves the
 * latest are kept: they are its history.
 */
import type { TaskId } from '../task-id.js';

/** When a schedule is due. Dates and durations are milliseconds. */
export type ScheduleRule =
  | { readonly cron: string; readonly timeZone: string }
  | { readonly everyMs: number; readonly from: number; readonly isFirst?: boolean }
  | { readonly at: number };

/** The effect of an earlier task that still runs on the next time. */
export type Overlap = 'skip' | 'queue' | 'allow' | 'cancel';

/** The tool that a schedule starts, and when. Its arguments are kept separately. */
export interface ScheduleDefinition {
  readonly tool: string;
  readonly owner: string;
  readonly rule: ScheduleRule;
  /** The last date at which it may be due. */
  readonly until?: number;
  /** Each start is up to this much later than its time. */
  readonly jitterMs: number;
  readonly overlap: Overlap;
  /** A start that is late by more than this is left out. */
  readonly catchUpMs: number;
}

/** Who names the schedule: the file of the workers' settings, or operators. */
export type ScheduleOrigin = 'file' | 'api';

/** Why a task is started. `queue`: its time had to wait. `backfill` and `run`: an operator asked for past times, or for one run. */
export type StartCause = 'time' | 'queue' | 'backfill' | 'run';

/**
 * Why a time starts nothing. `outage`: it passed too long ago. `overlap`: an earlier task still ran. `refused`: every try to create the task
 * was refused. `started`: the time of a backfill was started before.
 */
export type SkipReason = 'paused' | 'outage' | 'overlap' | 'refused' | 'started';

/** Members of every event. */
interface Dated {
  /** Epoch milliseconds, by the store's clock. */
  readonly at: number;
}

/** Who did it: `operator:NAME`, or `file`. */
interface Act extends Dated {
  readonly by: string;
}

/** The next time that is not handled yet; null if there is none. */
interface Next {
  readonly next: number | null;
}

/** An event of a schedule. */
export type ScheduleEvent =
  | ({ readonly type: 'ScheduleAdded'; readonly uid: string; readonly name: string; readonly origin: ScheduleOrigin } & Act &
      Next & { readonly definition: ScheduleDefinition })
  | ({ readonly type: 'ScheduleChanged'; readonly definition: ScheduleDefinition } & Act & Next)
  | ({ readonly type: 'SchedulePaused'; readonly reason: string } & Act)
  | ({ readonly type: 'ScheduleResumed' } & Act)
  | ({ readonly type: 'RunRequested'; readonly id: string } & Act)
  /** `first` is its first time. */
  | ({ readonly type: 'BackfillRequested'; readonly id: string; readonly from: number; readonly to: number; readonly first: number } & Act)
  /** It was decided that this task is created; after that nothing but this task is created for this time. */
  | ({
      readonly type: 'StartBegun';
      readonly cause: StartCause;
      readonly dueAt: number;
      readonly taskId: TaskId;
      /** The earlier tasks that had not ended. */
      readonly unfinished: readonly TaskId[];
      /** The next time of the schedule, or of the backfill. */
    } & Dated &
      Next)
  | ({ readonly type: 'Started'; readonly cause: StartCause; readonly dueAt: number; readonly taskId: TaskId } & Dated)
  | ({
      readonly type: 'StartRefused';
      readonly dueAt: number;
      readonly code: string;
      readonly message: string;
      readonly retryAt: number;
    } & Dated)
  | ({ readonly type: 'StartQueued'; readonly dueAt: number } & Dated & Next)
  /** `from` is the first skipped time and `to` the last one, of `count`. */
  | ({
      readonly type: 'TimesSkipped';
      readonly cause: StartCause;
      readonly reason: SkipReason;
      readonly from: number;
      readonly to: number;
      readonly count: number;
      /** Why it was refused. */
      readonly code?: string;
    } & Dated &
      Next)
  | ({ readonly type: 'ScheduleEnded' } & Dated);
