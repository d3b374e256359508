/**
 * Defines what a schedule consists of: `LONGHAUL_SCHEDULES` names schedules in this form, and the operator API takes them in the same one.
 * Unknown members are refused.
 */
import { z } from 'zod';
import { isCalendarDay } from '../calendar-day.js';
import { jsonSetting } from '../json-setting.js';
import { type DueRule, dueTimes, problemOfCron, problemOfZone } from './due-times.js';

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
const UNITS_MS: Readonly<Record<string, number>> = { d: DAY_MS, h: 3_600_000, m: 60_000, s: SECOND_MS };
const DURATION = /^(?:\d{1,6}[dhms])+$/;
const PART = /(\d+)([dhms])/g;
/** With its offset: a time without one means another time in each zone. */
const DATE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;

/** What an earlier task that still runs means for the next time. */
export const OVERLAPS = ['skip', 'queue', 'allow', 'cancel'] as const;

/** The limits of one schedule. */
export const SCHEDULE_LIMITS = {
  nameBytes: 256,
  argumentsBytes: 64 * 1_024,
  everyMs: { least: SECOND_MS, most: 366 * DAY_MS },
  jitterMs: { least: 0, most: DAY_MS },
  /** No longer than the engine remembers which times were started. */
  catchUpMs: { least: 60_000, most: 7 * DAY_MS },
  /** Times that one backfill may have. */
  backfillTimes: 1_000,
  /** Backfills, and runs by hand, that wait at the same time. */
  waiting: 16,
} as const;

/** How many schedules the file may name. */
const MAX_IN_FILE = 10_000;

/** Milliseconds of a duration such as `90s` or `1h30m`; nothing for another text. */
export function msOfDuration(text: string): number | undefined {
  if (!DURATION.test(text)) return undefined;
  return [...text.matchAll(PART)].reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNITS_MS[unit] ?? 0), 0);
}

/** The shortest text of a duration; the reverse of `msOfDuration`. */
export function durationText(ms: number): string {
  let rest = ms;
  let text = '';
  for (const [unit, unitMs] of Object.entries(UNITS_MS)) {
    const count = Math.floor(rest / unitMs);
    if (count > 0) text += `${count}${unit}`;
    rest -= count * unitMs;
  }
  return text === '' ? '0s' : text;
}

function duration({ least, most }: { readonly least: number; readonly most: number }) {
  const form = `must be a duration from ${durationText(least)} to ${durationText(most)}, such as 90s or 1h30m`;
  return z.string(form).superRefine((text, context) => {
    const ms = msOfDuration(text);
    if (ms === undefined || ms < least || ms > most) context.addIssue(form);
  });
}

const date = z.string().refine((text) => DATE.test(text) && !Number.isNaN(Date.parse(text)) && isCalendarDay(text.slice(0, 10)), {
  error: 'must be a date with its offset, such as 2026-12-24T18:00:00+01:00 or 2026-12-24T17:00:00Z',
});

function text(maxBytes: number) {
  const form = `must have 1 to ${maxBytes} bytes`;
  return z.string().refine((value) => value !== '' && Buffer.byteLength(value) <= maxBytes, { error: form });
}

/** One schedule, as files and requests have it. */
export const scheduleShape = z
  .strictObject({
    tool: text(256),
    arguments: z.record(z.string(), z.unknown()).default({}),
    owner: text(1_024).optional(),
    cron: text(256).optional(),
    timeZone: text(64).optional(),
    every: duration(SCHEDULE_LIMITS.everyMs).optional(),
    from: date.optional(),
    at: date.optional(),
    until: date.optional(),
    jitter: duration(SCHEDULE_LIMITS.jitterMs).default('0s'),
    overlap: z.enum(OVERLAPS, `must be one of ${OVERLAPS.join(', ')}`).default('skip'),
    catchUp: duration(SCHEDULE_LIMITS.catchUpMs).default('1h'),
  })
  .superRefine((schedule, context) => {
    for (const [field, message] of problemsOf(schedule)) context.addIssue({ code: 'custom', path: [field], message });
  });

/** A schedule in the form of files and requests. */
export type ScheduleShape = Readonly<z.output<typeof scheduleShape>>;

/** Schedules by their names. */
export interface SchedulesConfig {
  readonly schedules: Readonly<Record<string, ScheduleShape>>;
}

/** The setting: an object as JSON, or the path of a file with it. */
export const schedulesSetting = jsonSetting(
  z.strictObject({
    schedules: z.record(z.string(), scheduleShape).superRefine((all, context) => {
      const names = Object.keys(all);
      if (names.length > MAX_IN_FILE) context.addIssue(`has more than ${MAX_IN_FILE} schedules`);
      for (const name of names) {
        const problem = problemOfName(name);
        if (problem !== undefined) context.addIssue({ code: 'custom', path: [name], message: problem });
      }
    }),
  }),
);

/** Why a text cannot be the name of a schedule; nothing if it can. */
export function problemOfName(name: string): string | undefined {
  const form = `must have a name of 1 to ${SCHEDULE_LIMITS.nameBytes} bytes, without control characters and spaces at its ends`;
  const fits = name !== '' && name === name.trim() && !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(name);
  return fits && Buffer.byteLength(name) <= SCHEDULE_LIMITS.nameBytes ? undefined : form;
}

/** When a schedule is due. @param from the date from which an interval counts that names none */
export function ruleOf({ cron, timeZone = 'UTC', every, from: start, at }: ScheduleShape, from: number): DueRule {
  if (cron !== undefined) return { cron, timeZone };
  if (at !== undefined) return { at: Date.parse(at) };
  const everyMs = msOfDuration(every ?? '') ?? SCHEDULE_LIMITS.everyMs.most;
  return start === undefined ? { everyMs, from } : { everyMs, from: Date.parse(start), isFirst: true };
}

type Parts = Pick<ScheduleShape, 'cron' | 'timeZone' | 'every' | 'from' | 'at' | 'until' | 'arguments'>;

function* problemsOf({
  cron,
  timeZone,
  every,
  from,
  at,
  until,
  arguments: args,
}: Parts): Iterable<readonly [field: string, problem: string]> {
  const rules = Object.entries({ cron, every, at }).filter(([, value]) => value !== undefined);
  const [second] = rules.slice(1);
  if (rules.length === 0) yield ['cron', 'is missing: a schedule has cron, every or at'];
  if (second !== undefined) yield [second[0], `is given together with ${rules[0]?.[0]}: a schedule has one of cron, every and at`];
  if (timeZone !== undefined && cron === undefined) yield ['timeZone', 'belongs to cron'];
  if (from !== undefined && every === undefined) yield ['from', 'belongs to every'];
  if (until !== undefined && at !== undefined) yield ['until', 'ends a schedule with several times, and at is one'];
  const zone = timeZone === undefined ? undefined : problemOfZone(timeZone);
  if (zone !== undefined) yield ['timeZone', zone];
  const problem = cron === undefined ? undefined : problemOfCron(cron);
  if (problem !== undefined) yield ['cron', problem];
  const bytes = Buffer.byteLength(JSON.stringify(args));
  if (bytes > SCHEDULE_LIMITS.argumentsBytes)
    yield ['arguments', `have ${bytes} bytes as JSON; at most ${SCHEDULE_LIMITS.argumentsBytes} are allowed`];
}

/** The first time after `ms`, for a schedule that has not begun: nothing if it has none. */
export function firstTimeOf(schedule: ScheduleShape, ms: number): number | undefined {
  const first = dueTimes(ruleOf(schedule, ms)).after(ms);
  return first !== undefined && schedule.until !== undefined && first > Date.parse(schedule.until) ? undefined : first;
}
