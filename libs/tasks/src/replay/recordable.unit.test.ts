import { runInNewContext } from 'node:vm';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import type { Recordable } from './recordable.js';
import type { TaskContext } from './task-context.js';

class Point {
  x = 1;
}

interface Order {
  readonly id: string;
  readonly note?: string;
  readonly items: readonly { readonly price: number | null }[];
}

/** The value that step `s` returns, in the first run and in a replay. */
async function given(value: unknown): Promise<unknown> {
  const seen: unknown[] = [];
  const engine = new Engine(async (context) => {
    seen.push(await context.step('s', () => value).catch((error: Error & { code: string }) => `${error.code}: ${error.message}`));
    await context.sleep('nap', 1);
  });
  await engine.create();
  await engine.settle();
  expect(seen).toHaveLength(2);
  expect(seen[0]).toStrictEqual(seen[1]);
  return seen[0];
}

const circular: Record<string, unknown> = {};
circular['self'] = { circular };

/** Few objects, each present twice: many values. */
function doubled(times: number): unknown {
  let value: unknown = 1;
  for (let time = 0; time < times; time += 1) value = [value, value];
  return value;
}

describe('the value of a step', () => {
  it.each<[unknown, string]>([
    [new Date(0), 'value is a Date'],
    [{ at: { time: new Date(0) } }, 'value.at.time is a Date'],
    [{ list: [1, new Map()] }, 'value.list[1] is a Map'],
    [new Set(), 'value is a Set'],
    [{ error: new RangeError('far') }, 'value.error is a RangeError'],
    [[new Point()], 'value[0] is a Point'],
    [{ run: () => 1 }, 'value.run is a function'],
    [Symbol('s'), 'value is a symbol'],
    [{ big: 10n }, 'value.big is a bigint'],
    [{ ratio: Number.NaN }, 'value.ratio is NaN'],
    [Number.NEGATIVE_INFINITY, 'value is -Infinity'],
    [{ at: { toJSON: () => 1n } }, 'value.at is a bigint'],
    [{ circular }, 'value.circular is nested deeper than 500 levels, or circular'],
  ])('is refused by its step and its place when JSON has no such thing: %o', async (value, message) => {
    const [, place, said] = /^NOT_SERIALIZABLE: Tool "tool", step "s" \((.*?)\): (.*)$/.exec(String(await given(value))) ?? [];
    expect(said).toBe(`The value of step "s" cannot be recorded: ${message}.`);
    expect(place).toMatch(/^libs\/tasks\/src\/replay\/recordable\.unit\.test\.ts:\d+:\d+$/);
  });

  it.each([
    ['an array with holes', () => ({ far: [{ at: Object.assign([], { length: 2 ** 32 - 1 }) }] })],
    ['the same objects again and again', () => doubled(60)],
  ])('is refused when it has more values than could be recorded: %s', async (_, make) => {
    expect(await given(make())).toContain('The value of step "s" cannot be recorded: value has more than 8388608 values.');
  });

  it('is refused when it cannot be read', async () => {
    const unreadable = Object.defineProperty({}, 'at', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    expect(await given(unreadable)).toContain('The value of step "s" cannot be recorded: value cannot be read: no.');
  });

  it.each<[unknown, unknown]>([
    [undefined, undefined],
    [
      { kept: null, gone: undefined, deep: [{ gone: undefined }] },
      { kept: null, deep: [{}] },
    ],
    [
      [undefined, 1],
      [null, 1],
    ],
    [Object.create(null), {}],
    [runInNewContext('({ other: [1] })'), { other: [1] }],
    [new URL('http://localhost/'), 'http://localhost/'],
    [{ toJSON: 'a member' }, { toJSON: 'a member' }],
  ])('is the same in the first run as in a replay: %o', async (value, seen) => {
    expect(await given(value)).toStrictEqual(seen);
  });

  it('has a type that JSON can hold', () => {
    const order: Order = { id: 'a', items: [] };
    const check = (context: TaskContext) => ({
      order: context.step('a', async () => order),
      nothing: context.step('a', () => undefined),
      many: context.step('a', () => [order, undefined]),
      unchecked: context.step('a', () => JSON.parse('1') as unknown),
      number: context.step('a', () => 1),
    });
    expectTypeOf<ReturnType<typeof check>['order']>().toEqualTypeOf<Promise<Order>>();
    expectTypeOf<ReturnType<typeof check>['number']>().toEqualTypeOf<Promise<number>>();
    expectTypeOf<Recordable<Order>>().toEqualTypeOf<Order>();
  });

  it('has no type that JSON turns into something else', () => {
    expectTypeOf<Date>().not.toExtend<Recordable<Date>>();
    expectTypeOf<{ at: { time: Date } }>().not.toExtend<Recordable<{ at: { time: Date } }>>();
    expectTypeOf<Map<string, string>>().not.toExtend<Recordable<Map<string, string>>>();
    expectTypeOf<{ call: () => number }>().not.toExtend<Recordable<{ call: () => number }>>();
    expectTypeOf<bigint>().not.toExtend<Recordable<bigint>>();
  });
});
