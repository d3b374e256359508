import { UriTemplate } from '@modelcontextprotocol/sdk/shared/uriTemplate.js';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { uriMatcherOf } from './uri-template-matcher.js';

const name = fc.constantFrom('a', 'b', 'long', 'q');
const expression = fc.oneof(
  fc.tuple(fc.constantFrom('', '+', '#', '.', '/'), name, fc.constantFrom('', '*')).map((parts) => parts.join('')),
  fc
    .tuple(fc.constantFrom('?', '&'), fc.array(name, { minLength: 1, maxLength: 3 }))
    .map(([operator, names]) => operator + names.join(',')),
);
const text = fc.string({ unit: fc.constantFrom('x', '/', ',', '.', ':', '?', '&', '=', '#', '+', '}', '\n'), maxLength: 3 });
const template = fc
  .tuple(text, fc.array(fc.tuple(expression, text), { minLength: 1, maxLength: 4 }))
  .map(([start, parts]) => start + parts.map(([inner, after]) => `{${inner}}${after}`).join(''));

/** A URI that may well be one of the template: its expressions filled in, and then perhaps spoilt. */
const withUri = template.chain((uriTemplate) => {
  const value = fc.string({ unit: fc.constantFrom('v', '/', ',', '.', '&', '=', '\n', '\u2028'), minLength: 1, maxLength: 5 });
  const filled = fc.infiniteStream(value).map((values) =>
    uriTemplate.replaceAll(/\{([+#./?&]?)([^}]*)\}/g, (_all, operator: string, list: string) => {
      const next = (): string => values.next().value ?? '';
      if (operator !== '?' && operator !== '&') return (operator === '.' || operator === '/' ? operator : '') + next();
      return list
        .split(',')
        .map((one, index) => `${index === 0 ? operator : '&'}${one}=${next()}`)
        .join('');
    }),
  );
  return fc.record({
    uriTemplate: fc.constant(uriTemplate),
    uri: fc.oneof({ weight: 4, arbitrary: filled }, { weight: 1, arbitrary: value }),
  });
});

/** The result of the SDK's matcher, with the values of a list as they were written. */
function bySdk(uriTemplate: string, uri: string): Record<string, string> | undefined {
  const found = new UriTemplate(uriTemplate).match(uri);
  return found === null ? undefined : Object.fromEntries(Object.entries(found).map(([key, value]) => [key, String(value)]));
}

describe('the matcher of a URI template', () => {
  it('finds what the one of the SDK finds', () => {
    let matches = 0;
    fc.assert(
      fc.property(withUri, ({ uriTemplate, uri }) => {
        const expected = bySdk(uriTemplate, uri);
        if (expected !== undefined) matches += 1;
        expect(uriMatcherOf(uriTemplate)(uri)).toEqual(expected);
      }),
      { numRuns: 1_000, seed: 15 },
    );
    expect(matches).toBeGreaterThan(150);
  });

  it.each([
    ['x://{+a}-{+b}!', `x://${'-'.repeat(200_000)}`],
    ['x://{+a}{+b}{+c}{+d}!', `x://${'a'.repeat(200_000)}`],
    ['x://{a*}{b*}!', `x://${'a,'.repeat(100_000)}`],
    ['x://{+a}/{+b}', `x://${'a/'.repeat(100_000)}\n`],
    ['x://{+a}{?b,c}', `x://${'?b=1&c=2'.repeat(25_000)}&`],
  ])('takes no time for a long URI that is almost one of %s', (uriTemplate, uri) => {
    const match = uriMatcherOf(uriTemplate);
    // Not the time: others may use the machine as well. Each takes a few milliseconds, and fifty times as long with coverage.
    const started = process.threadCpuUsage();
    expect(match(uri)).toBeUndefined();
    const { user, system } = process.threadCpuUsage(started);
    expect((user + system) / 1_000).toBeLessThan(1_000);
  });

  it('shares a long URI between its variables, as much as possible to the first one', () => {
    const [first, second] = ['a-'.repeat(50_000), 'b'.repeat(100_000)];
    expect(uriMatcherOf('x://{+first}-{+second}')(`x://${first}-${second}`)).toEqual({ first, second });
  });

  it.each(['a://{}', 'a://{+}', 'a://{?}', 'a://{?b,}'])('is not made of a variable without a name: %s', (uriTemplate) => {
    expect(() => uriMatcherOf(uriTemplate)).toThrow('has a variable without a name.');
  });
});
