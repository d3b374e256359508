/** Tests waits that other engines have lost: many at once, several answers in one moment, and a request that fails beside its wait. */
import { describe, expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import { thrown } from '../../../../test/support/family.js';
import { MAX_KEPT_SIGNALS } from '../domain/signals.js';
import type { TaskContext } from './task-context.js';

const publicUrl = 'https://tasks.example.com/mcp';
const COUNT = 60;
const names = Array.from({ length: COUNT }, (_, number) => `answer ${number}`);

describe('signals that come in one moment', () => {
  it('are all seen by a function that takes one after the other, and works between them', async () => {
    const engine = new Engine(async (context) => {
      const seen: unknown[] = [];
      for (let n = 0; n < 3; n++) {
        seen.push(await context.waitFor('item'));
        await context.step('handle', () => n);
      }
      return seen;
    });
    const id = await engine.create();
    await engine.deliver();
    await Promise.all([1, 2, 3].map((value) => engine.signal(id, 'item', value)));
    await engine.settle();
    expect((await engine.value(id)) as number[]).toHaveLength(3);
    expect(new Set((await engine.value(id)) as number[])).toEqual(new Set([1, 2, 3]));
  });

  it('are all seen when the function is about to end with the first of them', async () => {
    const engine: Engine = new Engine(async (context) => {
      const seen = [await context.waitFor('item')];
      // The others come while it decides to end.
      await context.step('decide', () => Promise.all([2, 3].map((value) => engine.signal(context.taskId, 'item', value))));
      for (let more = await next(context); more !== undefined; more = await next(context)) seen.push(more);
      return seen;
    });
    const next = (context: TaskContext) => context.waitFor('item', { timeoutMs: 1 });
    const id = await engine.create();
    await engine.deliver();
    await engine.signal(id, 'item', 1);
    await engine.settle();
    expect(await engine.value(id)).toEqual([1, 2, 3]);
  });
});

describe(`${COUNT} waits at once, and nothing with a time`, () => {
  const all = (context: TaskContext) => Promise.all(names.map((name) => context.waitFor(name)));

  it.each([
    ['while the task is suspended', false],
    ['while its pass runs', true],
  ])('get what is sent %s, and the task ends', async (_, isRunning) => {
    const engine: Engine = new Engine(async (context) => {
      const waits = all(context);
      if (isRunning) await context.step('send', () => send(context.taskId));
      return waits;
    });
    const send = (id: TaskContext['taskId']) => Promise.all(names.map((name) => engine.signal(id, name, name)));
    expect(COUNT).toBeLessThan(MAX_KEPT_SIGNALS);
    const id = await engine.create();
    await engine.deliver();
    if (!isRunning) await send(id);
    await engine.settle();
    expect(await engine.value(id)).toEqual(names);
  });

  it('as addresses for others, get what comes to all of them', async () => {
    const engine = new Engine(async (context) => {
      const asked = await Promise.all(names.map((name) => context.callback(name)));
      return Promise.all(asked.map(({ wait }) => wait()));
    });
    const id = await engine.create();
    const worker = engine.worker('one', { publicUrl });
    await engine.deliver(worker);
    await Promise.all(names.map((name) => engine.signal(id, name, name)));
    while (engine.jobs.length > 0) await engine.deliver(worker);
    expect(await engine.value(id)).toEqual(names);
  });
});

describe('a request that fails, beside the wait for its answer', () => {
  const ask = async (context: TaskContext): Promise<unknown> => {
    const { url, wait } = await context.callback('paid');
    const sent = context.step('send', () => {
      throw Object.assign(new Error(`${new URL(url).host} refuses`), { code: 'REFUSED' });
    });
    return Promise.all([sent, wait()]);
  };

  it('ends the task, which does not wait for the answer any more', async () => {
    const engine = new Engine(ask);
    const id = await engine.create();
    await engine.deliver(engine.worker('one', { publicUrl }));
    expect(await engine.value(id)).toBe('Error: tasks.example.com refuses');
  });

  it('can be caught, and the wait gets nothing that was meant for a later one', async () => {
    const engine = new Engine(async (context) => {
      const failed = await thrown(ask(context));
      return [failed, await context.waitFor('other')];
    });
    const id = await engine.create();
    const worker = engine.worker('one', { publicUrl });
    await engine.deliver(worker);
    await engine.signal(id, 'other', 'goes on');
    while (engine.jobs.length > 0) await engine.deliver(worker);
    expect(await engine.value(id)).toMatchObject([{ code: 'REFUSED' }, 'goes on']);
  });
});
