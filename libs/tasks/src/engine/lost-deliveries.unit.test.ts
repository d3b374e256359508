/** Tests that a worker stops a pass when it has lost the job, at any moment. */
import { expect, it } from 'vitest';
import { Engine, intercept } from '../../../../test/support/engine.js';
import { fold } from '../domain/evolve.js';
import { nextTrial } from '../domain/next-trial.js';

const lost = new Error('This worker has lost the job.');

it('runs nothing of a job that was lost while the history was read', async () => {
  const controller = new AbortController();
  let ran = 0;
  const engine = new Engine(
    (context) => context.step('work', () => void (ran += 1)),
    (inMemory) => {
      const store = intercept(inMemory, (request, append) => append(request));
      const readPage: typeof store.events.readPage = async (...args) => {
        const page = await inMemory.events.readPage(...args);
        controller.abort(lost);
        return page;
      };
      return { ...store, events: { ...store.events, readPage } };
    },
  );
  const taskId = await engine.create();
  await engine.deliver(engine.worker(), controller.signal);
  expect(ran).toBe(0);
  expect((await engine.events(taskId)).map(({ type }) => type)).toEqual(['TaskCreated']);
});

it.each(['together', 'alone'] as const)(
  'says of a pass on trial %s that it was given back: nothing is held against its task',
  async (trial) => {
    const controller = new AbortController();
    const reached = Promise.withResolvers<void>();
    const engine = new Engine((context) =>
      context.step('work', async ({ signal }) => {
        reached.resolve();
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(lost)));
      }),
    );
    const taskId = await engine.create();
    const job = engine.jobs.shift()?.job;
    if (job === undefined) throw new Error('There is no job.');
    const over = engine.worker().handle({ job, redelivered: true, trial, signal: controller.signal });
    await reached.promise;
    controller.abort(lost);
    expect(await over).toEqual({});
    expect((await engine.events(taskId)).map(({ type }) => type)).toEqual(['TaskCreated', 'PassStarted', 'PassSuspended']);
    expect(nextTrial(fold(await engine.events(taskId)))).toBe('together');
    expect(engine.jobs).toHaveLength(1);
  },
);
