/**
 * Computes when a schedule is due: by five fields of cron in a time zone, by an interval, or once.
 *
 * Where clocks change, fixed hours follow the clock on the wall: a time that does not exist runs at the first that does, and one that
 * exists twice runs the first time only. An hour field that is `*` follows elapsed time: "every half hour" has no gap, and skips nothing.
 * Intervals count elapsed time too.
 */
import { Cron } from 'croner';

/** When a schedule is due. Dates and durations are milliseconds. */
export type DueRule =
  | { readonly cron: string; readonly timeZone: string }
  | {
      readonly everyMs: number;
      /** The date from which intervals count. */ readonly from: number;
      /** Whether `from` is the first time. */ readonly isFirst?: boolean;
    }
  | { readonly at: number };

/** The times of a rule. */
export interface DueTimes {
  /** The first time after `ms`; nothing if there is none. */
  readonly after: (ms: number) => number | undefined;
}

const EVERY_HOUR = /(^|,)(\*|\?)(\/1)?($|,)/;
const STEP = /^(\*|\?|(\d+)-(\d+))(?:\/(\d+))?$/;

/** @throws RangeError that says what is wrong with a cron expression or a time zone */
export function dueTimes(rule: DueRule): DueTimes {
  if ('at' in rule) return { after: (ms) => (rule.at > ms ? rule.at : undefined) };
  if ('everyMs' in rule) return intervals(rule);
  const problem = problemOfZone(rule.timeZone) ?? problemOfFields(rule.cron);
  if (problem !== undefined) throw new RangeError(problem);
  const cron = readCron(rule);
  return { after: (ms) => cron.nextRun(new Date(ms))?.getTime() };
}

/** Why a text is no time zone; nothing if it is one. */
export function problemOfZone(timeZone: string): string | undefined {
  try {
    // Node knows offsets such as +02:00 too. They never change their clocks, and read like zones that do.
    if (/^[A-Za-z]/.test(timeZone)) return void new Intl.DateTimeFormat('en', { timeZone });
  } catch {
    // It is said below.
  }
  return 'must be a time zone such as Europe/Berlin or UTC';
}

/** Why a text is no cron expression; nothing if it is one. A date that never comes is none. */
export function problemOfCron(cron: string): string | undefined {
  const problem = problemOfFields(cron);
  if (problem !== undefined) return problem;
  try {
    return readCron({ cron, timeZone: 'UTC' }).nextRun(new Date()) === null ? 'names a date that never comes' : undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : String(error);
    return `must be five fields: minute, hour, day, month, weekday. ${message}`;
  }
}

/** The fields, and the numbers that each may have. */
const FIELDS = [
  { name: 'minute', least: 0, most: 59 },
  { name: 'hour', least: 0, most: 23 },
  { name: 'day', least: 1, most: 31 },
  { name: 'month', least: 1, most: 12 },
  { name: 'weekday', least: 0, most: 7 },
] as const;

function problemOfFields(cron: string): string | undefined {
  const given = cron.trim().split(/\s+/);
  if (given.length !== FIELDS.length) return 'must be five fields: minute, hour, day, month, weekday, such as 30 2 * * *';
  return FIELDS.map((field, index) => problemOfNumbers(field, given[index] ?? '')).find((problem) => problem !== undefined);
}

/** What croner counts from 0, it also reports so. @returns what is wrong with a number or a range of numbers; nothing if none is */
function problemOfNumbers({ name, least, most }: (typeof FIELDS)[number], field: string): string | undefined {
  // Behind a slash is the length of a step, and behind # the week of a month.
  const numbers = field.replaceAll(/[/#]\w*/g, '').match(/\d+/g) ?? [];
  const wrong = numbers.find((number) => Number(number) < least || Number(number) > most);
  if (wrong !== undefined) return `has the ${name} ${wrong}: it must be from ${least} to ${most}`;
  const [range] = [...field.matchAll(/(\d+)-(\d+)/g)].find(([, from, to]) => Number(from) > Number(to)) ?? [];
  return range === undefined ? undefined : `has the range ${range}, which ends before it begins`;
}

function readCron({ cron, timeZone }: { readonly cron: string; readonly timeZone: string }): Cron {
  const [minute = '', hour = '', ...days] = cron.trim().split(/\s+/);
  // Only without wildcards is a time one on the clock: "every ten minutes from two to three" then holds on the days of a change as well.
  const fields = EVERY_HOUR.test(hour) ? [minute, hour] : [listed(minute, 59), listed(hour, 23)];
  return new Cron([...fields, ...days].join(' '), { timezone: timeZone, mode: '5-part', fixedTimeRule: 'no-wildcard', paused: true });
}

/** The same field without wildcards and steps. What it cannot read is left to croner, which says what is wrong. */
function listed(field: string, most: number): string {
  return field
    .split(',')
    .map((part) => {
      const [whole, , first, last, step] = STEP.exec(part) ?? [];
      if (whole === undefined || (step === undefined && first !== undefined)) return part;
      const [from, to, by] = [Number(first ?? 0), Number(last ?? most), Number(step ?? 1)];
      if (by < 1 || by > most + 1 || from > to || to > most) return part;
      return Array.from({ length: Math.floor((to - from) / by) + 1 }, (_, at) => from + at * by).join(',');
    })
    .join(',');
}

function intervals({ everyMs, from, isFirst = false }: Extract<DueRule, { everyMs: number }>): DueTimes {
  return {
    after(ms) {
      const next = from + (Math.floor((ms - from) / everyMs) + 1) * everyMs;
      return isFirst ? Math.max(next, from) : next;
    },
  };
}
