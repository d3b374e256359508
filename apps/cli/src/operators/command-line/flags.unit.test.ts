import { expect, it } from 'vitest';
import { filterOf, limitOf, STATUSES } from './flags.js';
import type { Given } from '../../command-line/command.js';
import { ROW_STATUSES } from '@longhaul/tasks';

const NOW = Date.parse('2026-01-31T12:00:00Z');

const given = (values: Readonly<Record<string, string>>): Given => ({
  words: [],
  value: (name) => values[name],
  values: (name) => (values[name] === undefined ? [] : [values[name]]),
  has: () => false,
});

it('makes a filter of the API of flags, with times from durations', () => {
  expect(filterOf(given({ status: 'failed', failure: 'X', deployment: '1', since: '2h', before: '2026-01-31' }), NOW)).toEqual({
    status: 'failed',
    failure: 'X',
    deployment: '1',
    since: '2026-01-31T10:00:00.000Z',
    before: '2026-01-31T00:00:00.000Z',
  });
});

it('has values of several words in quotes', () => {
  const where = ['orderId=4711', 'customer.name=Ada "L" Lovelace', 'note=', 'wrong'];
  const typed: Given = { ...given({}), values: () => where };
  expect(filterOf(typed, NOW)).toEqual({ where: 'orderId=4711 customer.name="Ada \\"L\\" Lovelace" note="" wrong' });
  expect(filterOf(given({ query: 'where=orderId=4711' }), NOW)).toEqual({ where: 'orderId=4711' });
});

it('takes the same filter as one query, beside which flags count more', () => {
  const query = 'status=failed,cancelled  owner="Ada Lovelace" since=2h tool=a';
  expect(filterOf(given({ query, tool: 'b' }), NOW)).toEqual({
    status: 'failed,cancelled',
    owner: 'Ada Lovelace',
    tool: 'b',
    since: '2026-01-31T10:00:00.000Z',
  });
});

it.each([
  ['colour=red', '"colour" is no filter'],
  ['status', 'cannot read "status"'],
  ['tool=a and b', 'cannot read "and b"'],
])('refuses the query %s', (query, message) => {
  expect(() => filterOf(given({ query }))).toThrow(message);
});

it.each([{ since: 'yesterday' }, { before: '2 hours' }])('refuses the time of %o', (flags) => {
  expect(() => filterOf(given(flags), NOW)).toThrow(/must be a duration such as 2h, or a time/);
});

it.each(['0', '-1', 'many', '1000000'])('refuses %s as a limit', (limit) => {
  expect(() => limitOf(given({ limit }))).toThrow('--limit');
});

it('knows the statuses that the engine knows', () => {
  expect(STATUSES).toEqual(ROW_STATUSES);
});

it.each(['2', 'Jan 5', '2026-02-30', '2026-02-30T00:00:00Z', '2026-01-31 12:00', '-2h', '1.5h', ''])(
  'takes no time that is none: %j',
  (since) => {
    expect(() => filterOf(given({ since }), NOW)).toThrow('must be a duration such as 2h, or a time such as 2026-01-31T12:00:00Z');
  },
);

it('takes a long time ago for the first moment', () => {
  expect(filterOf(given({ since: '999999d', before: '2026-01-31T12:00:00+01:00' }), NOW)).toEqual({
    since: '1970-01-01T00:00:00.000Z',
    before: '2026-01-31T11:00:00.000Z',
  });
});
