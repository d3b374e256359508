import { defineTool, type Tool } from '@longhaul/mcp-features';
import type { Clock } from '@longhaul/tasks';
import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';
import { jsonResult, ToolFailure } from '../tool-results.js';
import { checkTimeZone, shownAt } from './time-zone.js';

/** The settings of the tools. */
export interface TimeToolsOptions {
  /** The IANA name of the zone that descriptions offer to the model when the user names none. */
  readonly localTimeZone: string;
  readonly clock?: Clock;
}

const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

const TimeResult = z
  .object({
    timezone: z.string().meta({ title: 'Timezone' }),
    datetime: z.string().meta({ title: 'Datetime' }),
    day_of_week: z.string().meta({ title: 'Day Of Week' }),
    is_dst: z.boolean().meta({ title: 'Is Dst' }),
  })
  .meta({ title: 'TimeResult' });

const Conversion = z
  .object({ source: TimeResult, target: TimeResult, time_difference: z.string().meta({ title: 'Time Difference' }) })
  .meta({ title: 'TimeConversionResult' });

/** `get_current_time` and `convert_time`, as the reference server has them. */
export function timeTools({ localTimeZone, clock = Date.now }: TimeToolsOptions): readonly Tool[] {
  return [currentTime(localTimeZone, clock), convertTime(localTimeZone, clock)];
}

function currentTime(localTimeZone: string, clock: Clock): Tool {
  const name = 'get_current_time';
  return defineTool({
    name,
    description: 'Get current time in a specific timezone',
    input: z.object({ timezone: zone('Timezone', '', localTimeZone) }).meta({ title: `${name}Arguments` }),
    output: TimeResult,
    annotations: READ_ONLY,
    run({ timezone }) {
      checkArgument(name, 'timezone', timezone);
      checkZone(name, timezone);
      return jsonResult({ ...shownAt(zonedNow(clock, timezone), timezone) });
    },
  });
}

function convertTime(localTimeZone: string, clock: Clock): Tool {
  const name = 'convert_time';
  const time = z.string().meta({ title: 'Time', description: 'Time to convert in 24-hour format (HH:MM)' });
  return defineTool({
    name,
    description: 'Convert time between timezones',
    input: z
      .object({
        source_timezone: zone('Source Timezone', 'source ', localTimeZone),
        time,
        target_timezone: zone('Target Timezone', 'target ', localTimeZone),
      })
      .meta({ title: `${name}Arguments` }),
    output: Conversion,
    annotations: READ_ONLY,
    run({ source_timezone: from, time: text, target_timezone: to }) {
      checkArgument(name, 'source_timezone', from);
      checkArgument(name, 'target_timezone', to);
      checkZone(name, from);
      checkZone(name, to);
      const [hour, minute] = wallClock(text);
      const today = zonedNow(clock, from).toPlainDate();
      // Of a time that is shown twice, the first one is meant.
      const moment = today.toPlainDateTime({ hour, minute }).toZonedDateTime(from, { disambiguation: 'compatible' });
      if (moment.hour !== hour || moment.minute !== minute)
        throw new ToolFailure(name, `Invalid time: ${text} does not exist in ${from} on ${today.toString()} (skipped by a clock change)`);
      const time_difference = difference(moment.withTimeZone(to).offsetNanoseconds - moment.offsetNanoseconds);
      return jsonResult({ source: shownAt(moment, from), target: shownAt(moment, to), time_difference });
    },
  });

  function wallClock(text: string): readonly [number, number] {
    const [, hour, minute] = /^(2[0-3]|[01]?\d):([0-5]?\d)$/.exec(text) ?? [];
    if (hour === undefined || minute === undefined) throw new ToolFailure(name, 'Invalid time format. Expected HH:MM [24-hour format]');
    return [Number(hour), Number(minute)];
  }
}

function zone(title: string, role: 'source ' | 'target ' | '', localTimeZone: string) {
  const [first, second] = role === 'target ' ? ['Asia/Tokyo', 'America/San_Francisco'] : ['America/New_York', 'Europe/London'];
  const what = `${role}IANA timezone name`.replace(/^\w/, (letter) => letter.toUpperCase());
  const description = `${what} (e.g., '${first}', '${second}'). Use '${localTimeZone}' as local timezone if no ${role}timezone provided by the user.`;
  return z.string().meta({ title, description });
}

function zonedNow(clock: Clock, timezone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(clock()).toZonedDateTimeISO(timezone);
}

function checkArgument(tool: string, argument: string, value: string): void {
  if (value === '') throw new ToolFailure(tool, `Missing required argument: ${argument}`);
}

function checkZone(tool: string, timezone: string): void {
  try {
    checkTimeZone(timezone);
  } catch (error) {
    throw new ToolFailure(tool, `Invalid timezone: ${(error as Error).message}`);
  }
}

/** In hours with the sign: `+9.0h`, `+5.75h`. */
function difference(nanoseconds: number): string {
  const hours = nanoseconds / 3.6e12;
  const text = Number.isInteger(hours) ? hours.toFixed(1) : String(Number(hours.toFixed(2)));
  return `${hours < 0 ? '' : '+'}${text}h`;
}
