/**
 * Tests what a worker does with tasks that need a later version, because their code or their record has an operation that this version
 * lacks.
 */
import { describe, expect, it } from 'vitest';
import { Engine, type Run } from '../../../../test/support/engine.js';
import { call, childrenOf, familyOf } from '../../../../test/support/family.js';
import type { TaskEventType } from '../domain/events.js';
import type { TaskId } from '../domain/task-id.js';
import type { TaskContext } from '../replay/task-context.js';

type LaterContext = TaskContext & { waitForToken(signal: string): Promise<void> };

const beat = (engine: Engine, version: string): Promise<unknown> =>
  engine.store.workers.beat({ workerId: version, version, tools: ['tool'], lockToken: '', slots: 1, startedAt: 0 });

const parkedOf = async (engine: Engine) => (await engine.store.parked.groups()).map(({ tool, asked }) => ({ tool, asked }));

/** Adds the parked tasks to the queue again, as a worker does that takes them. */
async function unpark(engine: Engine): Promise<void> {
  for (const group of await engine.store.parked.groups())
    for (const { taskId, pass, ...givenBack } of await engine.store.parked.take(group, 10))
      await engine.store.queue.addGivenBack({ taskId, pass }, givenBack);
}

/** Appends an event as a later version would. */
async function appendUnknown({ store }: Engine, taskId: TaskId, type = 'TokenReceived'): Promise<void> {
  const [view] = await store.events.views([taskId]);
  if (view === undefined) throw new Error('There is no task.');
  const events = [{ type: type as TaskEventType, data: JSON.stringify({ key: 'approved' }), meta: JSON.stringify({ at: 1 }) }];
  const projection = { view: { ...view, version: view.version + 1 } };
  await store.events.append({ taskId, expectedVersion: view.version, events, projection, epochAfter: view.standing.epoch });
}

describe('a task whose code calls an operation of a later version', () => {
  const waits: Run = async (context) => {
    await context.step('a', () => 1);
    await (context as LaterContext).waitForToken('approved');
    return 'well';
  };

  it('is given back with what it has recorded, and goes on at a worker that has it', async () => {
    const engine = new Engine(waits);
    for (const version of ['one', 'two']) await beat(engine, version);
    const id = await engine.create();
    await engine.deliver(engine.worker('w1', { version: 'one' }));
    expect(await engine.story(id)).toEqual(['TaskCreated', 'PassStarted', 'StepCompleted']);
    expect(await parkedOf(engine)).toEqual([{ tool: 'tool', asked: ['one'] }]);
    await unpark(engine);
    engine.run = async (context) => `done after ${await context.step('a', () => 2)}`;
    await engine.deliver(engine.worker('w2', { version: 'two' }));
    expect(await engine.value(id)).toBe('done after 1');
  });

  it('fails at once where all workers are of one version, and says what they lack', async () => {
    const engine = new Engine(waits);
    await beat(engine, 'one');
    const id = await engine.create();
    await engine.deliver(engine.worker('w1', { version: 'one' }));
    expect(await engine.outcome(id)).toMatchObject({
      error: {
        message: 'The workflow of tool "tool" calls context.waitForToken, which this version does not have.',
        data: { reason: 'NO_WORKER' },
      },
    });
  });

  it('fails with its own TypeError where it calls something else in vain, or only looks whether an operation is there', async () => {
    const own: Run = async (context) => {
      if ((context as Partial<LaterContext>).waitForToken !== undefined) return 'there';
      const other: { readonly call?: () => void } = {};
      (other as { call(): void }).call();
      return 'never';
    };
    const engine = new Engine(own);
    for (const version of ['one', 'two']) await beat(engine, version);
    const id = await engine.create();
    await engine.deliver(engine.worker('w1', { version: 'one' }));
    expect(await engine.outcome(id)).toMatchObject({ kind: 'result', result: { value: 'TypeError: other.call is not a function' } });
  });
});

/** What an older worker runs: the same function, with a context that has no such operation. */
function without(operation: keyof TaskContext, run: Run): Run {
  return async (context, args) => {
    delete (context as { [name in keyof TaskContext]?: unknown })[operation];
    return run(context, args);
  };
}

describe('a worker of the version before an operation', () => {
  const NEWER = {
    call: async (context) => (await call(context, 'child'))['value'],
    waitFor: (context) => context.waitFor('news'),
    sendSignal: async (context) => {
      await context.sendSignal(context.taskId, 'sent', 'to itself');
      return context.waitFor('news');
    },
  } as const satisfies Partial<Record<keyof TaskContext, Run>>;

  it.each(Object.entries(NEWER) as [keyof typeof NEWER, Run][])(
    'that calls context.%s gives the task back untouched, before it and after it',
    async (operation, run) => {
      const parent: Run = async (context, args) => {
        const before = await context.step('before', () => 'kept');
        return [before, await run(context, args)];
      };
      const engine = familyOf({ parent: (context, args) => now(context, args), child: async () => 'done' });
      let now = without(operation, parent);
      for (const version of ['old', 'new']) await beat(engine, version);
      const [old, fresh] = ['old', 'new'].map((version) => engine.worker(version, { version }));
      const id = await engine.create();
      await engine.deliver(old);
      expect(await engine.story(id)).toEqual(['TaskCreated', 'PassStarted', 'StepCompleted']);
      await unpark(engine);
      now = parent;
      await engine.deliver(fresh);
      await engine.signal(id, 'news', 'done');
      // The child needs nothing that the older version lacks.
      now = without(operation, parent);
      const story = await engine.story(id);
      for (; engine.jobs.length > 0;) {
        const { length } = await engine.story(id);
        const isParent = engine.jobs[0]?.job.taskId === id;
        await engine.deliver(old);
        // It may have claimed the pass, and has recorded nothing in it.
        if (isParent) expect((await engine.story(id)).slice(length).filter((type) => type !== 'PassStarted')).toEqual([]);
      }
      expect((await engine.story(id)).slice(0, story.length)).toEqual(story);
      now = parent;
      await unpark(engine);
      while (engine.jobs.length > 0) await engine.deliver(fresh);
      expect(await engine.value(id)).toEqual(['kept', 'done']);
      expect((await childrenOf(engine, id)).length).toBe(operation === 'call' ? 1 : 0);
    },
  );
});

describe('a task whose record has an event of a later version', () => {
  it('is parked with nothing recorded, whatever that version would make of it', async () => {
    const engine = new Engine(async (context) => context.sleep('nap', 10));
    for (const version of ['one', 'two']) await beat(engine, version);
    const id = await engine.create();
    await engine.deliver(engine.worker('w1', { version: 'one' }));
    await appendUnknown(engine, id);
    const before = await engine.story(id);
    await engine.deliver(engine.worker('w1', { version: 'one' }));
    expect(await parkedOf(engine)).toEqual([{ tool: 'tool', asked: ['one'] }]);
    expect(await engine.story(id)).toEqual(before);
  });

  it('stays with its worker while one runs it', async () => {
    const engine = new Engine(async (context) => context.step('a', () => new Promise(() => undefined)));
    const id = await engine.create();
    const [job] = engine.jobs;
    const first = engine.deliver(engine.worker('w1', { version: 'two' }));
    await expect.poll(() => engine.story(id)).toContain('PassStarted');
    await appendUnknown(engine, id);
    engine.jobs.push({ job: job!.job, dueAt: 0 });
    await engine.deliver(engine.worker('w2', { version: 'one' }));
    expect(await parkedOf(engine)).toEqual([]);
    void first;
  });

  it('is given back by the worker that runs it when the event comes', async () => {
    const engine = new Engine(async (context) => {
      await context.step('a', () => 1);
      await appendUnknown(engine, context.taskId);
      return context.step('b', () => 2);
    });
    for (const version of ['one', 'two']) await beat(engine, version);
    const id = await engine.create();
    await engine.deliver(engine.worker('w1', { version: 'one' }));
    expect(await parkedOf(engine)).toEqual([{ tool: 'tool', asked: ['one'] }]);
    expect(await engine.story(id)).toEqual(['TaskCreated', 'PassStarted', 'StepCompleted', 'TokenReceived']);
  });

  it('cannot be forked by this version', async () => {
    const engine = new Engine(async (context) => context.step('a', () => 1));
    const id = await engine.create();
    await appendUnknown(engine, id, 'TokenAwaited');
    await engine.deliver();
    await expect(engine.fork(id, { from: { step: 'approved' } })).rejects.toMatchObject({ code: 'HISTORY_UNREADABLE' });
  });
});
