import { describe, expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';

const reasonOf = async (engine: Engine, id: Awaited<ReturnType<Engine['create']>>) => {
  const outcome = await engine.outcome(id);
  return outcome?.kind === 'error' ? (outcome.error.data as { reason: string }).reason : outcome?.kind;
};

describe('a deadline', () => {
  it('ends a task whose client never answers, once the sweep comes by', async () => {
    const engine = new Engine(async (context) => context.listRoots());
    const id = await engine.create({ maxWaitMs: 60_000 });
    await engine.settle();
    engine.now += 59_999;
    await engine.sweep();
    expect(await reasonOf(engine, id)).toBeUndefined();
    engine.now += 2;
    expect(await engine.sweep()).toBe(1);
    expect(await reasonOf(engine, id)).toBe('MAX_WAIT');
    expect(await engine.sweep()).toBe(0);
  });

  it('leaves nothing behind when the client answers in time', async () => {
    const engine = new Engine(async (context) => context.listRoots());
    const id = await engine.create({ maxWaitMs: 60_000 });
    await engine.settle();
    await engine.answer(id, '$roots', { roots: [] });
    await engine.settle();
    expect(await engine.value(id)).toEqual([]);
    engine.now += 120_000;
    expect(await engine.sweep()).toBe(0);
  });

  it('ends a task that runs, and aborts its step', async () => {
    const engine = new Engine(async (context) =>
      context.step(
        'endless',
        ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
      ),
    );
    const id = await engine.create({ maxRunMs: 20 });
    setTimeout(() => (engine.now += 20), 1);
    await engine.deliver();
    expect(await reasonOf(engine, id)).toBe('MAX_RUN');
  });

  it('ends a task that sleeps too long', async () => {
    const engine = new Engine(async (context) => context.sleep('long', 1_000_000));
    const id = await engine.create({ maxRunMs: 1_000 });
    await engine.deliver();
    engine.now += 1_001;
    await engine.sweep();
    expect(await reasonOf(engine, id)).toBe('MAX_RUN');
  });
});
