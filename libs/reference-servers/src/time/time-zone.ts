/** Finds time zones by the names of the IANA database, and the time of a clock in them. */
import { cutText } from '@longhaul/tasks';
import { Temporal } from 'temporal-polyfill';

/** No name in the database is half as long. A text of megabytes takes a third of a second to be looked for. */
const MAX_NAME_BYTES = 255;

/** A moment as clocks of a time zone show it. */
export interface ZonedTime {
  /** The name of the zone as it was given. */
  readonly timezone: string;
  /** ISO 8601 with the offset, to the second. */
  readonly datetime: string;
  /** In English. */
  readonly day_of_week: string;
  /** Whether the offset is another one than the zone's smallest of the year. */
  readonly is_dst: boolean;
}

/** @throws Error in the words of Python's zoneinfo for what is no exact name of a time zone */
export function checkTimeZone(name: string): void {
  const shown = cutText(name, MAX_NAME_BYTES);
  if (shown !== name) throw new Error(`'No time zone found with key ${shown}'`);
  if (name.startsWith('/')) throw new Error(`ZoneInfo keys may not be absolute paths, got: ${name}`);
  if (name.split('/').includes('..')) throw new Error(`ZoneInfo keys must refer to subdirectories of TZPATH, got: ${name}`);
  if (exactName(name) !== name) throw new Error(`'No time zone found with key ${name}'`);
}

/** @returns the name as the database spells it; nothing for offsets and unknown names */
function exactName(name: string): string | undefined {
  if (!/^[A-Za-z]/.test(name)) return undefined;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The current time in the zone. */
export function shownAt(moment: Temporal.ZonedDateTime, timezone: string): ZonedTime {
  const there = moment.withTimeZone(timezone);
  return {
    timezone,
    datetime: there.toString({ smallestUnit: 'second', timeZoneName: 'never' }),
    day_of_week: there.toLocaleString('en-US', { weekday: 'long' }),
    is_dst: there.offsetNanoseconds !== standardOffset(there),
  };
}

/** The zone's smaller offset of January and July; all zones that have two change between those. */
function standardOffset(moment: Temporal.ZonedDateTime): number {
  const [january, july] = [1, 7].map((month) => moment.with({ month, day: 1 }).offsetNanoseconds);
  return Math.min(january ?? 0, july ?? 0);
}
