/**
 * Looks at one schedule that is due, and does what has become due. It records a decision, then acts on it, then records what became of it.
 *
 * A worker may die, or stand still, between any two of these. Then another one finds the decision, and creates the same task: its id and its
 * idempotency key are made of the schedule and the time. So each time has at most one task, however often workers try.
 */
import { evolveSchedule, type ScheduleState } from '../../domain/schedules/schedule-state.js';
import { nextAct, type ScheduleAct } from '../../domain/schedules/next-act.js';
import type { ScheduleEvent } from '../../domain/schedules/schedule-events.js';
import type { TaskId } from '../../domain/task-id.js';
import type { KeptSchedule, ScheduleLimits } from '../../ports/schedule-store.js';
import type { TaskStore } from '../../ports/task-store.js';
import { isView, readableViews } from '../readable-views.js';
import { factsOf } from './schedule-times.js';

/** A look does so many things at most; then others have their turn. */
const MAX_ACTS = 64;
/** A changed schedule is due again after this time, if the worker that looks at it dies. */
const LEASE_MS = 30_000;

/** The result of a time, for logs and metrics. */
export interface ScheduleReport {
  readonly name: string;
  readonly event: ScheduleEvent;
  /** How much later than its time a task was started, milliseconds. */
  readonly latenessMs?: number;
}

/** Dependencies of a look. */
export interface ScheduleLook {
  readonly store: TaskStore;
  /** Creates the task of a start, and says what became of it; nothing if another worker must do it. */
  readonly start: (kept: KeptSchedule, now: number) => Promise<ScheduleEvent | undefined>;
  /** Cancels an earlier task of the schedule. */
  readonly cancel: (state: ScheduleState, taskId: TaskId) => Promise<void>;
  readonly keepEvents: number;
  readonly onReport: (report: ScheduleReport) => void;
  /** Whether the lease still holds, and the worker is not about to stop. */
  readonly mayGoOn: () => boolean;
}

/** For appends that change neither the number of schedules nor an owner. */
const UNLIMITED: ScheduleLimits = { all: Number.MAX_SAFE_INTEGER, ofTenant: Number.MAX_SAFE_INTEGER };
/** How soon a schedule is looked at again that another worker must start. */
const ELSEWHERE_MS = 1_000;

/** @param now by the store's clock */
export async function lookAtSchedule(look: ScheduleLook, name: string, now: number): Promise<void> {
  const { schedules } = look.store;
  let kept = await schedules.read(name);
  for (let acts = 0; kept !== undefined; acts++) {
    if (!look.mayGoOn()) return schedules.postpone(name, kept.version, now);
    const act: ScheduleAct = acts < MAX_ACTS ? await actOf(look, kept.state, now) : { kind: 'wait', until: now };
    if (act.kind === 'wait') return schedules.postpone(name, kept.version, act.until);
    if (act.kind === 'remove') return void (await schedules.remove(name, kept.version));
    kept = await done(look, kept, act, now);
  }
}

/** The next act, with what is known of earlier tasks where it matters. */
async function actOf(
  { store, keepEvents }: Pick<ScheduleLook, 'store' | 'keepEvents'>,
  state: ScheduleState,
  now: number,
): Promise<ScheduleAct> {
  const act = nextAct(state, factsOf(state, now, await unfinishedOf(store, state)));
  if (act.kind !== 'record' || act.event.type !== 'StartBegun' || act.event.cause !== 'backfill') return act;
  const { cause, dueAt, taskId, next } = act.event;
  if (!(await wasStarted(store, state.name, taskId, keepEvents))) return act;
  const skip = { type: 'TimesSkipped', at: now, cause, reason: 'started', from: dueAt, to: dueAt, count: 1, next } as const;
  return { kind: 'record', event: skip };
}

/** The history knows it for longer than there is a task. */
async function wasStarted({ events, schedules }: TaskStore, name: string, taskId: TaskId, keepEvents: number): Promise<boolean> {
  const [view] = await events.views([taskId], 'operator');
  if (view !== undefined) return true;
  const history = await schedules.history(name, keepEvents);
  return history.some(({ event }) => event.type === 'Started' && event.taskId === taskId);
}

async function unfinishedOf({ events }: TaskStore, { open, definition }: ScheduleState): Promise<readonly TaskId[]> {
  if (definition.overlap === 'allow' || open.length === 0) return open;
  const views = await readableViews(events, open, 'client');
  return open.filter((_, at) => {
    const view = views[at];
    return isView(view) && view.endedAt === undefined;
  });
}

/** @returns the schedule afterwards; nothing if the look has ended */
async function done(
  look: ScheduleLook,
  kept: KeptSchedule,
  act: Exclude<ScheduleAct, { kind: 'wait' | 'remove' }>,
  now: number,
): Promise<KeptSchedule | undefined> {
  const { schedules } = look.store;
  const { name } = kept.state;
  if (act.kind === 'cancel') {
    for (const taskId of act.tasks) await look.cancel(kept.state, taskId);
    return kept;
  }
  const event = act.kind === 'record' ? act.event : await look.start(kept, now);
  if (event === undefined) {
    await schedules.postpone(name, kept.version, now + ELSEWHERE_MS);
    return undefined;
  }
  const state = evolveSchedule(kept.state, event);
  const request = { expectedVersion: kept.version, events: [event], state, limits: UNLIMITED, keepEvents: look.keepEvents };
  // What was just started has not ended, so mostly it is known already that nothing is left to do.
  const after = nextAct(state, factsOf(state, now, state.open));
  const lookAt = after.kind === 'wait' ? after.until : now + LEASE_MS;
  const result = await schedules.append({ ...request, lookAt });
  if (result !== 'appended') return schedules.read(name);
  look.onReport(reportOf(state, event, now));
  return after.kind === 'wait' ? undefined : { version: kept.version + 1, state, arguments: kept.arguments };
}

function reportOf(state: ScheduleState, event: ScheduleEvent, now: number): ScheduleReport {
  const { name } = state;
  if (event.type !== 'Started' || event.cause !== 'time') return { name, event };
  return { name, event, latenessMs: Math.max(0, now - event.dueAt - factsOf(state, now, []).offsetOf(event.dueAt)) };
}
