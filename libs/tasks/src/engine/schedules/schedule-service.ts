/**
 * Changes schedules for operators, and for the file of the settings. Everything is an event that is appended to the schedule, with the date of
 * the next look; workers do the rest. An append that loses against another writer is decided again on the new state.
 */
import { msOfDuration, problemOfName, ruleOf, SCHEDULE_LIMITS, type ScheduleShape } from '@longhaul/runtime/schedules';
import { jsonSize } from '../../domain/json-size.js';
import type { JsonObject } from '../../domain/json.js';
import { nextAct, timeAfter } from '../../domain/schedules/next-act.js';
import type { ScheduleDefinition, ScheduleEvent, ScheduleOrigin } from '../../domain/schedules/schedule-events.js';
import { evolveSchedule, type ScheduleState } from '../../domain/schedules/schedule-state.js';
import { TaskError } from '../../errors.js';
import type { KeptSchedule, KeptScheduleEvent, ScheduleLimits, SchedulePage, ScheduleStore } from '../../ports/schedule-store.js';
import type { TaskStore } from '../../ports/task-store.js';
import { ScheduleError } from './schedule-errors.js';
import { factsOf, timesAfter, timesOf } from './schedule-times.js';

/** Attempts against other writers before a change fails. */
const MAX_CONFLICTS = 16;

/** Who does it: `operator:NAME`, or `file`. */
export interface ScheduleActor {
  readonly by: string;
}

/** A schedule as it is given. */
export interface GivenSchedule {
  readonly shape: ScheduleShape;
  /** The owner of its tasks if the shape names none. */
  readonly owner: string;
  readonly origin: ScheduleOrigin;
}

/** Past times, epoch milliseconds; both belong to the range. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** A schedule with what is known of its future and its past. */
export interface ScheduleDetails extends KeptSchedule {
  /** Its next times, epoch milliseconds; none while it is paused or has ended. */
  readonly upcoming: readonly number[];
  /** Its latest events, the latest first. */
  readonly history: readonly KeptScheduleEvent[];
}

/** All methods reject with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached. */
export interface ScheduleService {
  /** @param after the last name of the page before */
  list(limit: number, after?: string): Promise<SchedulePage>;
  /** @throws ScheduleError `SCHEDULE_NOT_FOUND` */
  get(name: string, howMany: { readonly times: number; readonly events: number }): Promise<ScheduleDetails>;
  /** @throws ScheduleError `SCHEDULE_EXISTS`, `INVALID_SCHEDULE`, `TOO_MANY_SCHEDULES`; TaskError `STORE_FULL` */
  add(name: string, given: GivenSchedule, actor: ScheduleActor): Promise<ScheduleState>;
  /**
   * Gives an existing schedule another definition. It keeps its history, and whether it is paused. Without other times it keeps its next
   * time too.
   *
   * @throws ScheduleError `SCHEDULE_NOT_FOUND`, `SCHEDULE_FROM_FILE`, `INVALID_SCHEDULE`, `TOO_MANY_SCHEDULES`
   */
  change(name: string, given: GivenSchedule, actor: ScheduleActor): Promise<ScheduleState>;
  /** A schedule that is paused stays as it is. @throws ScheduleError `SCHEDULE_NOT_FOUND` */
  pause(name: string, reason: string, actor: ScheduleActor): Promise<ScheduleState>;
  /** Its times of the pause are skipped. @throws ScheduleError `SCHEDULE_NOT_FOUND` */
  resume(name: string, actor: ScheduleActor): Promise<ScheduleState>;
  /** Starts a task now, even if it is paused or an earlier one runs. @throws ScheduleError `SCHEDULE_NOT_FOUND`, `TOO_MANY_WAITING` */
  run(name: string, actor: ScheduleActor): Promise<ScheduleState>;
  /**
   * Starts the times of a past range that its tasks do not show as started. @returns how many times the range has
   * @throws ScheduleError `SCHEDULE_NOT_FOUND`, `INVALID_SCHEDULE`, `TOO_MANY_WAITING`
   */
  backfill(name: string, range: TimeRange, actor: ScheduleActor): Promise<{ readonly state: ScheduleState; readonly times: number }>;
  /** Its tasks continue. @throws ScheduleError `SCHEDULE_NOT_FOUND`, `SCHEDULE_FROM_FILE` */
  remove(name: string, origin: ScheduleOrigin): Promise<void>;
}

/** Dependencies of the service. */
export interface ScheduleServiceOptions {
  readonly store: Pick<TaskStore, 'schedules' | 'capacity'>;
  readonly limits: ScheduleLimits;
  readonly keepEvents: number;
}

/** The events that one change appends. */
interface Change {
  readonly events: readonly ScheduleEvent[];
  readonly arguments?: JsonObject;
}

/** Builds the service on a store, which the caller closes. */
export function createScheduleService(options: ScheduleServiceOptions): ScheduleService {
  const { schedules } = options.store;
  /** A change of a schedule that is there. */
  const amend = (name: string, decide: (state: ScheduleState, now: number) => readonly ScheduleEvent[]): Promise<ScheduleState> =>
    append(options, name, (kept, now) => ({ events: decide(present(kept).state, now) }));
  return {
    list: (limit, after) => schedules.list(limit, after),
    async get(name, { times, events }) {
      const [read, now, history] = await Promise.all([schedules.read(name), schedules.now(), schedules.history(name, events)]);
      const kept = present(read);
      return { ...kept, upcoming: upcomingOf(kept.state, now, times), history };
    },
    add: (name, given, { by }) =>
      append(options, name, (kept, at) => {
        if (kept !== undefined) throw new ScheduleError('SCHEDULE_EXISTS', undefined, 'name');
        return { events: [addedEvent(name, given, { by, at })], arguments: given.shape.arguments as JsonObject };
      }),
    change: (name, given, { by }) =>
      append(options, name, (read, at) => {
        const { state } = present(read);
        requireOrigin(state, given.origin);
        const event = changedEvent(state, definitionOf(given, state, at), { by, at });
        if (event.next === null && given.origin === 'api') throw neverDue(given);
        return { events: [event], arguments: given.shape.arguments as JsonObject };
      }),
    pause: (name, reason, { by }) =>
      amend(name, ({ paused }, at) => (paused === undefined ? [{ type: 'SchedulePaused', at, by, reason }] : [])),
    resume: (name, { by }) => amend(name, ({ paused }, at) => (paused === undefined ? [] : [{ type: 'ScheduleResumed', at, by }])),
    run: (name, { by }) =>
      amend(name, (state, at) => {
        requireRoom(state);
        return [{ type: 'RunRequested', at, by, id: crypto.randomUUID() }];
      }),
    async backfill(name, range, { by }) {
      let times = 0;
      const state = await amend(name, (before, at) => {
        requireRoom(before);
        const found = timesIn(before, range, at);
        times = found.length;
        return [{ type: 'BackfillRequested', at, by, id: crypto.randomUUID(), ...range, first: found[0] ?? range.from }];
      });
      return { state, times };
    },
    remove: (name, origin) => remove(schedules, name, origin),
  };
}

/** Appends what `decide` makes of the present state. @returns the state afterwards */
async function append(
  { store: { schedules, capacity }, limits, keepEvents }: ScheduleServiceOptions,
  name: string,
  decide: (kept: KeptSchedule | undefined, now: number) => Change,
): Promise<ScheduleState> {
  for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
    const [kept, now] = await Promise.all([schedules.read(name), schedules.now()]);
    const { events, arguments: args } = decide(kept, now);
    const state = events.reduce<ScheduleState | undefined>(evolveSchedule, kept?.state);
    if (state === undefined) throw new ScheduleError('SCHEDULE_NOT_FOUND');
    if (events.length === 0) return state;
    const act = nextAct(state, factsOf(state, now, state.open));
    const lookAt = act.kind === 'wait' ? act.until : now;
    const change = { expectedVersion: kept?.version ?? 0, events, state, lookAt, limits, keepEvents };
    // What operators do with a schedule that is there fits into a full store as well.
    const result = await (args === undefined
      ? schedules.append(change)
      : capacity.admit('creation', jsonSize(args), () => schedules.append({ ...change, arguments: args })));
    if (result === 'appended') return state;
    if (result !== 'conflict') throw tooMany(result, limits);
  }
  throw new TaskError('STORE_CONTENTION');
}

async function remove(schedules: ScheduleStore, name: string, origin: ScheduleOrigin): Promise<void> {
  for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
    const { version, state } = present(await schedules.read(name));
    requireOrigin(state, origin);
    if (await schedules.remove(name, version)) return;
  }
  throw new TaskError('STORE_CONTENTION');
}

/** The definition of a given schedule. @param before the present one: its interval continues to count from its start */
export function definitionOf(
  { shape, owner }: GivenSchedule,
  before: Pick<ScheduleState, 'definition'> | undefined,
  now: number,
): ScheduleDefinition {
  const { tool, owner: named = owner, until, jitter, overlap, catchUp } = shape;
  const rule = ruleOf(shape, now);
  const was = before?.definition.rule;
  const goesOn = was !== undefined && 'everyMs' in was && 'everyMs' in rule && was.everyMs === rule.everyMs && was.isFirst === rule.isFirst;
  const times = goesOn && rule.isFirst !== true ? was : rule;
  const limits = { jitterMs: msOfDuration(jitter) ?? 0, overlap, catchUpMs: msOfDuration(catchUp) ?? SCHEDULE_LIMITS.catchUpMs.least };
  return { tool, owner: named, rule: times, ...limits, ...(until !== undefined && { until: Date.parse(until) }) };
}

function addedEvent(name: string, given: GivenSchedule, { by, at }: { readonly by: string; readonly at: number }): ScheduleEvent {
  const problem = problemOfName(name);
  if (problem !== undefined) throw new ScheduleError('INVALID_SCHEDULE', `A schedule ${problem}.`, 'name');
  const definition = definitionOf(given, undefined, at);
  const next = timeAfter({ definition }, timesOf(definition.rule).after, at);
  if (next === null && given.origin === 'api') throw neverDue(given);
  return { type: 'ScheduleAdded', at, by, uid: crypto.randomUUID(), name, origin: given.origin, definition, next };
}

function changedEvent(
  state: ScheduleState,
  definition: ScheduleDefinition,
  { by, at }: { readonly by: string; readonly at: number },
): Extract<ScheduleEvent, { type: 'ScheduleChanged' }> {
  const isSame = JSON.stringify(state.definition.rule) === JSON.stringify(definition.rule) && state.endedAt === undefined;
  const after = isSame && state.next !== undefined ? state.next - 1 : at;
  return { type: 'ScheduleChanged', at, by, definition, next: timeAfter({ definition }, timesOf(definition.rule).after, after) };
}

function neverDue({ shape: { at } }: GivenSchedule): ScheduleError {
  const field = at === undefined ? 'until' : 'at';
  return new ScheduleError('INVALID_SCHEDULE', `${field}: the schedule is never due, because this date has passed.`, field);
}

function present(kept: KeptSchedule | undefined): KeptSchedule {
  if (kept === undefined) throw new ScheduleError('SCHEDULE_NOT_FOUND');
  return kept;
}

function requireOrigin(state: ScheduleState, origin: ScheduleOrigin): void {
  if (state.origin === origin) return;
  throw new ScheduleError(state.origin === 'file' ? 'SCHEDULE_FROM_FILE' : 'SCHEDULE_EXISTS');
}

function requireRoom({ runs, backfills }: ScheduleState): void {
  const { waiting } = SCHEDULE_LIMITS;
  if (runs.length + backfills.length < waiting) return;
  throw new ScheduleError('TOO_MANY_WAITING', `${waiting} backfills and runs of the schedule wait already, which is the most.`);
}

function upcomingOf(state: ScheduleState, now: number, count: number): readonly number[] {
  if (state.paused !== undefined || state.endedAt !== undefined) return [];
  return timesAfter(state, Math.max(now, (state.next ?? now) - 1), count);
}

/** @throws ScheduleError `INVALID_SCHEDULE` if the range is none, or has no time or too many */
function timesIn(state: ScheduleState, { from, to }: TimeRange, now: number): readonly number[] {
  const most = SCHEDULE_LIMITS.backfillTimes;
  const wrong = (field: string, problem: string): ScheduleError => new ScheduleError('INVALID_SCHEDULE', `${field}: ${problem}.`, field);
  if (to > now) throw wrong('to', 'must not lie in the future');
  if (from > to) throw wrong('from', 'must not be later than to');
  const times: number[] = [];
  const { after } = timesOf(state.definition.rule);
  for (let time = after(from - 1); time !== undefined && time <= to && times.length <= most; time = after(time)) times.push(time);
  if (times.length === 0) throw wrong('from', 'the schedule has no time in this range');
  if (times.length > most) throw wrong('from', `the schedule has more than ${most} times in this range; take a shorter one`);
  return times;
}

function tooMany(result: 'too-many' | 'too-many-of-tenant', { all, ofTenant }: ScheduleLimits): ScheduleError {
  const message =
    result === 'too-many'
      ? `There are ${all} schedules, which is the most (LONGHAUL_MAX_SCHEDULES).`
      : `The owners of this tenant have ${ofTenant} schedules, which is the most (LONGHAUL_MAX_SCHEDULES_PER_TENANT).`;
  return new ScheduleError('TOO_MANY_SCHEDULES', message);
}
