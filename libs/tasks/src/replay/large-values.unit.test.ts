import { beforeEach, describe, expect, it } from 'vitest';
import { Engine, intercept, type Run } from '../../../../test/support/engine.js';
import { keptOf, referredTo, withLargeValues } from '../../../../test/support/large-values.js';
import { MemoryBlobs } from '../../../../test/support/memory-blobs.js';
import { waitUntil } from '../testing/wait-until.js';
import type { TaskId } from '../domain/task-id.js';

/** With characters of all lengths, so that parts end within pairs of UTF-16 if they can. */
const LARGE = 'aé€😀'.repeat(700);
/** A result has some bytes more. */
const WHOLE = 'y'.repeat(8 * 1024 * 1024 - 100);

let blobs: MemoryBlobs;
beforeEach(() => {
  blobs = new MemoryBlobs();
});
const engineOf = (run: Run, most?: number): Engine => new Engine(run, withLargeValues(blobs, most));
const get = (engine: Engine, id: TaskId) => engine.service.getOfCall(id, { owner: 'ada' });

describe('the value of a step that is too large for the record', () => {
  it('is kept apart, and given to the function as it was, now and in a replay, without the step running again', async () => {
    let runs = 0;
    const seen: unknown[] = [];
    const engine = engineOf(async (context) => {
      const value = await context.step('large', () => {
        runs += 1;
        return { text: LARGE, list: [1, null, '\ud800'] };
      });
      seen.push(value);
      await context.sleep('nap', 100);
      return value.list.length;
    });
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toBe(3);
    expect(runs).toBe(1);
    expect(seen).toEqual([1, 2].map(() => ({ text: LARGE, list: [1, null, '\ud800'] })));
    const events = await engine.events(id);
    expect(events.map(({ type }) => type)).toEqual([
      'TaskCreated',
      'PassStarted',
      'LargeValuesKept',
      'StepCompleted',
      'TimerScheduled',
      'PassSuspended',
      'TimerFired',
      'PassStarted',
      'TaskCompleted',
    ]);
    expect(JSON.stringify(events).length).toBeLessThan(2_000);
    expect(keptOf(blobs, id)).toEqual(referredTo(events).map((value) => value.id));
  });

  it('is in the record when it is small, and the first of several is noted once', async () => {
    const engine = engineOf(async (context) => {
      await context.step('small', () => 'x'.repeat(900));
      for (const name of ['one', 'two']) await context.step(name, () => LARGE);
    });
    const id = await engine.create();
    await engine.settle();
    expect((await engine.story(id)).slice(2)).toEqual([
      'StepCompleted',
      'LargeValuesKept',
      'StepCompleted',
      'StepCompleted',
      'TaskCompleted',
    ]);
    expect(keptOf(blobs, id)).toHaveLength(2);
  });

  it('is given in the order of the record, however long it takes to come', async () => {
    const order: string[] = [];
    const engine = engineOf(async (context) => {
      const all = ['first', 'second', 'third'].map((name) =>
        context.step(name, () => (name === 'second' ? 'small' : LARGE)).then(() => void order.push(name)),
      );
      await Promise.all(all);
      await context.sleep('nap', 100);
    });
    await engine.create();
    await engine.settle();
    expect(order.slice(3)).toEqual(order.slice(0, 3));
  });

  it.each(['VALUES_UNAVAILABLE', 'VALUES_FULL'] as const)(
    'waits while its place says %s, and the step does not run again',
    async (trouble) => {
      let runs = 0;
      const engine = engineOf(async (context) => {
        const { length } = await context.step(
          'large',
          () => {
            runs += 1;
            blobs.trouble = trouble;
            return LARGE;
          },
          { timeoutMs: 1 },
        );
        return length;
      });
      const id = await engine.create();
      const settled = engine.settle();
      await waitUntil(() => blobs.refused > 1, { description: 'it was tried again' });
      engine.now += 1_000;
      blobs.trouble = undefined;
      await settled;
      expect(await engine.value(id)).toBe(LARGE.length);
      expect(runs).toBe(1);
      expect(engine.errors[0]).toMatchObject({ code: trouble });
    },
  );

  it('is waited for while its place is away when a replay needs it', async () => {
    const engine = engineOf(async (context) => {
      const { length } = await context.step('large', () => LARGE);
      await context.sleep('nap', 100);
      return length;
    });
    const id = await engine.create();
    await engine.deliver();
    blobs.trouble = 'VALUES_UNAVAILABLE';
    const settled = engine.settle();
    await waitUntil(() => blobs.refused > 1, { description: 'it was tried again' });
    blobs.trouble = undefined;
    await settled;
    expect(await engine.value(id)).toBe(LARGE.length);
  });

  it('ends the task by name when it is gone, or is not what was written', async () => {
    const run: Run = async (context) => {
      await context.step('large', () => LARGE);
      await context.sleep('nap', 100);
    };
    const ways: readonly [() => void, string][] = [
      [() => blobs.kept.clear(), 'VALUE_MISSING'],
      [() => blobs.kept.set([...blobs.kept.keys()][0] ?? '', Buffer.from('=changed')), 'VALUE_NOT_GENUINE'],
      [() => blobs.kept.set([...blobs.kept.keys()][0] ?? '', Buffer.from('not ours')), 'VALUE_NOT_GENUINE'],
    ];
    for (const [change, reason] of ways) {
      blobs = new MemoryBlobs();
      const engine = engineOf(run);
      const id = await engine.create();
      await engine.deliver();
      change();
      await engine.settle();
      expect(await engine.outcome(id)).toMatchObject({ kind: 'error', error: { data: { reason } } });
    }
  });

  it('is refused above the limit, which is named; without a place for large values that is what to set', async () => {
    const run: Run = (context) => context.step('large', () => LARGE.repeat(2), { attempts: 1 });
    const limited = engineOf(run, 10_000);
    const id = await limited.create();
    await limited.settle();
    expect(await limited.value(id)).toContain('more than 10000 bytes (LONGHAUL_MAX_LARGE_VALUE_BYTES)');
    const without = new Engine((context) => context.step('large', () => 'x'.repeat(9 * 1024 * 1024), { attempts: 1 }));
    const other = await without.create();
    await without.settle();
    expect(await without.value(other)).toContain('(set LONGHAUL_BLOBS to keep larger values)');
  });
});

describe('a worker without a place for large values', () => {
  it('gives a task back whose record refers to one, by name', async () => {
    const parked: unknown[] = [];
    const engine = engineOf(async (context) => {
      const { length } = await context.step('large', () => LARGE);
      await context.sleep('nap', 100);
      return length;
    });
    const id = await engine.create();
    await engine.deliver();
    const { values: _values, ...store } = engine.store;
    const before = await engine.story(id);
    await engine.deliver(engine.worker('without', { store, version: 'old', onGivenBack: (task) => void parked.push(task) }));
    expect(parked).toMatchObject([{ taskId: id, misfit: expect.stringContaining('no place for them (LONGHAUL_BLOBS)') as string }]);
    expect(await engine.story(id)).toEqual(before);
  });
});

describe('a result that is too large for the record', () => {
  it('is given whole as long as one message can carry it', async () => {
    const engine = engineOf(async () => LARGE);
    const id = await engine.create();
    await engine.settle();
    expect((await get(engine, id)).outcome).toEqual({ kind: 'result', result: { value: LARGE } });
    expect(JSON.stringify(await engine.events(id)).length).toBeLessThan(6_000);
    for await (const { outcome } of engine.service.follow(await get(engine, id), new AbortController().signal))
      expect(outcome).toMatchObject({ result: { value: LARGE } });
  });

  it('is given to those who wait for it when it ends', async () => {
    const engine = engineOf(async (context) => {
      await context.sleep('nap', 10);
      return LARGE;
    });
    const id = await engine.create();
    const ends: unknown[] = [];
    const following = (async () => {
      for await (const { outcome } of engine.service.follow(await get(engine, id), new AbortController().signal))
        if (outcome) ends.push(outcome);
    })();
    await engine.settle();
    await following;
    expect(ends).toEqual([{ kind: 'result', result: { value: LARGE } }]);
  });

  it('is links to its parts above that, and the error of a tool stays one', async () => {
    const engine = engineOf(async () => `${WHOLE}and more${'z'.repeat(200)}`, 256 * 1024 * 1024);
    const id = await engine.create();
    await engine.settle();
    const { outcome } = await get(engine, id);
    if (outcome?.kind !== 'result') throw new Error('It has no result.');
    const [text, ...links] = outcome.result['content'] as { text: string; type: string; uri: string }[];
    expect(text?.text).toContain(`${outcome.large?.bytes} bytes`);
    expect(links[0]).toMatchObject({ type: 'resource_link', uri: `longhaul://tasks/${id}/large-result/1` });
    expect(links).toHaveLength(16);
    const json = await engine.store.values?.json(id, outcome.large!);
    expect(JSON.parse(json ?? '')).toEqual({ value: `${WHOLE}and more${'z'.repeat(200)}` });
  });

  it('waits for a place that is away, and is recorded then; the task is not run again', async () => {
    let runs = 0;
    blobs.trouble = 'VALUES_UNAVAILABLE';
    const engine = engineOf(async () => {
      runs += 1;
      return LARGE;
    });
    const id = await engine.create();
    const settled = engine.settle();
    await waitUntil(() => blobs.refused > 1, { description: 'it was tried again' });
    blobs.trouble = undefined;
    await settled;
    expect(runs).toBe(1);
    expect(await engine.story(id)).toEqual(['TaskCreated', 'PassStarted', 'TaskCompleted']);
  });

  it('is an error by name for its reader when it is gone', async () => {
    const engine = engineOf(async () => LARGE);
    const id = await engine.create();
    await engine.settle();
    blobs.kept.clear();
    await expect(get(engine, id)).rejects.toMatchObject({ code: 'VALUE_MISSING' });
  });

  it('is written before the event that refers to it', async () => {
    const written: number[] = [];
    const engine = new Engine(
      async (context) => (await context.step('large', () => LARGE)).repeat(2),
      (store) =>
        intercept(withLargeValues(blobs)(store), (request, append) => {
          if (request.events.some(({ data }) => data.includes('"large"'))) written.push(keptOf(blobs, request.taskId).length);
          return append(request);
        }),
    );
    await engine.create();
    await engine.settle();
    expect(written).toEqual([1, 2]);
  });
});
