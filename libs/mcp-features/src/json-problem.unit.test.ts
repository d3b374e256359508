import { describe, expect, it } from 'vitest';
import { jsonProblem } from './json-problem.js';

const circular: Record<string, unknown> = {};
circular['a'] = [{ self: circular }];

const deep = (levels: number): unknown => (levels === 0 ? {} : JSON.parse('[{"a":'.repeat(levels) + '1' + '}]'.repeat(levels)));

describe('what keeps a value from being sent', () => {
  it.each([
    [1n, 'it is a BigInt'],
    [{ content: [{ type: 'text', text: 1n }] }, 'content.0.text is a BigInt'],
    [circular, 'a.0.self contains itself'],
    [{ a: { toJSON: () => 1n } }, 'a is a BigInt'],
    [
      {
        get a() {
          throw new Error('no');
        },
      },
      'it cannot be read: no',
    ],
  ])('is named with its place (%#)', (value, problem) => {
    expect(jsonProblem(value)).toBe(problem);
  });

  const twice = { x: 1 };
  it.each([
    [undefined],
    [null],
    ['text'],
    [{ a: [1, 'b', null, undefined, () => 1, Number.NaN] }],
    [{ first: twice, second: twice }],
    [{ at: new Date(0) }],
    [Buffer.alloc(10)],
    [new Error('an error')],
    [deep(200)],
  ])('is nothing where JSON has a way (%#)', (value) => {
    expect(jsonProblem(value)).toBeUndefined();
  });

  it('is more levels than anything can read', () => {
    let nested: unknown = 1;
    for (let level = 0; level < 100_000; level++) nested = [nested];
    expect(jsonProblem(nested)).toMatch(/^it cannot be read: /);
  });
});
