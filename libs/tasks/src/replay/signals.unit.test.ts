import { describe, expect, it } from 'vitest';
import { Engine, type Run } from '../../../../test/support/engine.js';
import type { Json } from '../domain/json.js';
import { MAX_KEPT_SIGNALS } from '../domain/signals.js';

/** A task of the function that has run as far as it gets. */
async function begun(run: Run): Promise<{ engine: Engine; id: Awaited<ReturnType<Engine['create']>> }> {
  const engine = new Engine(run);
  const id = await engine.create();
  await engine.settle();
  return { engine, id };
}

const takesOne: Run = (context) => context.waitFor('approval');

/** What the function got, one after the other. */
const takes =
  (count: number): Run =>
  async (context) => {
    const got: Json[] = [];
    for (let n = 0; n < count; n++) got.push(await context.waitFor('item'));
    return got;
  };

describe('a signal', () => {
  it('is what a waiting task continues with', async () => {
    const { engine, id } = await begun(takesOne);
    expect(await engine.signal(id, 'approval', { by: 'ann' })).toBe(true);
    await engine.settle();
    expect(await engine.value(id)).toEqual({ by: 'ann' });
    expect(await engine.story(id)).toEqual([
      'TaskCreated',
      'PassStarted',
      'SignalAwaited',
      'PassSuspended',
      'SignalSent',
      'SignalReceived',
      'PassStarted',
      'TaskCompleted',
    ]);
  });

  it('that came before the first pass is taken in that pass', async () => {
    const engine = new Engine(takesOne);
    const id = await engine.create();
    await engine.signal(id, 'approval', 'early');
    await engine.settle();
    expect(await engine.value(id)).toBe('early');
    expect((await engine.story(id)).filter((type) => type === 'PassStarted')).toHaveLength(1);
  });

  it('that came between two waits is taken by the second', async () => {
    const engine = new Engine(async (context) => {
      const first = await context.waitFor('item');
      await context.sleep('nap', 1_000);
      return [first, await context.waitFor('item')];
    });
    const id = await engine.create();
    await engine.deliver();
    await engine.signal(id, 'item', 1);
    await engine.signal(id, 'item', 2);
    await engine.settle();
    expect(await engine.value(id)).toEqual([1, 2]);
  });

  it('of one name is taken in the order of arrival, and each once', async () => {
    const { engine, id } = await begun(takes(3));
    for (const value of [1, 2, 3]) await engine.signal(id, 'item', value);
    await engine.settle();
    expect(await engine.value(id)).toEqual([1, 2, 3]);
  });

  it('of another name is kept for its own wait', async () => {
    const { engine, id } = await begun(async (context) => [await context.waitFor('a'), await context.waitFor('b')]);
    await engine.signal(id, 'b', 2);
    await engine.settle();
    expect(await engine.outcome(id)).toBeUndefined();
    await engine.signal(id, 'a', 1);
    await engine.settle();
    expect(await engine.value(id)).toEqual([1, 2]);
  });

  it('is noticed at once by a step that runs beside the wait', async () => {
    let sent: (() => Promise<unknown>) | undefined;
    const engine = new Engine(async (context) => {
      const stop = new AbortController();
      const working = context.step('work', async ({ signal }) => {
        await sent?.();
        return new Promise<string>((resolve) => {
          stop.signal.addEventListener('abort', () => resolve('stopped'));
          signal.addEventListener('abort', () => resolve('aborted'));
        });
      });
      const order = await context.waitFor('order');
      stop.abort();
      return [order, await working];
    });
    const worker = engine.worker();
    await worker.start();
    const id = await engine.create();
    sent = () => engine.signal(id, 'order', 'stop');
    await engine.deliver(worker);
    worker.stop();
    expect(await engine.value(id)).toEqual(['stop', 'stopped']);
    expect((await engine.story(id)).filter((type) => type === 'PassStarted')).toHaveLength(1);
  });

  it('with the id of an earlier one is taken once, also when the task has ended', async () => {
    const { engine, id } = await begun(takes(2));
    const deliveries = await Promise.all([1, 2, 3].map(() => engine.signal(id, 'item', 'once', { id: 'delivery-1' })));
    expect(deliveries.filter(Boolean)).toHaveLength(1);
    await engine.settle();
    expect(await engine.signal(id, 'item', 'once', { id: 'delivery-1' })).toBe(false);
    await engine.signal(id, 'item', 'twice', { id: 'delivery-2' });
    await engine.settle();
    expect(await engine.value(id)).toEqual(['once', 'twice']);
    expect(await engine.signal(id, 'item', 'twice', { id: 'delivery-2' })).toBe(false);
    await expect(engine.signal(id, 'item', 'more', { id: 'delivery-3' })).rejects.toMatchObject({ code: 'TASK_ENDED' });
  });

  it('of another owner finds no task', async () => {
    const { engine, id } = await begun(takesOne);
    const sent = engine.service.signal(id, { name: 'approval', value: 1, via: 'test' }, { owner: 'eve' });
    await expect(sent).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
  });

  it('is kept up to a limit, and taken again when a wait has made room', async () => {
    const { engine, id } = await begun(async (context) => {
      await context.waitFor('go');
      return context.waitFor('item');
    });
    for (let n = 0; n < MAX_KEPT_SIGNALS; n++) await engine.signal(id, 'item', n);
    await expect(engine.signal(id, 'item', 'more')).rejects.toMatchObject({ code: 'TOO_MANY_SIGNALS' });
    expect(await engine.signal(id, 'go')).toBe(true);
    await engine.settle();
    expect(await engine.value(id)).toBe(0);
  });

  it('is refused when its value is larger than allowed', async () => {
    const { engine, id } = await begun(takesOne);
    await expect(engine.signal(id, 'approval', 'x'.repeat(256 * 1024))).rejects.toMatchObject({ code: 'SIGNAL_DOES_NOT_FIT' });
    await expect(engine.signal(id, 'x'.repeat(600), 1)).rejects.toMatchObject({ code: 'INVALID_KEY' });
  });

  it('is given to a retry of the task, from its start and from a later step', async () => {
    const engine = new Engine(async (context) => {
      const got = await context.waitFor('approval');
      return [got, await context.step('later', () => 'done')];
    });
    const id = await engine.create();
    await engine.deliver();
    await engine.signal(id, 'approval', 'yes');
    await engine.settle();
    for (const from of ['start', { step: 'approval' }, { step: 'later' }] as const) {
      const fork = await engine.fork(id, { from });
      await engine.settle();
      expect(await engine.value(fork)).toEqual(['yes', 'done']);
    }
  });

  it('that came after the step from which a task is retried is given to the retry too', async () => {
    const engine = new Engine(async (context) => {
      const before = await context.waitFor('a');
      await context.step('middle', () => 1);
      return [before, await context.waitFor('b')];
    });
    const id = await engine.create();
    await engine.signal(id, 'a', 1);
    await engine.deliver();
    await engine.signal(id, 'b', 2);
    await engine.settle();
    const fork = await engine.fork(id, { from: { step: 'middle' } });
    await engine.settle();
    expect(await engine.value(fork)).toEqual([1, 2]);
  });

  it('is neither lost nor taken twice when the workflow continues as new', async () => {
    const engine = new Engine(async (context, { sum = 0, left = 4 }) => {
      const value = await context.waitFor<number>('item');
      if (left === 1) return (sum as number) + value;
      return context.continueAsNew({ sum: (sum as number) + value, left: (left as number) - 1 });
    });
    const id = await engine.create();
    for (const value of [1, 10, 100]) await engine.signal(id, 'item', value, { id: `delivery-${value}` });
    await engine.settle();
    expect(await engine.signal(id, 'item', 10, { id: 'delivery-10' })).toBe(false);
    await engine.signal(id, 'item', 1_000);
    await engine.settle();
    expect(await engine.value(id)).toBe(1_111);
    const fork = await engine.fork(id);
    await engine.settle();
    expect(await engine.value(fork)).toBe(1_111);
  });

  it('does not keep a workflow from continuing as new, however many come', async () => {
    const engine = new Engine(async (context, { left = 5 }) => {
      await context.waitFor('item');
      return left === 0 ? 'done' : context.continueAsNew({ left: (left as number) - 1 });
    });
    const id = await engine.create();
    for (let n = 0; n < 20; n++) {
      await engine.signal(id, 'item', n).catch(() => undefined);
      if (engine.jobs.length > 0) await engine.deliver();
    }
    await engine.settle();
    expect(await engine.value(id)).toBe('done');
  });
});
