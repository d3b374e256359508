import { describe, expect, it } from 'vitest';
import { durationText, msOfDuration, problemOfName, ruleOf, scheduleShape, schedulesSetting } from './schedule-settings.js';

function problems(schedule: object): readonly string[] {
  const { error } = scheduleShape.safeParse({ tool: 'report', ...schedule });
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('a schedule', () => {
  it('has a tool and times, and the rest by default', () => {
    expect(scheduleShape.parse({ tool: 'report', cron: '0 3 * * *' })).toEqual({
      tool: 'report',
      arguments: {},
      cron: '0 3 * * *',
      jitter: '0s',
      overlap: 'skip',
      catchUp: '1h',
    });
  });

  it.each([
    [{}, 'cron: is missing'],
    [{ cron: '0 3 * * *', every: '1h' }, 'every: is given together with cron'],
    [{ cron: '0 3 * *' }, 'cron: must be five fields'],
    [{ cron: '0 3 * * *', timeZone: 'Mars/Olympus' }, 'timeZone: must be a time zone'],
    [{ every: '1h', timeZone: 'UTC' }, 'timeZone: belongs to cron'],
    [{ cron: '0 3 * * *', from: '2026-01-01T00:00Z' }, 'from: belongs to every'],
    [{ every: '100ms' }, 'every: must be a duration from 1s to 366d'],
    [{ every: '0s' }, 'every: must be a duration from 1s to 366d'],
    [{ at: '2026-12-24T18:00' }, 'at: must be a date with its offset'],
    [{ at: '2026-02-31T25:00Z' }, 'at: must be a date'],
    [{ at: '2026-02-29T18:00Z' }, 'at: must be a date'],
    [{ every: '1h', until: '2026-04-31T00:00:00+02:00' }, 'until: must be a date'],
    [{ every: '1h', jitter: '2d' }, 'jitter: must be a duration from 0s to 1d'],
    [{ every: '1h', catchUp: '30d' }, 'catchUp: must be a duration from 1m to 7d'],
    [{ every: '1h', overlap: 'never' }, 'overlap: must be one of skip, queue, allow, cancel'],
    [{ every: '1h', arguments: { text: 'x'.repeat(70_000) } }, 'at most 65536 are allowed'],
    [{ every: '1h', pausd: true }, 'Unrecognized key: "pausd"'],
  ])('is refused by field: %j', (schedule, problem) => {
    expect(problems(schedule).join('\n')).toContain(problem);
  });

  it('counts an interval from its start, or from when it is added', () => {
    const rule = (more: object) => ruleOf(scheduleShape.parse({ tool: 'report', ...more }), 5_000);
    expect(rule({ every: '1h30m' })).toEqual({ everyMs: 5_400_000, from: 5_000 });
    expect(rule({ every: '1h', from: '1970-01-01T01:00:00+01:00' })).toEqual({ everyMs: 3_600_000, from: 0, isFirst: true });
    expect(rule({ cron: '0 3 * * *' })).toEqual({ cron: '0 3 * * *', timeZone: 'UTC' });
  });
});

it('takes names with emoji, and none with control characters, spaces at their ends, or too many bytes', () => {
  for (const name of ['nightly', 'Bericht der Nacht 🌙', 'a/b']) expect(problemOfName(name)).toBeUndefined();
  for (const name of ['', ' a', 'a\nb', '\ud800', '🌙'.repeat(65)]) expect(problemOfName(name)).toContain('1 to 256 bytes');
});

it('names each wrong field of a file by its path', () => {
  const { error } = schedulesSetting.safeParse(JSON.stringify({ schedules: { nightly: { tool: 'report', cron: '61 * * * *' } }, more: 1 }));
  expect(error?.issues[0]?.message).toContain('schedules.nightly.cron: has the minute 61');
  expect(error?.issues[0]?.message).toContain('more');
});

it('reads and writes durations', () => {
  for (const [text, ms] of [
    ['90s', 90_000],
    ['1h30m', 5_400_000],
    ['2d', 172_800_000],
  ] as const)
    expect(msOfDuration(text)).toBe(ms);
  expect(['90000', '1.5h', '', 'h'].map(msOfDuration)).toEqual([undefined, undefined, undefined, undefined]);
  expect([90_000, 0, 86_400_000].map(durationText)).toEqual(['1m30s', '0s', '1d']);
});
