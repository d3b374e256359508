import { describe, expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { type StuckPass, StuckPasses } from './stuck-passes.js';

describe('a pass that records nothing', () => {
  it('is reported after a minute and then once a minute, with the steps that run, until it records again', async () => {
    const reports: StuckPass[] = [];
    const engine = new Engine(async (context) => {
      await Promise.all([
        context.step('quick', () => 1),
        ...['left', 'right'].map((name) => context.step(name, () => new Promise<void>((resolve) => ends.push(resolve)))),
      ]);
    });
    const ends: (() => void)[] = [];
    const stuck = new StuckPasses(
      () => engine.now,
      (pass) => reports.push(pass),
    );
    const worker = engine.worker();
    const taskId = await engine.create();
    const delivered = engine.deliver(worker);
    const look = (afterMs: number): void => {
      engine.now += afterMs;
      stuck.look(worker['runs'].values());
    };
    await waitUntil(async () => (await engine.story(taskId)).includes('StepCompleted'), { description: 'the quick step is recorded' });
    look(59_999);
    expect(reports).toEqual([]);
    look(1);
    look(59_999);
    const report = { taskId, tool: 'tool', pass: 1, steps: ['left', 'right'] };
    expect(reports).toEqual([{ ...report, silentMs: 60_000 }]);
    look(1);
    expect(reports.slice(1)).toEqual([{ ...report, silentMs: 120_000 }]);
    ends.shift()?.();
    await waitUntil(async () => (await engine.story(taskId)).filter((type) => type === 'StepCompleted').length === 2, {
      description: 'another step is recorded',
    });
    look(59_999);
    expect(reports).toHaveLength(2);
    ends.shift()?.();
    await delivered;
  });

  it('is looked for by a worker that was started', async () => {
    const reports: StuckPass[] = [];
    const engine = new Engine(async () => waitUntil(() => reports.length > 0, { description: 'it is reported' }));
    const worker = engine.worker('worker', { onStuck: (pass) => reports.push(pass) });
    await worker.start();
    const taskId = await engine.create();
    const delivered = engine.deliver(worker);
    await waitUntil(async () => (await engine.story(taskId)).includes('PassStarted'), { description: 'the claim is recorded' });
    engine.now += 60_000;
    await delivered;
    worker.stop();
    expect(reports).toMatchObject([{ taskId, steps: [] }]);
  });
});
