/** Tests how a worker gives back tasks that it cannot run. The queue is the test's, so the test decides which worker gets which task. */
import { describe, expect, it } from 'vitest';
import { Engine, type Run } from '../../../../test/support/engine.js';
import type { TaskId } from '../domain/task-id.js';
import type { RegisteredWorker } from '../ports/worker-registry.js';

const registered = (version: string, tools: string[] = ['tool']): RegisteredWorker => ({
  workerId: `worker of ${version}`,
  version,
  tools,
  lockToken: '',
  slots: 1,
  startedAt: 0,
});

/** One step in a first pass, then a nap; the second code asks for another step. */
const named =
  (name: string): Run =>
  async (context) => {
    await context.step(name, () => name);
    await context.sleep('nap', 10);
    return context.step('last', () => `done by ${name}`);
  };

/** A task that ran its first pass at version one, while workers of both versions live. */
async function recordedByOne(run: Run = named('old')) {
  const engine = new Engine(run);
  for (const version of ['one', 'two']) await engine.store.workers.beat(registered(version));
  const id = await engine.create();
  await engine.deliver(engine.worker('w1', { version: 'one' }));
  return { engine, id };
}

async function parkedOf(engine: Engine) {
  const groups = await engine.store.parked.groups();
  return groups.map(({ tool, asked }) => ({ tool, asked }));
}

/** Adds the parked tasks to the queue again, as a worker does that takes them. */
async function unpark(engine: Engine): Promise<void> {
  for (const group of await engine.store.parked.groups())
    for (const { taskId, pass, ...givenBack } of await engine.store.parked.take(group, 10))
      await engine.store.queue.addGivenBack({ taskId, pass }, givenBack);
}

describe('a task whose tool a worker does not know', () => {
  it('is parked with nothing recorded, and runs at a worker that knows it', async () => {
    const engine = new Engine(async () => 'well');
    const id = await engine.create({ tool: 'tool' });
    await engine.deliver(engine.worker('w1', { version: 'one', workflows: () => undefined }));
    expect(await engine.story(id)).toEqual(['TaskCreated']);
    expect(await parkedOf(engine)).toEqual([{ tool: 'tool', asked: ['one'] }]);
    await unpark(engine);
    await engine.deliver(engine.worker('w2', { version: 'two' }));
    expect(await engine.value(id)).toBe('well');
  });

  it('is parked again by a version that was asked before, without a look at its history', async () => {
    const engine = new Engine(async () => 'well');
    await engine.create();
    await engine.deliver(engine.worker('w1', { version: 'one', workflows: () => undefined }));
    await unpark(engine);
    await engine.deliver(engine.worker('w3', { version: 'three', workflows: () => undefined }));
    expect(await parkedOf(engine)).toEqual([{ tool: 'tool', asked: ['one', 'three'] }]);
    // A task that is not there shows nothing.
    const taskId = crypto.randomUUID() as TaskId;
    const givenBack = { tool: 'gone', asked: ['one', 'two'], attemptSince: 0, times: 1 };
    await engine.store.queue.addGivenBack({ taskId, pass: 1 }, givenBack);
    await engine.deliver(engine.worker('w1', { version: 'one' }));
    expect(await parkedOf(engine)).toContainEqual({ tool: 'gone', asked: ['one', 'two'] });
  });

  it('can be claimed anew after its worker was lost, by the worker that it is found by', async () => {
    const engine = new Engine(async (context) => context.step('a', () => 'well'));
    const id = await engine.create();
    const calm = engine.run;
    const job = await engine.crashing((crash) => {
      engine.run = async (context) =>
        context.step('a', () => {
          crash();
          return new Promise(() => undefined);
        });
    });
    engine.run = calm;
    expect(await engine.story(id)).toEqual(['TaskCreated', 'PassStarted']);
    await engine.redeliver(job, engine.worker('w1', { version: 'one', workflows: () => undefined }));
    await unpark(engine);
    await engine.deliver(engine.worker('w2', { version: 'two' }));
    expect(await engine.value(id)).toBe('well');
  });
});

describe('a task that was lost before', () => {
  it.each([
    ['by the worker that gives it back', { lost: true }],
    ['by the worker before', { givenBack: { tool: 'tool', asked: ['one'], attemptSince: 0, times: 1, lost: true } }],
    ['and is on trial', { trial: 'together' }],
  ] as const)('%s is handed on as such', async (_title, how) => {
    const engine = new Engine(async () => 'well');
    await engine.create();
    const [next] = engine.jobs;
    if (next === undefined) throw new Error('No job waits.');
    const { signal } = new AbortController();
    const delivery = { job: next.job, redelivered: true, lost: 'givenBack' in how, signal, ...how };
    await engine.worker('w1', { version: 'one', workflows: () => undefined }).handle(delivery);
    const [group] = await engine.store.parked.groups();
    if (group === undefined) throw new Error('It is not parked.');
    expect(await engine.store.parked.take(group, 1)).toMatchObject([{ lost: true }]);
  });
});

describe('a task whose record the code of a worker does not fit', () => {
  it('is parked with nothing recorded, and goes on at the version that it fits', async () => {
    const { engine, id } = await recordedByOne();
    const before = await engine.story(id);
    engine.run = named('new');
    await engine.deliver(engine.worker('w2', { version: 'two' }));
    expect(await engine.story(id)).toEqual(before);
    expect(await parkedOf(engine)).toEqual([{ tool: 'tool', asked: ['two'] }]);
    engine.run = named('old');
    await unpark(engine);
    await engine.deliver(engine.worker('w1', { version: 'one' }));
    expect(await engine.value(id)).toBe('done by old');
  });

  it('is not replayed again by a worker that remembers it', async () => {
    const { engine } = await recordedByOne();
    const next = engine.jobs[0];
    let runs = 0;
    engine.run = async (context) => {
      runs += 1;
      return named('new')(context, {});
    };
    const worker = engine.worker('w2', { version: 'two' });
    await engine.deliver(worker);
    if (next !== undefined) engine.jobs.push(next);
    await engine.deliver(worker);
    expect(runs).toBe(1);
    expect(await parkedOf(engine)).toEqual([{ tool: 'tool', asked: ['two'] }]);
  });

  it('keeps its claim when that was recorded already, which the worker that it is found by may claim anew', async () => {
    const { engine, id } = await recordedByOne();
    engine.run = async (context, args) => {
      // Long enough for the claim to be recorded before the function has called an operation.
      while ((await engine.story(id)).at(-1) !== 'PassStarted') await new Promise((resolve) => setTimeout(resolve, 5));
      return named('new')(context, args);
    };
    await engine.deliver(engine.worker('w2', { version: 'two' }));
    expect((await engine.story(id)).slice(-2)).toEqual(['TimerFired', 'PassStarted']);
    expect(engine.jobs).toEqual([]);
    expect(await parkedOf(engine)).toEqual([{ tool: 'tool', asked: ['two'] }]);
    engine.run = named('old');
    await unpark(engine);
    await engine.deliver(engine.worker('w1', { version: 'one' }));
    expect(await engine.value(id)).toBe('done by old');
  });

  it('is parked also when the code throws where that of another version went on', async () => {
    const { engine, id } = await recordedByOne();
    const before = await engine.story(id);
    engine.retry = { attempts: 2, initialMs: 1 };
    engine.run = async () => {
      throw new Error('This was repaired in version one.');
    };
    await engine.deliver(engine.worker('w2', { version: 'two' }));
    expect(await engine.story(id)).toEqual(before);
    expect(await parkedOf(engine)).toHaveLength(1);
  });

  it('is tried again when the code throws where the same version went on: that may be chance', async () => {
    const { engine, id } = await recordedByOne();
    engine.retry = { attempts: 2, initialMs: 1 };
    engine.run = async () => {
      throw new Error('The network is away.');
    };
    await engine.deliver(engine.worker('w1', { version: 'one' }));
    expect((await engine.story(id)).at(-1)).toBe('PassFailed');
    engine.run = named('old');
    await engine.settle();
    expect(await engine.value(id)).toBe('done by old');
  });

  it('fails at once, with both causes, when every living worker has the version that made the record', async () => {
    const engine = new Engine(named('old'));
    await engine.store.workers.beat(registered('one'));
    const id = await engine.create();
    await engine.deliver(engine.worker('w1', { version: 'one' }));
    engine.run = named(String(Math.random()));
    await engine.deliver(engine.worker('w2', { version: 'one' }));
    expect(await engine.outcome(id)).toMatchObject({
      kind: 'error',
      error: {
        message: expect.stringMatching(/its code has changed .* or it depends on time, randomness or I\/O outside of steps/) as string,
        data: { reason: 'NONDETERMINISM' },
      },
    });
    expect(await parkedOf(engine)).toEqual([]);
  });

  it('may fit in another attempt, for which all versions are asked anew', async () => {
    const { engine, id } = await recordedByOne();
    engine.retry = { attempts: 2, initialMs: 1 };
    const two = engine.worker('w2', { version: 'two' });
    engine.run = named('new');
    await engine.deliver(two);
    await unpark(engine);
    engine.run = async () => {
      throw new Error('The attempt is over.');
    };
    await engine.deliver(engine.worker('w1', { version: 'one' }));
    expect((await engine.story(id)).at(-1)).toBe('PassFailed');
    engine.run = named('new');
    await engine.deliver(two);
    expect(await engine.value(id)).toBe('done by new');
  });
});
