import { beforeEach, describe, expect, it } from 'vitest';
import { Engine, intercept, type Run } from '../../../../test/support/engine.js';
import { keptOf, referredTo, sweepValues, withLargeValues } from '../../../../test/support/large-values.js';
import { MemoryBlobs } from '../../../../test/support/memory-blobs.js';
import type { TaskId } from '../domain/task-id.js';
import { FOR_NEW_TASKS_MS } from './large-value-sweep.js';

const LARGE = 'aé€😀'.repeat(700);
const HOUR_MS = 3_600_000;

let blobs: MemoryBlobs;
beforeEach(() => {
  blobs = new MemoryBlobs();
});

const twoPasses: Run = async (context) => {
  const one = await context.step('one', () => LARGE);
  await context.sleep('nap', 100);
  const two = await context.step('two', () => LARGE);
  return one + two;
};

async function refersTo(engine: Engine, id: TaskId): Promise<readonly string[]> {
  return referredTo(await engine.events(id))
    .map((value) => value.id)
    .toSorted();
}

/** What all readers of the task can read. */
async function everythingIsThere(engine: Engine, id: TaskId): Promise<void> {
  for (const value of referredTo(await engine.events(id))) await engine.store.values?.json(id, value);
}

describe('large values that no record refers to', () => {
  it.each(['before', 'after'] as const)(
    'are removed, and no other, when a worker dies %s any of its records, or within a value',
    async (when) => {
      let at = 0;
      let crash = (): void => undefined;
      let count = 0;
      const dies = (): boolean => {
        count += 1;
        if (count !== at) return false;
        crash();
        return true;
      };
      const never = new Promise<never>(() => undefined);
      for (at = 1; ; at++) {
        blobs = new MemoryBlobs();
        count = 0;
        const engine = new Engine(twoPasses, (store) =>
          intercept(withLargeValues(blobs)(store), async (request, append) => {
            if (request.epoch === undefined && request.expectedVersion === 0) return append(request);
            const isOver = dies();
            if (isOver && when === 'before') return never;
            const result = await append(request);
            return isOver ? never : result;
          }),
        );
        blobs.onPut = () => void dies();
        const id = await engine.create();
        let hasDied = false;
        while (engine.jobs.length > 0) {
          const job = await engine.crashing((power) => {
            crash = () => {
              hasDied = true;
              power();
            };
          });
          await sweepValues(engine);
          await everythingIsThere(engine, id);
          if (!hasDied || engine.jobs.length > 0 || (await engine.outcome(id)) !== undefined) continue;
          await engine.redeliver(job);
          if (engine.jobs.length > 0 || (await engine.outcome(id)) !== undefined) continue;
          // The job of the next pass was lost with the worker.
          engine.now += HOUR_MS;
          await engine.sweep();
        }
        await everythingIsThere(engine, id);
        expect((await engine.service.getOfCall(id, { owner: 'ada' })).outcome?.kind).toBe('result');
        await sweepValues(engine);
        expect(keptOf(blobs, id), `death ${at}`).toEqual(await refersTo(engine, id));
        if (!hasDied) break;
        engine.now += 8 * 24 * HOUR_MS;
        await sweepValues(engine);
        expect(blobs.kept.size).toBe(0);
      }
      expect(at).toBeGreaterThan(20);
    },
  );

  it('are left alone while the pass that writes them may still record them', async () => {
    const engine = new Engine(twoPasses, withLargeValues(blobs));
    const id = await engine.create();
    let removed: Promise<number> | undefined;
    blobs.onPut = () => void (removed ??= sweepValues(engine));
    await engine.settle();
    expect(await removed).toBe(0);
    await everythingIsThere(engine, id);
  });

  it('are removed when their task began again, which refers to none of them', async () => {
    const engine = new Engine(async (context, { again }) => {
      await context.step('large', () => LARGE);
      if (again !== true) await context.continueAsNew({ again: true });
      await context.sleep('nap', 100);
    }, withLargeValues(blobs));
    const id = await engine.create();
    await engine.deliver();
    await engine.deliver();
    expect(keptOf(blobs, id)).toHaveLength(2);
    expect(await sweepValues(engine)).toBe(1);
    expect(keptOf(blobs, id)).toEqual(await refersTo(engine, id));
    expect(await sweepValues(engine)).toBe(0);
    await engine.settle();
    expect(await engine.story(id)).toContain('TaskCompleted');
  });

  it('are left alone if their names say nothing, and while a task is made for them', async () => {
    const engine = new Engine(twoPasses, withLargeValues(blobs));
    const strange = crypto.randomUUID();
    blobs.kept.set(`deployment/${strange}/something/1`, Buffer.from('1'));
    blobs.kept.set(`another/${strange}/1-a-a/1`, Buffer.from('1'));
    blobs.kept.set('deployment/no-task/1-a-a/1', Buffer.from('1'));
    const owner = { taskId: crypto.randomUUID() as TaskId, owner: 'ada' };
    await engine.store.values?.keep(owner, `0-${engine.now.toString(36)}-a`, LARGE);
    expect(await sweepValues(engine)).toBe(0);
    engine.now += FOR_NEW_TASKS_MS + 1;
    expect(await sweepValues(engine)).toBe(1);
    expect(blobs.kept.size).toBe(3);
  });
});

describe('a fork of a task with large values', () => {
  it('has values of its own, which stay when its origin is gone', async () => {
    const engine = new Engine(twoPasses, withLargeValues(blobs));
    const origin = await engine.create();
    await engine.settle();
    const fork = await engine.fork(origin, { from: { step: 'two' } });
    const [copied] = keptOf(blobs, fork);
    expect(copied).toMatch(/^0-/);
    expect(await refersTo(engine, fork)).toEqual([copied]);
    for (const path of blobs.kept.keys()) if (path.includes(origin)) blobs.kept.delete(path);
    await engine.settle();
    expect(await engine.value(fork)).toBeUndefined();
    expect((await engine.service.getOfCall(fork, { owner: 'ada' })).outcome).toMatchObject({ result: { value: LARGE + LARGE } });
    await sweepValues(engine);
    expect(keptOf(blobs, fork)).toEqual(await refersTo(engine, fork));
  });

  it('is not made when a value is gone, or there is no place for its own', async () => {
    const engine = new Engine(twoPasses, withLargeValues(blobs));
    const origin = await engine.create();
    await engine.settle();
    blobs.trouble = 'VALUES_FULL';
    await expect(engine.fork(origin, { from: { step: 'two' } })).rejects.toMatchObject({ code: 'VALUES_FULL' });
    blobs.trouble = undefined;
    blobs.kept.clear();
    await expect(engine.fork(origin, { from: { step: 'two' } })).rejects.toMatchObject({ code: 'VALUE_MISSING' });
    const { tasks } = await engine.service.list({ owner: 'ada' });
    expect(tasks.map(({ taskId }) => taskId)).toEqual([origin]);
  });
});

describe('a child with a large result', () => {
  const run: Run = async (context, { child }) => {
    if (child === true) return LARGE;
    const result = (await context.call('tool', { child: true })) as unknown as { value: string };
    await context.sleep('nap', 100);
    return result.value.length;
  };

  it('gives its parent a value of its own', async () => {
    const engine = new Engine(run, withLargeValues(blobs));
    const parent = await engine.create();
    while (!(await engine.story(parent)).includes('ChildEnded')) await engine.deliver();
    expect(await engine.story(parent)).toContain('LargeValuesKept');
    const own = keptOf(blobs, parent);
    expect(own).toEqual(await refersTo(engine, parent));
    for (const path of blobs.kept.keys()) if (!path.includes(parent)) blobs.kept.delete(path);
    await engine.settle();
    expect(await engine.value(parent)).toBe(LARGE.length);
    await engine.sweep();
    expect(keptOf(blobs, parent)).toEqual(own);
  });
});
