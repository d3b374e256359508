import { describe, expect, it } from 'vitest';
import { Engine, intercept } from '../../../../test/support/engine.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { TaskError } from '../errors.js';

describe('a store that fails while a pass records', () => {
  const down = () => Promise.reject(new TaskError('STORE_UNAVAILABLE'));

  it.each(['STORE_UNAVAILABLE', 'STORE_FULL'] as const)('with %s is tried again until it takes it', async (code) => {
    let failures = 3;
    const fail = () => Promise.reject(new TaskError(code));
    const engine = new Engine(
      async (context) => context.step('a', () => 'kept'),
      (store) => intercept(store, (request, append) => (request.epoch !== undefined && failures-- > 0 ? fail() : append(request))),
    );
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toBe('kept');
  });

  it('records nothing twice when only the acknowledgement was lost', async () => {
    let lost = 2;
    const engine = new Engine(
      async (context) => [await context.step('a', () => 1), await context.step('b', () => 2)],
      (store) =>
        intercept(store, async (request, append) => {
          const result = await append(request);
          return request.epoch !== undefined && lost-- > 0 ? down() : result;
        }),
    );
    const id = await engine.create();
    await engine.settle();
    expect(await engine.story(id)).toEqual(['TaskCreated', 'PassStarted', 'StepCompleted', 'StepCompleted', 'TaskCompleted']);
  });

  it('does not keep a worker that has lost the job', async () => {
    const power = new AbortController();
    const engine = new Engine(
      async (context) => context.step('a', () => 1),
      (store) =>
        intercept(store, (request, append) => {
          if (request.epoch === undefined) return append(request);
          power.abort();
          return down();
        }),
    );
    const id = await engine.create();
    await engine.deliver(engine.worker(), power.signal);
    expect(await engine.story(id)).toEqual(['TaskCreated', 'PassStarted']);
  });

  it('begins again from what is left when the store lost its latest writes', async () => {
    let truncated = true;
    const engine = new Engine(
      async (context) => context.step('a', () => 1),
      (store) => ({
        ...store,
        events: {
          ...intercept(store, (request, append) => {
            const records = request.events.some(({ type }) => type === 'StepCompleted');
            return records && truncated ? Promise.resolve('conflict') : append(request);
          }).events,
        },
      }),
    );
    const id = await engine.create();
    const { job } = engine.jobs[0]!;
    await expect(engine.deliver()).rejects.toThrow('Redis lost its latest writes');
    truncated = false;
    await engine.redeliver(job);
    expect(await engine.value(id)).toBe(1);
  });

  it('has the job delivered again after an error of another kind', async () => {
    const engine = new Engine(
      async (context) => context.step('a', () => 1),
      (store) => intercept(store, (request, append) => (request.epoch === undefined ? append(request) : Promise.reject(new Error('bug')))),
    );
    await engine.create();
    await expect(engine.deliver()).rejects.toThrow('bug');
  });

  it('does not end a pass that only wanted to look', async () => {
    let fails = false;
    let failed = 0;
    const engine = new Engine(
      async (context) =>
        context.step('a', async () => {
          fails = true;
          // A pass that records at that moment looks anyway, and must not look now.
          await waitUntil(
            async () =>
              worker['runs']
                .get(id)
                ?.poke()
                .then(() => failed > 0),
            { description: 'a look has failed' },
          );
          fails = false;
          return 'kept';
        }),
      (store) => ({
        ...store,
        events: {
          ...intercept(store, (request, append) => append(request)).events,
          read: (id, after) => {
            if (!fails) return store.events.read(id, after);
            failed += 1;
            return down();
          },
        },
      }),
    );
    const worker = engine.worker();
    const id = await engine.create();
    await engine.deliver(worker);
    expect(await engine.value(id)).toBe('kept');
  });

  it('has the job delivered again when a look fails for another reason', async () => {
    const engine: Engine = new Engine(
      async (context) => context.step('a', () => worker['runs'].get(id)?.poke()),
      (store) => ({
        ...store,
        events: {
          ...intercept(store, (request, append) => append(request)).events,
          read: (id, after) => (after === undefined || after === 0 ? store.events.read(id, after) : Promise.reject(new Error('bug'))),
        },
      }),
    );
    const worker = engine.worker();
    const id = await engine.create();
    await expect(engine.deliver(worker)).rejects.toThrow('bug');
  });
});
