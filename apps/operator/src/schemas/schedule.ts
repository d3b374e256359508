/** Converts schedules to the operator API's format. Definitions have the form of `LONGHAUL_SCHEDULES`. */
import { omitUndefined } from '@longhaul/mcp-features';
import { durationText, OVERLAPS } from '@longhaul/runtime/schedules';
import type { KeptScheduleEvent, ScheduleDefinition, ScheduleDetails, ScheduleState } from '@longhaul/tasks';
import { z } from 'zod';
import { Time, timeOf } from './common.js';

const CAUSES = ['time', 'queue', 'backfill', 'run'] as const;

/** A schedule in a list. */
export const ScheduleSummary = z
  .object({
    name: z.string(),
    tool: z.string(),
    owner: z.string().describe('The owner of its tasks.'),
    cron: z.string().optional(),
    timeZone: z.string().optional(),
    every: z.string().optional(),
    from: Time.optional().describe('From when the interval counts.'),
    at: Time.optional(),
    until: Time.optional(),
    jitter: z.string(),
    overlap: z.enum(OVERLAPS),
    catchUp: z.string(),
    origin: z.enum(['file', 'api']).describe('`file`: LONGHAUL_SCHEDULES names it, and it is changed there.'),
    addedAt: Time,
    addedBy: z.string(),
    status: z.enum(['active', 'paused', 'ended']),
    paused: z.object({ at: Time, by: z.string(), reason: z.string() }).optional(),
    next: Time.optional().describe('Its next time; absent while it is paused, and when it has ended.'),
    last: z.object({ dueAt: Time, at: Time, taskId: z.string() }).optional().describe('The task that it started last.'),
    refused: z
      .object({ dueAt: Time, code: z.string().optional(), retryAt: Time.optional() })
      .optional()
      .describe('A start that was refused, and is tried again.'),
    waiting: z.int().describe('Starts that wait: for the end of an earlier task, of backfills and of runs by hand.'),
    starts: z.int(),
    skips: z.int(),
    problem: z.string().optional().describe('Why it cannot start anything now.'),
  })
  .meta({ id: 'Schedule' });

/** A schedule in a list. */
export type Schedule = z.infer<typeof ScheduleSummary>;

/** An event of the history. Which members it has depends on its type. */
const HistoryEntry = z
  .object({
    version: z.int(),
    type: z.string(),
    at: Time,
    by: z.string().optional(),
    reason: z.string().optional().describe('Why it was paused, or why times were skipped.'),
    cause: z.enum(CAUSES).optional(),
    dueAt: Time.optional(),
    taskId: z.string().optional(),
    from: Time.optional(),
    to: Time.optional(),
    count: z.int().optional(),
    code: z.string().optional(),
    message: z.string().optional(),
    retryAt: Time.optional(),
  })
  .meta({ id: 'ScheduleEvent' });

/** An event of the history. */
export type ScheduleEntry = z.infer<typeof HistoryEntry>;

/** A schedule with its arguments, its next times and its history. */
export const Schedule = ScheduleSummary.extend({
  arguments: z.record(z.string(), z.unknown()),
  times: z.array(Time).describe('Its next times, at most ten; none while it is paused, and when it has ended.'),
  history: z.array(HistoryEntry).describe('Its latest events, the latest first.'),
}).meta({ id: 'ScheduleDetails' });

/** A schedule with its arguments, its next times and its history. */
export type ScheduleWithHistory = z.infer<typeof Schedule>;

/** @param isKnown whether a worker that is alive has the tool */
export function scheduleSummary(state: ScheduleState, isKnown: (tool: string) => boolean): Schedule {
  const { name, definition, origin, addedAt, addedBy, paused, next, last, starting, queued, runs, backfills, starts, skips, endedAt } =
    state;
  const isActive = paused === undefined && endedAt === undefined;
  return omitUndefined({
    name,
    ...definitionOf(definition),
    origin,
    addedAt: timeOf(addedAt),
    addedBy,
    status: paused !== undefined ? ('paused' as const) : endedAt !== undefined ? ('ended' as const) : ('active' as const),
    paused: paused && { ...paused, at: timeOf(paused.at) },
    next: isActive && next !== undefined ? timeOf(next) : undefined,
    last: last && { dueAt: timeOf(last.dueAt), at: timeOf(last.at), taskId: last.taskId },
    refused: starting !== undefined && starting.refusals > 0 ? refusedOf(starting) : undefined,
    waiting: runs.length + backfills.length + (queued === undefined ? 0 : 1),
    starts,
    skips,
    problem: isKnown(definition.tool) ? undefined : `No worker that is alive has the tool ${definition.tool}.`,
  });
}

function refusedOf({ dueAt, code, retryAt }: NonNullable<ScheduleState['starting']>): NonNullable<Schedule['refused']> {
  return omitUndefined({ dueAt: timeOf(dueAt), code, retryAt: retryAt === undefined ? undefined : timeOf(retryAt) });
}

/** @param isKnown as for the summary */
export function scheduleDetails(details: ScheduleDetails, isKnown: (tool: string) => boolean): ScheduleWithHistory {
  const { state, arguments: args, upcoming, history } = details;
  return {
    ...scheduleSummary(state, isKnown),
    arguments: { ...args },
    times: upcoming.map(timeOf),
    // The decision to start and the start are one thing for people.
    history: history.filter(({ event }) => event.type !== 'StartBegun').map(entryOf),
  };
}

function definitionOf({ tool, owner, rule, until, jitterMs, overlap, catchUpMs }: ScheduleDefinition) {
  return {
    tool,
    owner,
    ...('cron' in rule && rule),
    ...('everyMs' in rule && { every: durationText(rule.everyMs), from: timeOf(rule.from) }),
    ...('at' in rule && { at: timeOf(rule.at) }),
    ...(until !== undefined && { until: timeOf(until) }),
    jitter: durationText(jitterMs),
    overlap,
    catchUp: durationText(catchUpMs),
  };
}

const SHOWN = ['by', 'reason', 'cause', 'taskId', 'count', 'code', 'message'] as const;
const TIMES = ['dueAt', 'from', 'to', 'retryAt'] as const;

function entryOf({ version, event }: KeptScheduleEvent): ScheduleEntry {
  const members: Readonly<Record<string, unknown>> = { ...event };
  const shown = Object.fromEntries(SHOWN.flatMap((name) => (members[name] === undefined ? [] : [[name, members[name]]])));
  const times = Object.fromEntries(TIMES.flatMap((name) => (typeof members[name] === 'number' ? [[name, timeOf(members[name])]] : [])));
  return { version, type: event.type, at: timeOf(event.at), ...shown, ...times };
}
