import { describe, expect, it } from 'vitest';
import { type DueRule, dueTimes, problemOfCron, problemOfZone } from './due-times.js';

/** The first times after a date, without the seconds. */
function times(rule: DueRule, after: string, count: number): readonly string[] {
  const due = dueTimes(rule);
  const found: string[] = [];
  for (let at = due.after(Date.parse(after)); at !== undefined && found.length < count; at = due.after(at))
    found.push(new Date(at).toISOString().slice(5, 16));
  return found;
}

const BERLIN = 'Europe/Berlin';

describe('times on the clock, where clocks change', () => {
  // Zone, fields, after, and the times in UTC.
  const TABLE: readonly (readonly [zone: string, cron: string, after: string, times: readonly string[]])[] = [
    [BERLIN, '30 2 * * *', '2026-03-28T12:00Z', ['03-29T01:00', '03-30T00:30', '03-31T00:30']],
    [BERLIN, '30 2 * * *', '2026-10-24T12:00Z', ['10-25T00:30', '10-26T01:30']],
    [BERLIN, '30 2 * * *', '2026-10-25T00:45Z', ['10-26T01:30']],
    [BERLIN, '*/20 2 * * *', '2026-03-28T12:00Z', ['03-29T01:00', '03-30T00:00', '03-30T00:20', '03-30T00:40']],
    [BERLIN, '*/20 2 * * *', '2026-10-24T12:00Z', ['10-25T00:00', '10-25T00:20', '10-25T00:40', '10-26T01:00']],
    [BERLIN, '0 0-6/2 * * *', '2026-03-28T22:30Z', ['03-28T23:00', '03-29T01:00', '03-29T02:00', '03-29T04:00']],
    [BERLIN, '*/30 * * * *', '2026-03-29T00:00Z', ['03-29T00:30', '03-29T01:00', '03-29T01:30']],
    [BERLIN, '0 * * * *', '2026-10-24T23:30Z', ['10-25T00:00', '10-25T01:00', '10-25T02:00']],
    ['Australia/Lord_Howe', '15 2 * * *', '2026-10-02T15:45Z', ['10-03T15:30', '10-04T15:15']],
    ['Australia/Lord_Howe', '45 1 * * *', '2026-04-03T14:45Z', ['04-04T14:45', '04-05T15:15']],
    ['America/Sao_Paulo', '0 0 * * *', '2018-11-03T12:00Z', ['11-04T03:00', '11-05T02:00']],
    ['America/Sao_Paulo', '30 0 * * *', '2018-11-03T12:00Z', ['11-04T03:00', '11-05T02:30']],
    ['America/Sao_Paulo', '30 23 * * *', '2018-02-16T12:00Z', ['02-17T01:30', '02-18T01:30', '02-19T02:30']],
    ['Africa/Cairo', '0 0 * * *', '2026-04-22T12:00Z', ['04-22T22:00', '04-23T22:00', '04-24T21:00']],
    ['Africa/Cairo', '30 23 * * *', '2026-10-28T12:00Z', ['10-28T20:30', '10-29T20:30', '10-30T21:30']],
    ['Asia/Beirut', '0 0 * * *', '2026-03-27T12:00Z', ['03-27T22:00', '03-28T22:00', '03-29T21:00']],
    ['Asia/Beirut', '0 0,23 * * *', '2026-10-23T20:00Z', ['10-23T21:00', '10-24T20:00', '10-24T22:00', '10-25T21:00']],
  ];
  it.each(TABLE)('%s, %s, after %s', (timeZone, cron, after, expected) => {
    expect(times({ cron, timeZone }, after, expected.length)).toEqual(expected);
  });

  it('never stand still or go back, for a year in zones of all kinds', () => {
    for (const timeZone of [BERLIN, 'Australia/Lord_Howe', 'Africa/Cairo', 'Asia/Beirut', 'America/Sao_Paulo', 'America/St_Johns'])
      for (const [cron, longestHours] of [
        ['0 0 * * *', 25],
        ['30 2 * * *', 25],
        ['17 */6 * * *', 7],
      ] as const) {
        const { after } = dueTimes({ cron, timeZone });
        let at = Date.parse('2026-01-01T00:00Z');
        for (let day = 0; day < 366; day++) {
          const next = after(at)!;
          expect(next).toBeGreaterThan(at);
          expect(next - at, `${timeZone} ${cron} after ${new Date(at).toISOString()}`).toBeLessThanOrEqual(longestHours * 3_600_000);
          at = next;
        }
      }
  });
});

describe('intervals', () => {
  const from = Date.parse('2026-03-28T23:50Z');

  it('count elapsed time, also those that divide no hour and no day', () => {
    expect(times({ everyMs: 7 * 60_000, from }, '2026-03-29T00:55Z', 3)).toEqual(['03-29T01:00', '03-29T01:07', '03-29T01:14']);
    expect(times({ everyMs: 25 * 3_600_000, from }, '2026-03-28T23:50Z', 2)).toEqual(['03-30T00:50', '03-31T01:50']);
  });

  it('begin with their first time, if they have one', () => {
    expect(times({ everyMs: 60_000, from, isFirst: true }, '2026-01-01T00:00Z', 2)).toEqual(['03-28T23:50', '03-28T23:51']);
  });
});

it('gives a single time once', () => {
  expect(times({ at: Date.parse('2026-01-02T00:00Z') }, '2026-01-01T00:00Z', 3)).toEqual(['01-02T00:00']);
  expect(times({ at: Date.parse('2026-01-02T00:00Z') }, '2026-01-02T00:00Z', 3)).toEqual([]);
});

it.each([
  ['* * * * * *', 'five fields'],
  ['@daily', 'five fields'],
  ['60 * * * *', 'has the minute 60: it must be from 0 to 59'],
  ['0 8,24 * * *', 'has the hour 24: it must be from 0 to 23'],
  ['0 0 0 * *', 'has the day 0: it must be from 1 to 31'],
  ['0 0 15-32/2 * *', 'has the day 32'],
  ['0 0 1 0 *', 'has the month 0: it must be from 1 to 12'],
  ['0 0 1 JAN-13 *', 'has the month 13'],
  ['0 0 * * 8#2', 'has the weekday 8: it must be from 0 to 7'],
  ['*/90 2 * * *', 'steps cannot be greater'],
  ['5-1 2 * * *', 'has the range 5-1, which ends before it begins'],
  ['0 0 30 2 *', 'never comes'],
  ['a b c d e', 'illegal characters'],
])('says what is wrong with %s', (cron, problem) => {
  expect(problemOfCron(cron)).toContain(problem);
});

it('takes lists, ranges, steps, names, the last day and the second Friday of a month', () => {
  for (const cron of ['0,30 8-18/2 * * MON-FRI', '0 0 L * *', '0 9 * * FRI#2', '0 9 * * 5#5', '0 0 31W 12 0,7', ' 5  4 * *  SUN '])
    expect(problemOfCron(cron)).toBeUndefined();
});

it('takes zones by their names only', () => {
  expect(problemOfZone('Pacific/Chatham')).toBeUndefined();
  for (const zone of ['Mars/Olympus', '+02:00', '']) expect(problemOfZone(zone)).toContain('must be a time zone');
});
