/** Writes a moment in a time zone. */

/** The ways of writing a moment. */
export const DATE_FORMATS = ['iso', 'locale', 'date', 'time', 'rfc2822', 'unix', 'unix-ms'] as const;

export type DateFormat = (typeof DATE_FORMATS)[number];

/** Whether there is a time zone of this name. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false; // A RangeError, which is how Intl says that there is none.
  }
}

/** The moment in one of the formats. @param timeZone one that exists */
export function formatDate(epochMs: number, format: DateFormat, timeZone: string): string {
  const offset = offsetOf(epochMs, timeZone);
  // The moment at which UTC has the time of day that the zone has now, so that its fields can be read off.
  const shifted = new Date(epochMs + offset.minutes * 60_000);
  const local = shifted.toISOString().slice(0, -1);
  switch (format) {
    case 'iso':
      return `${local}${offset.minutes === 0 ? 'Z' : offset.text}`;
    case 'locale':
      return new Date(epochMs).toLocaleString('en-US', { timeZone, dateStyle: 'full', timeStyle: 'long' });
    case 'date':
      return local.slice(0, local.indexOf('T'));
    case 'time':
      return local.slice(local.indexOf('T') + 1, local.indexOf('.'));
    case 'rfc2822':
      return shifted.toUTCString().replace('GMT', offset.text.replace(':', ''));
    case 'unix':
      return String(Math.floor(epochMs / 1_000));
    case 'unix-ms':
      return String(epochMs);
  }
}

/** How far the zone is ahead of UTC at the moment, as minutes and as `+hh:mm`. */
function offsetOf(epochMs: number, timeZone: string): { readonly minutes: number; readonly text: string } {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const name = format.formatToParts(epochMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  if (sign === undefined) return { minutes: 0, text: '+00:00' };
  const distance = Number(hours) * 60 + Number(minutes);
  return { minutes: sign === '-' ? -distance : distance, text: `${sign}${hours}:${minutes}` };
}
