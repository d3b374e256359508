import { describe, expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import { sweepIntents } from './sweep.js';

const reasonOf = async (engine: Engine, id: Awaited<ReturnType<Engine['create']>>) => {
  const outcome = await engine.outcome(id);
  return outcome?.kind === 'error' ? (outcome.error.data as { reason: string }).reason : outcome?.kind;
};
const sweep = (engine: Engine) => sweepIntents(engine.backend, engine.worker()['writer']);

describe('a deadline', () => {
  it('ends a task whose client never answers, once the sweep comes by', async () => {
    const engine = new Engine(async (context) => context.listRoots());
    const id = await engine.create({ maxWaitMs: 60_000 });
    await engine.settle();
    engine.now += 59_999;
    await sweep(engine);
    expect(await reasonOf(engine, id)).toBeUndefined();
    engine.now += 2;
    expect(await sweep(engine)).toBe(1);
    expect(await reasonOf(engine, id)).toBe('MAX_WAIT');
    expect(await sweep(engine)).toBe(0);
  });

  it('leaves nothing behind when the client answers in time', async () => {
    const engine = new Engine(async (context) => context.listRoots());
    const id = await engine.create({ maxWaitMs: 60_000 });
    await engine.settle();
    await engine.answer(id, '$roots', { roots: [] });
    await engine.settle();
    expect(await engine.value(id)).toEqual([]);
    engine.now += 120_000;
    expect(await sweep(engine)).toBe(0);
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
    await sweep(engine);
    expect(await reasonOf(engine, id)).toBe('MAX_RUN');
  });
});

describe('the sweep', () => {
  it('enqueues what a process left between the append and the queue', async () => {
    const engine = new Engine(
      async () => 'done',
      (backend) => ({
        ...backend,
        queue: { ...backend.queue, add: (job, dueAt) => (lost-- > 0 ? Promise.reject(new Error('gone')) : backend.queue.add(job, dueAt)) },
      }),
    );
    let lost = 1;
    const id = await engine.create();
    expect(engine.jobs).toHaveLength(0);
    expect(engine.errors).toHaveLength(1);
    await sweep(engine);
    expect(engine.jobs).toHaveLength(0);
    engine.now += 5_001;
    await sweep(engine);
    await engine.settle();
    expect(await engine.value(id)).toBe('done');
  });
});
