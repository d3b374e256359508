import type { StatsPeriod } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import { alertsOf, type SeenDeployment } from './alert-conditions.js';
import type { AlertSettings } from './alert-settings.js';

const MINUTE_MS = 60_000;
const SETTINGS: AlertSettings = {
  url: 'https://alerts.example.com/',
  secrets: [],
  allowPrivate: false,
  failureRate: 0.2,
  queueAgeMs: MINUTE_MS,
  questionAgeMs: 60 * MINUTE_MS,
  silenceMs: 5 * MINUTE_MS,
  storeNearlyFull: true,
};

/** The latest minutes, of which only some have counts. */
function minutesOf(counts: Readonly<Record<number, Partial<StatsPeriod>>>): StatsPeriod[] {
  return Array.from({ length: 60 }, (_, at) => ({
    at: at * MINUTE_MS,
    created: 0,
    completed: 0,
    failed: 0,
    cancelled: 0,
    ...counts[59 - at],
  }));
}

const WELL: SeenDeployment = { ages: { queueAgeMs: 0, questionAgeMs: 0 }, minutes: minutesOf({}), work: 0, hasRoom: true };

const namesOf = (seen: Partial<SeenDeployment>, settings: Partial<AlertSettings> = {}): string[] => [
  ...alertsOf({ ...SETTINGS, ...settings }, { ...WELL, ...seen }).keys(),
];

describe('alerts', () => {
  it('are none while all is well', () => {
    expect(namesOf({})).toEqual([]);
    expect(namesOf({ minutes: minutesOf({ 0: { completed: 90, failed: 10 } }), work: 9 })).toEqual([]);
  });

  it('are there from each limit on, and only where there is a limit', () => {
    const ages = { queueAgeMs: MINUTE_MS, questionAgeMs: 60 * MINUTE_MS };
    expect(namesOf({ ages, hasRoom: false })).toEqual(['queueAgeMs', 'questionAgeMs', 'storeNearlyFull']);
    expect(namesOf({ ages: { queueAgeMs: MINUTE_MS - 1, questionAgeMs: 0 } })).toEqual([]);
    expect(namesOf({ ages, hasRoom: false }, { queueAgeMs: undefined, questionAgeMs: undefined, storeNearlyFull: false })).toEqual([]);
  });

  it('of failures count those of ten minutes, if they are enough', () => {
    const minutes = minutesOf({ 0: { completed: 6, failed: 1 }, 9: { completed: 2, failed: 1 }, 10: { completed: 90 } });
    expect(alertsOf(SETTINGS, { ...WELL, minutes }).get('failureRate')).toEqual({
      text: '2 of 10 tasks failed in the last 10 minutes.',
      value: 0.2,
      limit: 0.2,
    });
    expect(namesOf({ minutes: minutesOf({ 0: { failed: 9 } }) })).toEqual([]);
  });

  it('of silence need work, and no end since it began', () => {
    expect(namesOf({ work: 1 })).toEqual(['silenceMs']);
    expect(namesOf({ work: 0 })).toEqual([]);
    expect(namesOf({ work: 1, minutes: minutesOf({ 3: { created: 1 } }) })).toEqual([]);
    expect(namesOf({ work: 1, minutes: minutesOf({ 4: { created: 1 }, 0: { created: 1 } }) })).toEqual(['silenceMs']);
    expect(namesOf({ work: 1, minutes: minutesOf({ 4: { created: 1, cancelled: 1 }, 0: { created: 1 } }) })).toEqual([]);
  });
});
