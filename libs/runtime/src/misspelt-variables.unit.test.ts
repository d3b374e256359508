import { expect, it } from 'vitest';
import { misspeltVariables, unknownVariables, variableWarnings } from './misspelt-variables.js';
import { VARIABLE_NAMES } from './variable-names.js';

it.each([
  ['LONGHAUL_TOKEN', 'LONGHAUL_TOKENS'],
  ['LONGHAUL_ALLOW_ANONYMUOS', 'LONGHAUL_ALLOW_ANONYMOUS'],
  ['LONGHAUL_MAX_TASKS_PER_MIN', 'LONGHAUL_MAX_TASKS_PER_MINUTE'],
  ['longhaul_secret', 'LONGHAUL_SECRET'],
  ['LONG_HAUL_TOKENS', 'LONGHAUL_TOKENS'],
  ['LONGHAL_TOKENS', 'LONGHAUL_TOKENS'],
  ['LONGHAUL_AUTH_TOKENS', 'LONGHAUL_TOKENS'],
])('a variable %s is named with its nearest spelling %s, and without its value', (name, nearest) => {
  expect(variableWarnings({ [name]: 'a secret' })).toEqual([`${name} is not read: did you mean ${nearest}?`]);
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

it('a variable that resembles none is named once, by the process that was started first, and without its value', () => {
  const env = { LONGHAUL_MY_OWN: 'a secret', LONGHAUL_TOKENS: 'x', LONGHAUL_QUEUE_COLOUR: '' };
  expect(variableWarnings(env)).toEqual(['LONGHAUL_MY_OWN is no setting of Longhaul.', 'LONGHAUL_QUEUE_COLOUR is no setting of Longhaul.']);
  expect(variableWarnings(env, true)).toEqual([]);
});

it.each([
  'LONGHAUL_PORT',
  'LONGHAUL_TAG',
  'LONGHAUL_REDIS_FSYNC',
  'LONGHAUL_GATEWAY_SERVICE_HOST',
  'LONGHAUL_GATEWAY_SERVICE_PORT_HTTP',
  'LONGHAUL_GATEWAY_PORT',
  'LONGHAUL_GATEWAY_PORT_3000_TCP_ADDR',
  'TOKENS',
])('a variable %s that others set is not named as unknown', (name) => {
  expect(unknownVariables({ [name]: 'x' })).toEqual([]);
});

it('no variable of Longhaul is taken for another one', () => {
  expect(misspeltVariables(Object.fromEntries(VARIABLE_NAMES.map((name) => [name, 'x'])))).toEqual([]);
});
