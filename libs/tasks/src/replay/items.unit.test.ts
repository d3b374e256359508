import { describe, expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import { call, familyOf } from '../../../../test/support/family.js';
import type { AllOptions } from './flow-context.js';
import type { TaskContext } from './task-context.js';

/** The keys of what a task has recorded, in the order of their first records. */
async function keysOf(engine: Engine, id: Awaited<ReturnType<Engine['create']>>): Promise<readonly string[]> {
  const events = await engine.events(id);
  return [...new Set(events.flatMap(({ data }) => ('key' in data ? [data.key] : [])))];
}

async function ranWith(run: (context: TaskContext) => Promise<unknown>) {
  const engine = new Engine(run);
  const id = await engine.create();
  await engine.settle();
  return { engine, id, value: await engine.value(id) };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, number) => number);

describe('the items of all', () => {
  it('give their results in their order, whatever the order in which they end', async () => {
    const { value, engine, id } = await ranWith((context) =>
      context.all([30, 10, 20], async (ms, index) => {
        await context.sleep('nap', ms);
        return context.step('work', () => `${index}: ${ms}`);
      }),
    );
    expect(value).toEqual(['0: 30', '1: 10', '2: 20']);
    const fired = (await engine.events(id)).flatMap(({ type, data }) => (type === 'TimerFired' && 'key' in data ? [data.key] : []));
    expect(fired).toEqual(['nap @ all[1]', 'nap @ all[2]', 'nap @ all[0]']);
  });

  it('run as many at a time as they may', async () => {
    const gates = numbers(7).map(() => Promise.withResolvers<void>());
    const begun: number[] = [];
    const engine = new Engine((context) =>
      context.all(
        numbers(7),
        (item) =>
          context.step('work', async () => {
            begun.push(item);
            await gates[item]?.promise;
          }),
        { concurrency: 3 },
      ),
    );
    await engine.create();
    const delivery = engine.deliver();
    await expect.poll(() => begun).toEqual([0, 1, 2]);
    gates[1]?.resolve();
    await expect.poll(() => begun).toEqual([0, 1, 2, 3]);
    for (const gate of gates) gate.resolve();
    await delivery;
    expect(begun).toEqual(numbers(7));
  });

  it('have records of their own, with each use of a name, in items of items and of a second list', async () => {
    const { engine, id } = await ranWith(async (context) => {
      await context.all(
        ['a', 'b'],
        async (letter) => {
          context.now();
          await context.step('twice', () => 1);
          await context.step('twice', () => 2);
          await context.all([7], (number) => context.step('inner', () => number), { name: 'parts', key: (number) => number });
          return letter;
        },
        { name: 'letters', key: (letter) => letter, concurrency: 1 },
      );
      await context.all([1], () => context.step('twice', () => 3));
      await context.all([1], () => context.step('twice', () => 4));
      await context.step('twice', () => 5);
    });
    expect(await keysOf(engine, id)).toEqual([
      ...['a', 'b'].flatMap((letter) => [
        `$now @ letters[${letter}]`,
        `twice @ letters[${letter}]`,
        `twice:2 @ letters[${letter}]`,
        `inner @ parts[7] @ letters[${letter}]`,
      ]),
      'twice @ all[0]',
      'twice @ all:2[0]',
      'twice',
    ]);
  });

  it('never share a record with a step whose name looks like that of an item', async () => {
    const names = ['work @ all[0]', 'work', '@', 'a @ @', 'a @@ b', 'work @'];
    const { value, engine, id } = await ranWith(async (context) => {
      const outer = await Promise.all(names.map((name) => context.step(name, () => `outer ${name}`)));
      const inner = await context.all([0], () => Promise.all(names.map((name) => context.step(name, () => `inner ${name}`))));
      return [...outer, ...(inner[0] ?? [])];
    });
    expect(value).toEqual([...names.map((name) => `outer ${name}`), ...names.map((name) => `inner ${name}`)]);
    expect(await keysOf(engine, id)).toContain('work @@ all[0]');
    expect(await keysOf(engine, id)).toContain('work @ all[0]');
  });

  it('begin no more once one has failed, and those that run are awaited', async () => {
    const ran: number[] = [];
    const { value } = await ranWith(async (context) => {
      try {
        await context.all(
          numbers(10),
          async (item) => {
            await context.sleep('nap', item === 1 ? 10 : 1_000);
            await context.step('work', () => {
              ran.push(item);
              if (item === 1) throw new Error('one is bad');
            });
          },
          { concurrency: 3 },
        );
        return undefined;
      } catch (error) {
        return [(error as Error).message, context.now()];
      }
    });
    expect(value).toEqual(['one is bad', 2_000]);
    expect(ran).toEqual([1, 0, 2]);
  });

  it('all run where failures are settled', async () => {
    const { value } = await ranWith(async (context) => {
      const settled = await context.all(
        numbers(3),
        (item) => context.step('work', () => (item === 1 ? Promise.reject(new Error('bad')) : item)),
        {
          settle: true,
          concurrency: 1,
        },
      );
      return settled.map((result) => (result.status === 'fulfilled' ? result.value : (result.reason as Error).message));
    });
    expect(value).toEqual([0, 'bad', 2]);
  });

  it('may be none, and may do nothing that is recorded', async () => {
    const { value } = await ranWith(async (context) => [
      await context.all([], () => 1),
      await context.all(new Set([1, 2]), (item) => item * 2),
    ]);
    expect(value).toEqual([[], [2, 4]]);
  });

  it('may be a thousand, which are within the limit of events and are replayed in each pass', async () => {
    let runs = 0;
    const engine = new Engine(async (context) => {
      const all = await context.all(
        numbers(1_000),
        async (item) => {
          const value = await context.step('work', () => {
            runs += 1;
            return item;
          });
          if (item % 100 === 0) await context.sleep('nap', 1_000 - item);
          return value;
        },
        { concurrency: 50 },
      );
      return all.reduce((sum, item) => sum + item, 0);
    });
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toBe(499_500);
    expect(runs).toBe(1_000);
  });

  it('may call tools, a thousand of them in bounded batches', async () => {
    const engine = familyOf({
      parent: async (context) => {
        const results = await context.all(numbers(1_000), (number) => call(context, 'child', { number }), { concurrency: 40 });
        return results.length;
      },
      child: async (_, { number }) => number,
    });
    engine.limits = { tasksPerMinute: 10_000 };
    const parent = await engine.create();
    await engine.settle();
    expect(await engine.value(parent)).toBe(1_000);
  });

  it('end with the task when it is cancelled', async () => {
    const begun: number[] = [];
    const engine = new Engine((context) =>
      context.all(
        numbers(5),
        async (item) => {
          begun.push(item);
          await context.sleep('nap', 1_000);
        },
        { concurrency: 2 },
      ),
    );
    const id = await engine.create();
    await engine.deliver();
    await engine.cancel(id);
    await engine.settle();
    expect(begun).toEqual([0, 1]);
    expect(await engine.outcome(id)).toMatchObject({ kind: 'cancelled' });
  });

  it('that were forked in between keep what they have, whatever the order of the rest', async () => {
    const ran: string[] = [];
    const engine = new Engine((context) =>
      context.all(['a', 'b', 'c'], (item) => context.step('work', () => void ran.push(item)), { key: (item) => item, concurrency: 1 }),
    );
    const id = await engine.create();
    await engine.settle();
    ran.length = 0;
    await engine.fork(id, { from: { step: 'work @ all[b]' } });
    await engine.settle();
    expect(ran).toEqual(['b', 'c']);
  });

  it('have names that are the same in each pass of a task and in no other', async () => {
    const keys: string[] = [];
    const { id } = await ranWith((context) =>
      context.all([1, 2], (item) => context.step('work', ({ idempotencyKey }) => void keys.push(`${item} ${idempotencyKey}`))),
    );
    expect(keys).toEqual([`1 ${id}:work @ all[0]`, `2 ${id}:work @ all[1]`]);
  });
});

describe('options of all that cannot be', () => {
  it.each<[string, AllOptions<number>, string]>([
    ['no item at a time', { concurrency: 0 }, 'concurrency must be a whole number from 1 to 1000, and is 0'],
    ['half of an item', { concurrency: 1.5 }, 'concurrency must be a whole number'],
    ['too many', { concurrency: 1_001 }, 'concurrency must be a whole number'],
    ['a name of the context', { name: '$all' }, 'neither begins with "$"'],
    ['a name like an item', { name: 'all[1]' }, 'a name has no "["'],
    ['two items with one key', { key: () => '😀' }, 'items 0 and 1 have the same key "😀"'],
    ['no key', { key: () => '' }, 'the key of item 0 must be a number or a text of 1 to 128 characters, and is ""'],
    ['another key', { key: () => null as never }, 'and is null'],
  ])('are refused before an item begins: %s', async (_, options, message) => {
    let began = false;
    const { value } = await ranWith((context) => context.all([1, 2], () => (began = true), options));
    expect(value).toContain(message);
    expect(value).toContain('TaskError');
    expect(began).toBe(false);
  });

  it('are lists in lists in lists whose names are too long together', async () => {
    const deeper = (context: TaskContext, depth: number): Promise<unknown> =>
      context.all([1], () => (depth === 0 ? 1 : deeper(context, depth - 1)), { name: 'x'.repeat(100) });
    const { value } = await ranWith((context) => deeper(context, 6));
    expect(value).toContain('at most 512 characters');
  });

  it('are none at all, when nobody awaits them', async () => {
    const { value } = await ranWith(async (context) => {
      const forgotten = context.all([1], () => context.step('work', () => 1));
      return forgotten instanceof Promise;
    });
    expect(value).toMatchObject({ error: { message: expect.stringContaining('without having awaited all') } });
  });
});
