import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { RequestContext } from '@longhaul/mcp-features';
import { describe, expect, it } from 'vitest';
import { readSettings } from './settings.js';
import { timeTools } from './time-tools.js';

/** Calls a tool at a moment; the tools need nothing of their context. */
async function call(name: string, args: Record<string, unknown>, now = '2024-01-01T12:00:00Z'): Promise<CallToolResult> {
  const tool = timeTools({ localTimeZone: 'Europe/Warsaw', clock: () => Date.parse(now) }).find((one) => one.name === name);
  if (tool?.taskSupport !== 'forbidden') throw new Error(`There is no tool ${name} that answers within the request.`);
  return tool.call(args, {} as RequestContext);
}

const errorOf = async (name: string, args: Record<string, unknown>, now?: string): Promise<unknown> => {
  const { isError, content } = await call(name, args, now);
  return isError === true ? content[0] : 'no error';
};

describe('the current time', () => {
  it('is structured, and the same as indented text', async () => {
    const { content, structuredContent } = await call('get_current_time', { timezone: 'UTC' });
    const expected = { timezone: 'UTC', datetime: '2024-01-01T12:00:00+00:00', day_of_week: 'Monday', is_dst: false };
    expect(structuredContent).toEqual(expected);
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(expected, null, 2) }]);
  });

  it.each([
    ['2024-07-01T12:00:00Z', 'Europe/Warsaw', '2024-07-01T14:00:00+02:00', 'Monday', true],
    ['2024-01-01T12:00:00Z', 'Australia/Sydney', '2024-01-01T23:00:00+11:00', 'Monday', true],
    ['2024-07-01T12:00:00Z', 'Australia/Sydney', '2024-07-01T22:00:00+10:00', 'Monday', false],
    ['2024-03-10T06:59:59Z', 'America/New_York', '2024-03-10T01:59:59-05:00', 'Sunday', false],
    ['2024-03-10T07:00:00Z', 'America/New_York', '2024-03-10T03:00:00-04:00', 'Sunday', true],
    ['2024-10-27T00:30:00Z', 'Europe/London', '2024-10-27T01:30:00+01:00', 'Sunday', true],
    ['2024-10-27T01:30:00Z', 'Europe/London', '2024-10-27T01:30:00+00:00', 'Sunday', false],
    ['2024-01-01T12:00:00Z', 'Asia/Kathmandu', '2024-01-01T17:45:00+05:45', 'Monday', false],
    ['2024-01-01T05:00:00Z', 'Pacific/Pago_Pago', '2023-12-31T18:00:00-11:00', 'Sunday', false],
    ['2024-07-01T12:00:00Z', 'Etc/GMT+5', '2024-07-01T07:00:00-05:00', 'Monday', false],
    ['2024-07-01T12:00:00Z', 'US/Eastern', '2024-07-01T08:00:00-04:00', 'Monday', true],
  ])('at %s in %s is %s', async (now, timezone, datetime, day_of_week, is_dst) => {
    const { structuredContent } = await call('get_current_time', { timezone }, now);
    expect(structuredContent).toEqual({ timezone, datetime, day_of_week, is_dst });
  });

  it.each([
    ['', 'Missing required argument: timezone'],
    ['Invalid/Timezone', "Invalid timezone: 'No time zone found with key Invalid/Timezone'"],
    ['europe/warsaw', "Invalid timezone: 'No time zone found with key europe/warsaw'"],
    ['+05:00', "Invalid timezone: 'No time zone found with key +05:00'"],
    ['../etc/passwd', 'Invalid timezone: ZoneInfo keys must refer to subdirectories of TZPATH, got: ../etc/passwd'],
    ['/etc/localtime', 'Invalid timezone: ZoneInfo keys may not be absolute paths, got: /etc/localtime'],
  ])('of %j is an error', async (timezone, message) => {
    const text = `Error executing tool get_current_time: ${message}`;
    expect(await errorOf('get_current_time', { timezone })).toEqual({ type: 'text', text });
  });

  it('of a text of megabytes is an error that has its beginning', async () => {
    const text = `Error executing tool get_current_time: Invalid timezone: 'No time zone found with key ${'A/'.repeat(126)}…'`;
    expect(await errorOf('get_current_time', { timezone: 'A/'.repeat(1_500_000) })).toEqual({ type: 'text', text });
  });
});

const conversion = (source_timezone: string, time: string, target_timezone: string) => ({ source_timezone, time, target_timezone });

describe('a converted time', () => {
  it.each([
    ['2024-01-01T20:00:00Z', conversion('Asia/Tokyo', '09:00', 'UTC'), '2024-01-02T09:00:00+09:00', '2024-01-02T00:00:00+00:00', '-9.0h'],
    [
      '2024-01-01T12:00:00Z',
      conversion('UTC', '9:5', 'Asia/Kathmandu'),
      '2024-01-01T09:05:00+00:00',
      '2024-01-01T14:50:00+05:45',
      '+5.75h',
    ],
    ['2024-01-01T12:00:00Z', conversion('Asia/Kolkata', '12:00', 'UTC'), '2024-01-01T12:00:00+05:30', '2024-01-01T06:30:00+00:00', '-5.5h'],
    // Shown twice on that day: the first time is meant.
    [
      '2024-11-03T12:00:00Z',
      conversion('America/New_York', '01:30', 'UTC'),
      '2024-11-03T01:30:00-04:00',
      '2024-11-03T05:30:00+00:00',
      '+4.0h',
    ],
  ])('on the day of the source at %s: %j', async (now, args, source, target, time_difference) => {
    const { structuredContent } = await call('convert_time', args, now);
    expect(structuredContent).toMatchObject({ source: { datetime: source }, target: { datetime: target }, time_difference });
  });

  it('that no clock shows on that day is an error', async () => {
    const message = 'Invalid time: 02:30 does not exist in America/New_York on 2024-03-10 (skipped by a clock change)';
    expect(await errorOf('convert_time', conversion('America/New_York', '02:30', 'UTC'), '2024-03-10T12:00:00Z')).toMatchObject({
      text: `Error executing tool convert_time: ${message}`,
    });
  });

  it.each(['25:00', '12:60', '24:00', '', 'noon', '12', '12:00:00', '12:00 PM', '-1:00'])('is none of %j', async (time) => {
    const text = 'Error executing tool convert_time: Invalid time format. Expected HH:MM [24-hour format]';
    expect(await errorOf('convert_time', conversion('UTC', time, 'UTC'))).toMatchObject({ text });
  });

  it('has its time zones checked before the time', async () => {
    const text = "Error executing tool convert_time: Invalid timezone: 'No time zone found with key Bad/Zone'";
    expect(await errorOf('convert_time', conversion('UTC', 'nope', 'Bad/Zone'))).toMatchObject({ text });
  });
});

describe('the local time zone', () => {
  it('stands in the descriptions', () => {
    const { localTimeZone } = readSettings({ LONGHAUL_LOCAL_TIMEZONE: 'Asia/Tokyo' });
    expect(JSON.stringify(timeTools({ localTimeZone }))).toContain("Use 'Asia/Tokyo' as local timezone");
  });

  it('is the one of the system unless it is set', () => {
    expect(readSettings({}, 'Asia/Tokyo')).toEqual({ localTimeZone: 'Asia/Tokyo', notices: [] });
    expect(readSettings({}).localTimeZone).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
  });

  it.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    [':Europe/Berlin', 'Europe/Berlin'],
    ['/usr/share/zoneinfo/Europe/Berlin', 'Europe/Berlin'],
    ['US/Eastern', 'US/Eastern'],
    ['', 'UTC'],
  ])('is the one that TZ=%j names: %s', (TZ, localTimeZone) => {
    expect(readSettings({ TZ })).toEqual({ localTimeZone, notices: [] });
  });

  it.each(['EDT', 'CET-1CEST', 'CET-1CEST,M3.5.0,M10.5.0/3', '<+03>-3', 'UTC+5', 'Foo/Bar', 'america/new_york', '/etc/localtime'])(
    'is UTC where TZ=%j names none, with one notice',
    (TZ) => {
      const { localTimeZone, notices } = readSettings({ TZ });
      expect(localTimeZone).toBe('UTC');
      expect(notices).toEqual([
        `TZ=${TZ} is not the name of a time zone such as Europe/Berlin, so the time tools offer UTC as the local one. ` +
          'Set LONGHAUL_LOCAL_TIMEZONE to change that.',
      ]);
    },
  );

  it.each([undefined, '', '+03:00', 'undefined'])('is UTC, with a notice, where the system says %j', (ofSystem) => {
    // An argument of undefined would be the system of the test.
    expect(readSettings({}, ofSystem ?? null)).toMatchObject({
      localTimeZone: 'UTC',
      notices: [expect.stringMatching(/^The system's time zone is not known/)],
    });
  });

  it('is one that the tools take', async () => {
    for (const TZ of [undefined, 'EDT', 'US/Eastern', 'GMT+3', ':UTC', 'Etc/Unknown']) {
      const { localTimeZone } = readSettings({ TZ });
      expect(await errorOf('get_current_time', { timezone: localTimeZone })).toBe('no error');
    }
  });

  it('has to be one', () => {
    expect(() => readSettings({ LONGHAUL_LOCAL_TIMEZONE: 'europe/berlin' })).toThrow(
      /LONGHAUL_LOCAL_TIMEZONE.*must be the name of a time zone/,
    );
  });
});
