/** Tests that the start of a step is recorded: with its end, and while it runs only if that takes long. */
import { expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import type { TaskId } from '../domain/task-id.js';
import { MAX_EVENTS } from '../limits.js';

const recorded = async (engine: Engine, id: TaskId) =>
  (await engine.events(id)).flatMap(({ type, data }) => ('key' in data ? [{ type, ...data }] : []));
/** Lets time pass until the start of a step is recorded. */
async function untilNoted(engine: Engine, id: TaskId, key: string): Promise<void> {
  await waitUntil(
    async () => {
      engine.now += 50;
      return (await recorded(engine, id)).some((event) => event.type === 'StepStarted' && event.key === key);
    },
    { description: `the start of "${key}" is recorded` },
  );
}

it('a step that is quick costs no event more, and says when it began and after which version', async () => {
  const engine = new Engine(async (context) => {
    await context.step('first', () => (engine.now += 10));
    return context.step('second', () => (engine.now += 5));
  });
  const id = await engine.create();
  await engine.settle();
  expect(await recorded(engine, id)).toEqual([
    { type: 'StepCompleted', key: 'first', value: 1_010, startedAt: 1_000, startedAfter: 2 },
    { type: 'StepCompleted', key: 'second', value: 1_015, startedAt: 1_010, startedAfter: 3 },
  ]);
});

it('each try of a step that fails says when it began', async () => {
  const engine = new Engine(async (context) =>
    context.step('a', ({ attempt }) => (attempt === 1 ? Promise.reject(new Error('no')) : 'ok'), {
      attempts: 2,
      initialMs: 100,
      jitter: 0,
    }),
  );
  const id = await engine.create();
  await engine.settle();
  expect(await recorded(engine, id)).toMatchObject([
    { type: 'StepFailed', attempt: 1, startedAt: 1_000, startedAfter: 2 },
    { type: 'StepCompleted', startedAt: 1_100, startedAfter: 5 },
  ]);
});

it('a try that ends in the moment in which its start would be recorded is not made again', async () => {
  const tries: number[] = [];
  const engine = new Engine(async (context) =>
    context.step(
      'a',
      async ({ attempt }) => {
        tries.push(attempt);
        if (attempt === 1) throw new Error('no');
        // Both come in one turn of the event loop, as after a process stood still.
        const ended = new Promise((resolve) => setTimeout(resolve, 0));
        engine.now += 1_000;
        const until = performance.now() + 1_000;
        while (performance.now() < until);
        await ended;
        return 'ok';
      },
      { attempts: 2, initialMs: 100, jitter: 0 },
    ),
  );
  const id = await engine.create();
  await engine.deliver(engine.worker('worker', { slowStepMs: 100 }));
  engine.now += 100;
  await engine.deliver(engine.worker('worker', { slowStepMs: 100 }));
  expect(tries).toEqual([1, 2]);
  expect(await engine.value(id)).toBe('ok');
});

it('what is only drawn has no start', async () => {
  const engine = new Engine(async (context) => [context.now(), context.changed('new')]);
  const id = await engine.create();
  await engine.settle();
  for (const event of await recorded(engine, id)) expect(event).not.toHaveProperty('startedAt');
});

it('a step that runs for longer is in the history while it runs, with others in one append, and ends like any other step', async () => {
  const [gate, arrived] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const engine = new Engine(async (context) =>
    Promise.all([
      context.step('slow', () => gate.promise),
      context.step('as slow', () => gate.promise),
      context.step('quick', () => (arrived.resolve(''), 'q')),
    ]),
  );
  const id = await engine.create();
  const delivered = engine.deliver(engine.worker('worker', { slowStepMs: 500 }));
  await arrived.promise;
  await untilNoted(engine, id, 'as slow');
  gate.resolve('done');
  await delivered;
  expect(await engine.value(id)).toEqual(['done', 'done', 'q']);
  expect(await recorded(engine, id)).toMatchObject([
    { type: 'StepCompleted', key: 'quick' },
    { type: 'StepStarted', key: 'slow', attempt: 1, startedAt: 1_000, startedAfter: 2 },
    { type: 'StepStarted', key: 'as slow', attempt: 1, startedAt: 1_000, startedAfter: 2 },
    { type: 'StepCompleted', key: 'slow', startedAt: 1_000, startedAfter: 2 },
    { type: 'StepCompleted', key: 'as slow', startedAt: 1_000, startedAfter: 2 },
  ]);
  const starts = (await engine.events(id)).filter(({ type }) => type === 'StepStarted');
  expect(new Set(starts.map(({ at }) => at)).size).toBe(1);
});

it('a step whose start is recorded still has its limit', async () => {
  const engine = new Engine(async (context) =>
    context.step('slow', () => new Promise<never>(() => undefined), { timeoutMs: 3_000 }).catch(({ code }: { code: string }) => code),
  );
  const id = await engine.create();
  const delivered = engine.deliver(engine.worker('worker', { slowStepMs: 100 }));
  await untilNoted(engine, id, 'slow');
  engine.now += 3_000;
  await delivered;
  expect(await engine.value(id)).toBe('STEP_TIMEOUT');
});

it('a step that was lost while it ran needs not be asked for by code that has changed', async () => {
  const engine = new Engine(async (context) => context.step('slow', () => new Promise<never>(() => undefined)));
  const id = await engine.create();
  const power = new AbortController();
  const [{ job } = { job: undefined }] = engine.jobs;
  const delivered = engine.deliver(engine.worker('doomed', { slowStepMs: 100 }), power.signal);
  await untilNoted(engine, id, 'slow');
  power.abort();
  await delivered;
  engine.run = async (context) => context.step('other', () => 'ok');
  if (job !== undefined) await engine.redeliver(job);
  expect(await engine.value(id)).toBe('ok');
});

it('starts do not count among the events that a task may have', async () => {
  const gate = Promise.withResolvers<string>();
  const engine = new Engine(async (context) => {
    for (let step = 0; step < MAX_EVENTS - 5; step++) context.status(`${step}`);
    const slow = context.step('slow', () => gate.promise);
    await context.step('quick', () => 'q');
    return slow;
  });
  const id = await engine.create();
  const delivered = engine.deliver(engine.worker('worker', { slowStepMs: 500 }));
  await untilNoted(engine, id, 'slow');
  gate.resolve('done');
  await delivered;
  expect(await engine.value(id)).toBe('done');
});
