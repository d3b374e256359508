/** Time zones by the names of the IANA database, and what a clock shows in them. */
import { Temporal } from 'temporal-polyfill';
/** @throws Error in the words of Python's zoneinfo for what is no exact name of a time zone */
export function checkTimeZone(name) {
    if (name.startsWith('/'))
        throw new Error(`ZoneInfo keys may not be absolute paths, got: ${name}`);
    if (name.split('/').includes('..'))
        throw new Error(`ZoneInfo keys must refer to subdirectories of TZPATH, got: ${name}`);
    if (exactName(name) !== name)
        throw new Error(`'No time zone found with key ${name}'`);
}
/** @returns the name as the database spells it; nothing for offsets and unknown names */
function exactName(name) {
    if (!/^[A-Za-z]/.test(name))
        return undefined;
    try {
        return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
    }
    catch (error) {
        if (error instanceof RangeError)
            return undefined;
        throw error;
    }
}
/** What clocks of the zone show at the moment. */
export function shownAt(moment, timezone) {
    const there = moment.withTimeZone(timezone);
    return {
        timezone,
        datetime: there.toString({ smallestUnit: 'second', timeZoneName: 'never' }),
        day_of_week: there.toLocaleString('en-US', { weekday: 'long' }),
        is_dst: there.offsetNanoseconds !== standardOffset(there),
    };
}
/** The zone's smaller offset of January and July; all zones that have two change between those. */
function standardOffset(moment) {
    const [january, july] = [1, 7].map((month) => moment.with({ month, day: 1 }).offsetNanoseconds);
    return Math.min(january ?? 0, july ?? 0);
}
//# sourceMappingURL=time-zone.js.map