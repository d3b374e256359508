import type { TaskId } from '../task-id.js';
import type { ScheduleDefinition, ScheduleEvent, ScheduleOrigin, StartCause } from './schedule-events.js';

/** A start that was decided and is not recorded yet. */
export interface PendingStart {
  readonly cause: StartCause;
  readonly dueAt: number;
  readonly taskId: TaskId;
  readonly begunAt: number;
  /** The revision of the schedule under which the creation was tried: a task is created under one key only. */
  readonly revision: number;
  /** How often it was refused. */
  readonly refusals: number;
  readonly retryAt?: number;
  readonly code?: string;
}

/** Past times that an operator asked for. */
export interface Backfill {
  readonly id: string;
  readonly to: number;
  readonly next: number;
}

/** The state of a schedule: the fold of its events. */
export interface ScheduleState {
  /** Tells it from an earlier schedule of the same name. Nobody can guess it: ids of its tasks are made of it. */
  readonly uid: string;
  readonly name: string;
  readonly origin: ScheduleOrigin;
  readonly definition: ScheduleDefinition;
  /** Grows with each change of the definition or the arguments. */
  readonly revision: number;
  readonly addedAt: number;
  readonly addedBy: string;
  readonly paused?: { readonly at: number; readonly by: string; readonly reason: string };
  /** Times up to this one are skipped, because the schedule was paused. */
  readonly pausedUntil?: number;
  /** The next time that is not handled yet; absent if there is none. */
  readonly next?: number;
  readonly starting?: PendingStart;
  /** The time that waits until the earlier task has ended. */
  readonly queued?: number;
  readonly backfills: readonly Backfill[];
  readonly runs: readonly { readonly id: string; readonly at: number }[];
  /** The latest tasks that may not have ended. */
  readonly open: readonly TaskId[];
  readonly last?: { readonly dueAt: number; readonly at: number; readonly taskId: TaskId };
  readonly starts: number;
  readonly skips: number;
  /** When it turned out to have no more times. */
  readonly endedAt?: number;
}

/** So many of its latest tasks count as earlier ones that may still run. */
const MAX_OPEN = 16;

/** The state after an event. A schedule begins with `ScheduleAdded`. */
export function evolveSchedule(state: ScheduleState | undefined, event: ScheduleEvent): ScheduleState {
  if (event.type === 'ScheduleAdded') return added(event);
  if (state === undefined) throw new RangeError(`A schedule does not begin with ${event.type}.`);
  switch (event.type) {
    case 'ScheduleChanged':
      return changed(state, event);
    case 'SchedulePaused': {
      const { at, by, reason } = event;
      return { ...state, paused: { at, by, reason } };
    }
    case 'ScheduleResumed': {
      const { paused: _, ...rest } = state;
      return { ...rest, pausedUntil: event.at };
    }
    case 'RunRequested':
      return { ...state, runs: [...state.runs, { id: event.id, at: event.at }] };
    case 'BackfillRequested': {
      const { id, to, first } = event;
      return { ...state, backfills: [...state.backfills, { id, to, next: first }] };
    }
    case 'StartBegun':
      return begun(state, event);
    case 'Started': {
      const { starting: _, ...rest } = state;
      const { dueAt, at, taskId } = event;
      return { ...rest, open: [...state.open, taskId].slice(-MAX_OPEN), last: { dueAt, at, taskId }, starts: state.starts + 1 };
    }
    case 'StartRefused': {
      const { starting } = state;
      if (starting === undefined) return state;
      const { code, retryAt } = event;
      // It is known now that the earlier revision has created nothing.
      return { ...state, starting: { ...starting, refusals: starting.refusals + 1, code, retryAt, revision: state.revision } };
    }
    case 'StartQueued':
      return { ...withNext(state, event.next), queued: event.dueAt };
    case 'TimesSkipped':
      return skipped(state, event);
    case 'ScheduleEnded':
      return { ...state, endedAt: event.at };
  }
}

type Of<Type extends ScheduleEvent['type']> = Extract<ScheduleEvent, { type: Type }>;

function added({ uid, name, origin, definition, at, by, next }: Of<'ScheduleAdded'>): ScheduleState {
  const first = { uid, name, origin, definition, revision: 1, addedAt: at, addedBy: by };
  return withNext({ ...first, backfills: [], runs: [], open: [], starts: 0, skips: 0 }, next);
}

function changed(state: ScheduleState, { definition, next }: Of<'ScheduleChanged'>): ScheduleState {
  const { endedAt: _, starting, ...rest } = state;
  const revision = state.revision + 1;
  // A try that was refused has created nothing, so the next one has the new arguments.
  const pending = starting && (starting.refusals > 0 ? { ...starting, revision } : starting);
  return withNext({ ...rest, definition, revision, ...(pending !== undefined && { starting: pending }) }, next);
}

function begun(state: ScheduleState, event: Of<'StartBegun'>): ScheduleState {
  const { cause, dueAt, taskId, at, unfinished, next } = event;
  const starting = { cause, dueAt, taskId, begunAt: at, revision: state.revision, refusals: 0 };
  return { ...afterTime(state, cause, next), starting, open: unfinished };
}

function skipped(state: ScheduleState, { cause, count, next }: Of<'TimesSkipped'>): ScheduleState {
  const skips = state.skips + count;
  const { starting, ...rest } = state;
  // The time of a start that was decided is handled already.
  return { ...(starting === undefined ? afterTime(state, cause, next) : rest), skips };
}

/** A time is handled. @param next the next time of what it was a time of */
function afterTime(state: ScheduleState, cause: StartCause, next: number | null): ScheduleState {
  switch (cause) {
    case 'time':
      return withNext(state, next);
    case 'queue': {
      const { queued: _, ...rest } = state;
      return rest;
    }
    case 'run':
      return { ...state, runs: state.runs.slice(1) };
    case 'backfill': {
      const [first, ...others] = state.backfills;
      return { ...state, backfills: first === undefined || next === null ? others : [{ ...first, next }, ...others] };
    }
  }
}

function withNext(state: ScheduleState, next: number | null): ScheduleState {
  const { next: _, ...rest } = state;
  return next === null ? rest : { ...rest, next };
}
