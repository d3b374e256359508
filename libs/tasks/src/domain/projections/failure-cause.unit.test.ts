import { describe, expect, it } from 'vitest';
import { causeOf, classOf, classOfStep, whatHappened } from './failure-cause.js';

describe('the class of a message', () => {
  it.each([
    ['The card of order 4711 was declined', 'The card of order # was declined'],
    ['no order "a b" for \'Ada\' in `eu`', 'no order … for … in …'],
    ["It can't be; don't try", "It can't be; don't try"],
    ['timeout of 0d9f4c52-6f0e-4a53-9b7c-3b1f5d2a8e11 after 30.5s at 12:00:01', 'timeout of # after # at #'],
    ['fetch https://bank.example/a?b=1 failed for ada@example.com, see /var/log/x', 'fetch … failed for … see …'],
    ['“eins” «zwei» 🙂 ३४', '… … 🙂 #'],
    ['first line\nsecond 7', 'first line'],
    ['', ''],
  ])('%j is %j', (message, expected) => expect(classOf(message)).toBe(expected));

  it('is bounded', () => expect(classOf('x'.repeat(10_000)).length).toBeLessThanOrEqual(301));
});

it('a step is the same in each of its uses', () => {
  expect(['charge', 'charge:2', 'b @ all:7', 'order-4711'].map(classOfStep)).toEqual(['charge', 'charge', 'b @ all', '#']);
});

it('a reason that is a word says what happened; others need the message', () => {
  expect(whatHappened({ tool: 't', reason: 'STEP_TIMEOUT', message: 'x 1' })).toBe('STEP_TIMEOUT');
  expect(whatHappened({ tool: 't', reason: 'TOOL_ERROR', message: 'x 1' })).toBe('x #');
  expect(whatHappened({ tool: 't', reason: '-32603' })).toBe('-32603');
});

it('a group is of one tool, reason, step and class', () => {
  const one = { tool: 'charge', reason: 'TOOL_ERROR', step: 'pay', message: 'order 1 declined' };
  expect(causeOf({ ...one, step: 'pay:2', message: 'order 2 declined' })).toBe(causeOf(one));
  const others = [{ tool: 'x' }, { reason: '-32603' }, { step: undefined }, { message: 'order 1 refused' }];
  expect(new Set([one, ...others.map((other) => ({ ...one, ...other }))].map(causeOf)).size).toBe(5);
  expect(causeOf(one)).toMatch(/^[0-9a-f]{16}$/);
});
