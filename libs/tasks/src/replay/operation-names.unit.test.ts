import { expect, it } from 'vitest';
import { isDrawnKey, operationOfKey } from './context.js';

it('keys of the context are called as the author calls their operations', () => {
  expect(['$now', '$elicit', '$session', 'named', 'charge'].map(operationOfKey)).toEqual([
    'context.now()',
    'context.elicit',
    'context.session',
    undefined,
    undefined,
  ]);
});

it('values that are drawn are told from what somebody would name', () => {
  expect(
    ['$now', '$uuid:2', '$now @ all[0]', '$changed:new-way', '$elicit', '$elicit @ all[0]', '$nowhere', 'now'].map(isDrawnKey),
  ).toEqual([true, true, true, true, false, false, false, false]);
});
