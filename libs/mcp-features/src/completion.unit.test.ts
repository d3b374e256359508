import { CompleteResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { fakeRequest } from './testing.js';
import { completersByName, completionOf } from './completion.js';
import { presentFeature } from './feature-scope.js';

const values = (count: number) => Array.from({ length: count }, (_, index) => `value ${index + 1}`);

describe('a completion', () => {
  it.each([
    [0, 0, false],
    [1, 1, false],
    [99, 99, false],
    [100, 100, false],
    [101, 100, true],
    [250, 100, true],
  ])('of %i values has %i of them, the first ones, and says whether there are more: %j', (total, length, hasMore) => {
    const result = completionOf(values(total));
    expect(result).toEqual({ completion: { values: values(length), total, hasMore } });
    expect(CompleteResultSchema.parse(result)).toEqual(result);
  });
});

describe('a completion that says what it knows', () => {
  it.each<[object, object]>([
    [{ total: 7 }, { total: 7, hasMore: true }],
    [{ total: 2 }, { total: 2, hasMore: false }],
    [{ hasMore: true }, { hasMore: true }],
    [{}, { hasMore: false }],
    [
      { total: 7, hasMore: false },
      { total: 7, hasMore: false },
    ],
  ])('beside two values, such as %j, says just that: %j', (known, expected) => {
    expect(completionOf({ values: values(2), ...known })).toEqual({ completion: { values: values(2), ...expected } });
  });

  it('has more when some of its values are cut off', () => {
    expect(completionOf({ values: values(101), hasMore: false }).completion).toEqual({ values: values(100), hasMore: true });
  });
});

describe('the completers of a feature', () => {
  const city = (value: string) => [`${value}slo`];
  const scope = { kind: 'prompt', name: 'weather' } as const;

  it('are found by the names of arguments, and run as that feature', () => {
    const seen: unknown[] = [];
    const complete = completersByName(scope, {
      city: (value, _given, _context, argument) => (seen.push(presentFeature(), argument), city(value)),
    })['city'];
    expect(complete?.('O', {}, fakeRequest())).toEqual(['Oslo']);
    expect(seen).toEqual([scope, 'city']);
  });

  it.each(['day', 'constructor', 'toString', '__proto__'])('are no others: "%s"', (name) => {
    expect(completersByName(scope, { city })[name]).toBeUndefined();
    expect(completersByName(scope)[name]).toBeUndefined();
  });
});
