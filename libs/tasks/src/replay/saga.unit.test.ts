import { describe, expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import { familyOf } from '../../../../test/support/family.js';
import type { Saga } from './flow-context.js';
import type { TaskContext } from './task-context.js';

/** The world outside: what was done and undone, in order. */
class World {
  readonly log: string[] = [];

  /** A step that does something, and undoes it. */
  do(saga: Saga, name: string): Promise<string> {
    return saga.step(
      name,
      () => {
        this.log.push(`do ${name}`);
        return `done ${name}`;
      },
      (value) => void this.log.push(`undo ${name} (${value})`),
    );
  }
}

/** Nothing that can be recorded. */
const unrecordable = (): unknown => new Map();

async function ran(run: (context: TaskContext) => Promise<unknown>, change?: (engine: Engine) => void) {
  const engine = new Engine(run);
  change?.(engine);
  const id = await engine.create();
  await engine.settle();
  return { engine, id, value: await engine.value(id), outcome: await engine.outcome(id) };
}

const fails = (message: string) => async (): Promise<never> => Promise.reject(new Error(message));

describe('a saga', () => {
  it('undoes nothing when all goes well, and gives the value', async () => {
    const world = new World();
    const { value } = await ran((context) => context.saga(async (saga) => [await world.do(saga, 'a'), await world.do(saga, 'b')]));
    expect(value).toEqual(['done a', 'done b']);
    expect(world.log).toEqual(['do a', 'do b']);
  });

  it('undoes what is recorded, the latest first, and throws what was thrown', async () => {
    const world = new World();
    const { value, engine, id } = await ran((context) =>
      context.saga(async (saga) => {
        await world.do(saga, 'a');
        await world.do(saga, 'b');
        await context.step('c', fails('c is closed'));
      }),
    );
    expect(world.log).toEqual(['do a', 'do b', 'undo b (done b)', 'undo a (done a)']);
    expect(value).toBe('Error: c is closed');
    const keys = (await engine.events(id)).flatMap(({ data }) => ('key' in data ? [data.key] : []));
    expect(keys).toEqual(['a @ saga', 'b @ saga', 'c @ saga', 'b @ $undo @ saga', 'a @ $undo @ saga', '$undone @ saga']);
  });

  it('awaits what still runs, and undoes that too', async () => {
    const world = new World();
    const { value } = await ran((context) =>
      context.saga(async (saga) => {
        const slow = async () => {
          await context.sleep('slow', 1_000);
          return 'slow';
        };
        await Promise.all([
          world.do(saga, 'a'),
          saga.after(slow(), 'undo slow', (word) => void world.log.push(`undo ${word}`)),
          context.step('bad', fails('bad')),
        ]);
      }),
    );
    expect(world.log).toEqual(['do a', 'undo slow', 'undo a (done a)']);
    expect(value).toBe('Error: bad');
  });

  it('fails for what its function has not awaited, and undoes the rest', async () => {
    const world = new World();
    const { value } = await ran((context) =>
      context.saga(async (saga) => {
        await world.do(saga, 'a');
        const forgotten = saga.step('forgotten', fails('forgotten'), () => undefined);
        return forgotten instanceof Promise;
      }),
    );
    expect(value).toBe('Error: forgotten');
    expect(world.log).toEqual(['do a', 'undo a (done a)']);
  });

  it('takes anything that undoing returns', async () => {
    const { value } = await ran((context) =>
      context.saga(async (saga) => {
        await saga.step('a', () => 1, unrecordable);
        throw new Error('no');
      }),
    );
    expect(value).toBe('Error: no');
  });

  it('tries to undo as its options say', async () => {
    const tries: number[] = [];
    const { value } = await ran((context) =>
      context.saga(async (saga) => {
        await saga.step(
          'a',
          () => 1,
          (_, { attempt }) => {
            tries.push(attempt);
            if (attempt < 3) throw new Error('not now');
          },
          { attempts: 3 },
        );
        throw new Error('no');
      }),
    );
    expect(tries).toEqual([1, 2, 3]);
    expect(value).toBe('Error: no');
  });

  it('ends its task by name when something cannot be undone, with what was and what was not', async () => {
    const world = new World();
    const { outcome } = await ran(
      (context) =>
        context.saga(async (saga) => {
          await world.do(saga, 'a');
          await saga.step('b', () => 1, fails('b stays'));
          await world.do(saga, 'c');
          throw new Error('no more');
        }),
      (engine) => (engine.retry = { attempts: 5 }),
    );
    expect(outcome).toMatchObject({
      kind: 'error',
      error: {
        code: -32603,
        message: '"b" could not be undone (b stays). Undone: "c". Not undone: "b", "a". The reason to undo it was: no more',
        data: { reason: 'UNDO_FAILED', undone: ['c'], failed: 'b', notUndone: ['a'], because: 'no more' },
      },
    });
    expect(world.log).toEqual(['do a', 'do c', 'undo c (done c)']);
  });

  it('throws the same in later attempts when something cannot be undone: some of its steps are undone, and some are not', async () => {
    const world = new World();
    const caught: object[] = [];
    const { value } = await ran(
      async (context) => {
        const trip = context.saga(async (saga) => {
          await world.do(saga, 'a');
          await saga.step('b', () => 1, context.attempt === 1 ? fails('b stays') : () => undefined);
          await world.do(saga, 'c');
          if (context.attempt === 1) throw new Error('no more');
          return 'booked';
        });
        return trip.catch(({ message, data }: { message: string; data: object }) => {
          caught.push({ message, data });
          throw new Error('once more');
        });
      },
      (engine) => (engine.retry = { attempts: 3, initialMs: 0 }),
    );
    expect(value).toBe('Error: once more');
    expect(world.log).toEqual(['do a', 'do c', 'undo c (done c)']);
    expect(caught).toHaveLength(3);
    expect(caught[0]).toMatchObject({ data: { reason: 'UNDO_FAILED', undone: ['c'], failed: 'b', notUndone: ['a'] } });
    expect(new Set(caught.map((each) => JSON.stringify(each))).size).toBe(1);
  });

  it('that was undone begins again in the next attempt of its workflow', async () => {
    const world = new World();
    const { value } = await ran(
      async (context) => {
        const done = await context.saga(async (saga) => {
          await world.do(saga, 'a');
          if (context.attempt < 3) throw new Error('not yet');
          return world.do(saga, 'b');
        });
        await context.sleep('nap', 10);
        return done;
      },
      (engine) => (engine.retry = { attempts: 3, initialMs: 0 }),
    );
    expect(value).toBe('done b');
    const once = ['do a', 'undo a (done a)'];
    expect(world.log).toEqual([...once, ...once, 'do a', 'do b']);
  });

  it('that went well is not done again in the next attempt', async () => {
    const world = new World();
    const { value } = await ran(
      async (context) => {
        await context.saga((saga) => world.do(saga, 'a'));
        if (context.attempt < 2) throw new Error('later');
        return 'fine';
      },
      (engine) => (engine.retry = { attempts: 2, initialMs: 0 }),
    );
    expect(value).toBe('fine');
    expect(world.log).toEqual(['do a']);
  });

  it('may be in another one, which undoes its own only', async () => {
    const world = new World();
    const { value } = await ran((context) =>
      context.saga(
        async (outer) => {
          await world.do(outer, 'a');
          const inner = await context
            .saga(async (saga) => {
              await world.do(saga, 'b');
              throw new Error('inner');
            })
            .catch((error: Error) => error.message);
          await world.do(outer, 'c');
          return inner;
        },
        { name: 'trip' },
      ),
    );
    expect(value).toBe('inner');
    expect(world.log).toEqual(['do a', 'do b', 'undo b (done b)', 'do c']);
  });

  it('undoes the calls of tools', async () => {
    const world = new World();
    const engine = familyOf({
      parent: (context) =>
        context.saga(async (saga) => {
          const paid = await saga.after(
            context.call('tool', { as: 'pay' }),
            'refund',
            (result) => void world.log.push(String(result['value'])),
          );
          throw new Error(`paid ${String(paid['value'])}`);
        }),
      pay: async () => 7,
    });
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toBe('Error: paid 7');
    expect(world.log).toEqual(['7']);
  });

  it('undoes the items of a list', async () => {
    const world = new World();
    const { value } = await ran((context) =>
      context.saga((saga) =>
        context.all(['a', 'b', 'c', 'd'], (item) => (item === 'c' ? context.step('no', fails('no c')) : world.do(saga, item)), {
          concurrency: 2,
        }),
      ),
    );
    expect(value).toBe('Error: no c');
    const undone = world.log.filter((line) => line.startsWith('undo')).map((line) => line.slice(5, 6));
    const done = world.log.filter((line) => line.startsWith('do')).map((line) => line.slice(3));
    expect(undone).toEqual(done.toReversed());
  });

  it.each([undefined, null, 'undo'])('refuses %j as what undoes a step, before it runs', async (undo) => {
    const world = new World();
    const { value, engine, id } = await ran((context) =>
      context.saga(async (saga) => {
        await world.do(saga, 'a');
        await saga.step('b', () => 1, undo as unknown as () => void);
      }),
    );
    expect(value).toContain('saga "b": undo must be a function, and is ');
    expect(world.log).toEqual(['do a', 'undo a (done a)']);
    expect(JSON.stringify(await engine.events(id))).not.toContain('"b @ saga"');
  });

  it.each(['$a', '', 'a:2'])('refuses %j as the name of a step that undoes', async (name) => {
    const { value } = await ran((context) =>
      context.saga((saga) =>
        saga.after(
          context.step('a', () => 1),
          name,
          () => undefined,
        ),
      ),
    );
    expect(value).toContain('TaskError');
  });
});
