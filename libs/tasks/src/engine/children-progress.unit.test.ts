import { describe, expect, it } from 'vitest';
import { call, familyOf, type Member } from '../../../../test/support/family.js';
import type { Engine } from '../../../../test/support/engine.js';
import type { TaskId } from '../domain/task-id.js';

/** A child that reports at these times, milliseconds after its begin, of so many parts. */
const reports =
  (engine: () => Engine, times: readonly number[], total: number): Member =>
  async (context) => {
    const began = engine().now;
    for (const [part, time] of times.entries()) {
      await context.step('part', () => (engine().now = began + time));
      context.progress({ progress: part + 1, total, message: `part ${part + 1}` });
      await context.step('rest', () => 1);
    }
    return 'done';
  };

async function progressOf(engine: Engine, id: TaskId): Promise<readonly unknown[]> {
  return (await engine.events(id)).flatMap(({ type, data }) => (type === 'ProgressReported' ? [[data.progress, data.message]] : []));
}

describe('the progress of a called tool', () => {
  it('is shown as that of the one that calls, over each level, if it wants that', async () => {
    const engine: Engine = familyOf({
      parent: async (context) => (await call(context, 'middle', {}, { progress: true }))['value'],
      middle: async (context) => (await call(context, 'child', {}, { progress: true }))['value'],
      child: reports(() => engine, [1_000, 3_000], 2),
    });
    const id = await engine.create();
    await engine.settle();
    expect(await progressOf(engine, id)).toEqual([
      [1, 'tool: tool: part 1'],
      [2, 'tool: tool: part 2'],
    ]);
    expect((await engine.store.events.views([id], 'operator'))[0]?.progress).toEqual({
      progress: 2,
      total: 2,
      message: 'tool: tool: part 2',
    });
  });

  it('is not, if it does not say so', async () => {
    const engine: Engine = familyOf({
      parent: async (context) => (await call(context, 'child'))['value'],
      child: reports(() => engine, [1_000], 2),
    });
    const id = await engine.create();
    await engine.settle();
    expect(await progressOf(engine, id)).toEqual([]);
  });

  it('is shown once a second, less often the longer the tool runs, and at its end', async () => {
    const times = [0, 500, 1_000, 1_500, 2_000, 120_000, 121_000, 122_500, 122_600];
    const engine: Engine = familyOf({
      parent: async (context) => (await call(context, 'child', {}, { progress: true }))['value'],
      child: reports(() => engine, times, times.length),
    });
    const id = await engine.create({ ttlMs: 600_000 });
    await engine.settle();
    expect((await progressOf(engine, id)).map((report) => (report as [number])[0])).toEqual([1, 3, 5, 6, 8, 9]);
  });

  it('does not go back behind what was shown, and has no effect on the numbers of the reports of the one that calls', async () => {
    const engine: Engine = familyOf({
      parent: async (context) => {
        context.progress({ progress: 1, total: 10, message: 'own' });
        await call(context, 'child', {}, { progress: true });
        context.progress({ progress: 5, total: 10, message: 'own again' });
        await context.sleep('nap', 10);
        return 'done';
      },
      child: reports(() => engine, [1_000, 3_000, 5_000], 10),
    });
    const id = await engine.create();
    await engine.settle();
    expect(await progressOf(engine, id)).toEqual([
      [1, 'own'],
      [2, 'tool: part 2'],
      [3, 'tool: part 3'],
      [5, 'own again'],
    ]);
    expect(await engine.value(id)).toBe('done');
  });
});
