import { expect, it } from 'vitest';
import { describeMisspelling, misspeltVariables, VARIABLE_NAMES } from './misspelt-variables.js';

it.each([
  ['LONGHAUL_TOKEN', 'LONGHAUL_TOKENS'],
  ['LONGHAUL_ALLOW_ANONYMUOS', 'LONGHAUL_ALLOW_ANONYMOUS'],
  ['LONGHAUL_MAX_TASKS_PER_MIN', 'LONGHAUL_MAX_TASKS_PER_MINUTE'],
  ['longhaul_secret', 'LONGHAUL_SECRET'],
  ['LONG_HAUL_TOKENS', 'LONGHAUL_TOKENS'],
  ['LONGHAL_TOKENS', 'LONGHAUL_TOKENS'],
  ['LONGHAUL_AUTH_TOKENS', 'LONGHAUL_TOKENS'],
])('a variable %s is named with its nearest spelling %s, and without its value', (name, nearest) => {
  const [found] = misspeltVariables({ [name]: 'a secret' });
  expect(found && describeMisspelling(found)).toBe(`${name} is not read: did you mean ${nearest}?`);
});

it.each([
  'LONGHAUL_PORT',
  'LONGHAUL_TAG',
  'LONGHAUL_STOP_GRACE',
  'LONGHAUL_REDIS_FSYNC',
  'LONGHAUL_REDIS_MAXMEMORY',
  'LONGHAUL_MY_OWN',
  'TOKENS',
])('a variable %s of something else is left alone', (name) => {
  expect(misspeltVariables({ [name]: 'x' })).toEqual([]);
});

it('no variable of Longhaul is taken for another one', () => {
  expect(misspeltVariables(Object.fromEntries(VARIABLE_NAMES.map((name) => [name, 'x'])))).toEqual([]);
});
