import { describe, expect, it } from 'vitest';
import { intercept } from '../../../../test/support/engine.js';
import { call, childrenOf, familyOf, thrown, valueOf, viewOf } from '../../../../test/support/family.js';
import { NODE_TIMERS } from '../ports/timers.js';
import { waitUntil } from '../testing/wait-until.js';
import type { TaskId } from '../domain/task-id.js';

describe('a call of another tool', () => {
  it('runs it as a task of the same owner, and gives its result', async () => {
    const engine = familyOf({
      parent: async (context) => `the child says ${String(await valueOf(context, 'child', { word: 'hello' }))}`,
      child: async (_, { word }) => word,
    });
    const parent = await engine.create();
    await engine.settle();
    expect(await engine.value(parent)).toBe('the child says hello');
    expect(await engine.story(parent)).toEqual([
      'TaskCreated',
      'PassStarted',
      'ChildStarted',
      'ChildCreated',
      'PassSuspended',
      'ChildEnded',
      'PassStarted',
      'TaskCompleted',
    ]);
    const [child] = await childrenOf(engine, parent);
    expect(await viewOf(engine, child as TaskId)).toMatchObject({
      owner: 'ada',
      parent: { taskId: parent, key: '$call', bond: 'bound', rootTaskId: parent, path: ['tool'] },
    });
    expect(engine.errors).toEqual([]);
  });

  it('holds no worker while it waits, and is not in the list of its client', async () => {
    const engine = familyOf({ parent: (context) => valueOf(context, 'child'), child: async (context) => context.sleep('nap', 1_000) });
    const parent = await engine.create();
    await engine.deliver();
    expect((await viewOf(engine, parent))?.standing.phase).toBe('suspended');
    const { tasks } = await engine.service.list({ owner: 'ada' });
    expect(tasks.map(({ taskId }) => taskId)).toEqual([parent]);
    await engine.settle();
    expect(await engine.story(parent)).toContain('TaskCompleted');
  });

  it('has as many children at once as it may, and the others wait for their turn', async () => {
    let present = 0;
    let most = 0;
    const engine = familyOf({
      parent: async (context) => {
        const values = await Promise.all(Array.from({ length: 20 }, (_, number) => valueOf(context, 'child', { number })));
        return values.reduce<number>((sum, value) => sum + Number(value), 0);
      },
      child: async (context, { number }) => {
        present += 1;
        most = Math.max(most, present);
        await context.step('work', () => undefined);
        present -= 1;
        return number;
      },
    });
    engine.childBounds = { atOnce: 3 };
    const parent = await engine.create();
    while (engine.jobs.length > 0) {
      expect((await viewOf(engine, parent))?.children?.length ?? 0).toBeLessThanOrEqual(3);
      await engine.deliver();
    }
    expect(await engine.value(parent)).toBe(190);
    expect(new Set(await childrenOf(engine, parent)).size).toBe(20);
    expect(most).toBeLessThanOrEqual(3);
  });

  it('begins the next one as soon as there is room, while its pass runs', async () => {
    const engine = familyOf({
      parent: async (context) => {
        const both = Promise.all([1, 2].map((number) => valueOf(context, 'child', { number })));
        await context.step('meanwhile', async () => {
          await waitUntil(() => engine.jobs.length > 0, { description: 'the first is begun' });
          await engine.deliver();
        });
        await context.step('then', () => undefined);
        return (await both).join();
      },
      child: async (_, { number }) => number,
    });
    engine.childBounds = { atOnce: 1 };
    const parent = await engine.create();
    await engine.deliver();
    expect(await childrenOf(engine, parent)).toHaveLength(2);
    await engine.settle();
    expect(await engine.value(parent)).toBe('1,2');
  });

  it('is done once where all of its children end at the same moment', async () => {
    const engine = familyOf({
      parent: async (context) => (await Promise.all([1, 2, 3].map((number) => valueOf(context, 'child', { number })))).join(),
      child: async (_, { number }) => number,
    });
    const parent = await engine.create();
    await engine.deliver();
    const jobs = engine.jobs.splice(0);
    await Promise.all(jobs.map(({ job }) => engine.redeliver(job)));
    await engine.settle();
    expect(await engine.value(parent)).toBe('1,2,3');
  });

  it('takes a child whose end comes before the parent has left its worker', async () => {
    const engine = familyOf({ parent: (context) => valueOf(context, 'child'), child: async () => 'early' });
    engine.store.queue.add = async (job, dueAt) => {
      engine.jobs.push({ job, dueAt });
      // The child runs within the pass that has created it.
      if (job.taskId !== parent && job.pass === 1) await engine.redeliver(job);
    };
    const parent = await engine.create();
    await engine.settle();
    expect(await engine.value(parent)).toBe('early');
    expect((await engine.story(parent)).filter((type) => type === 'ChildEnded')).toHaveLength(1);
  });

  it('may be under a name, and without waiting', async () => {
    const engine = familyOf({
      parent: async (context) => [
        await context.call('tool', { as: 'child' }, { detach: true, name: 'aside' }),
        (await call(context, 'child', {}, { name: 'mine' }))['value'],
      ],
      child: async () => 'done',
    });
    const parent = await engine.create();
    await engine.settle();
    const [aside] = await childrenOf(engine, parent);
    expect(await engine.value(parent)).toEqual([aside, 'done']);
    expect(new Set((await engine.service.list({ owner: 'ada' })).tasks.map(({ taskId }) => taskId))).toEqual(new Set([parent, aside]));
    expect((await engine.events(parent)).flatMap(({ type, data }) => (type === 'ChildStarted' ? [data.key] : []))).toEqual([
      'aside',
      'mine',
    ]);
  });

  it('throws what has become of a child that gave no result', async () => {
    const engine = familyOf({
      parent: async (context) => [
        await thrown(call(context, 'tool-error')),
        await thrown(call(context, 'rpc-error')),
        await thrown(call(context, 'child', { wrong: true })),
        await thrown(context.call('none')),
        await thrown(context.call('tool', { as: 'child' }, { onCancel: 'explode' as 'leave' })),
        await thrown(context.call('tool', { as: 'child' }, { detach: true, onCancel: 'cancel' })),
        await thrown(context.call('t'.repeat(257))),
      ],
      child: async () => 'done',
      'tool-error': async () => {
        throw new Error('It broke.');
      },
      'rpc-error': async () => {
        throw Object.assign(new Error('Not here.'), { code: -32_602, data: { reason: 'PLACE' } });
      },
    });
    const parent = await engine.create();
    await engine.settle();
    const [first, second, third, fourth] = await childrenOf(engine, parent);
    expect(await engine.value(parent)).toEqual([
      { code: 'CHILD_FAILED', data: { taskId: first, tool: 'tool', result: { isError: true, value: 'Error: It broke.' } } },
      { code: 'CHILD_FAILED', data: { taskId: second, tool: 'tool', code: -32_602, reason: 'PLACE' } },
      { code: 'CHILD_REFUSED', data: { taskId: third, tool: 'tool', code: 'INVALID_INPUT' } },
      { code: 'CHILD_REFUSED', data: { taskId: fourth, tool: 'none', code: 'UNKNOWN_TOOL' } },
      { code: 'INVALID_KEY' },
      { code: 'INVALID_KEY' },
      { code: 'INVALID_KEY' },
    ]);
  });

  it('takes the task that has the same idempotency key, and runs it once', async () => {
    let runs = 0;
    const engine = familyOf({
      parent: async (context) => (await call(context, 'child', {}, { idempotencyKey: 'one' }))['value'],
      child: async (context) => {
        await context.sleep('nap', 5_000);
        runs += 1;
        return `run ${runs}`;
      },
    });
    const [first, second] = [await engine.create(), await engine.create()];
    await engine.settle();
    const third = await engine.create();
    await engine.settle();
    for (const parent of [first, second, third]) expect(await engine.value(parent)).toBe('run 1');
  });

  it('tries again when the store takes too long to create it', async () => {
    let hangs = true;
    const engine = familyOf({ parent: (context) => valueOf(context, 'child'), child: async () => 'done' }, (store) =>
      intercept(store, async (request, append) => {
        if (!hangs || request.projection.view.parent === undefined) return append(request);
        hangs = false;
        engine.now += 61_000;
        return new Promise(() => undefined);
      }),
    );
    const parent = await engine.create();
    await engine.deliver(engine.worker('worker', { timers: { after: (_ms, ring) => NODE_TIMERS.after(1, ring) } }));
    expect(await engine.story(parent)).toContain('ChildDelayed');
    await engine.settle();
    expect(await engine.value(parent)).toBe('done');
  });

  it('is refused by a process that starts none', async () => {
    const engine = familyOf({ parent: async (context) => thrown(call(context, 'child')) });
    const parent = await engine.create();
    await engine.deliver(engine.worker('worker', { children: undefined }));
    expect(await engine.value(parent)).toMatchObject({ code: 'CHILD_REFUSED' });
  });

  it('ends a recursion by the name of its limit, with the tools that led to it', async () => {
    const engine = familyOf({ parent: (context) => valueOf(context, 'parent').catch((error: Error) => error.message) });
    engine.childBounds = { depth: 2 };
    const parent = await engine.create();
    await engine.settle();
    expect(await engine.value(parent)).toBe(
      'Tasks may call each other 2 levels deep (LONGHAUL_MAX_CHILD_DEPTH); this is one more: tool → tool → tool → tool.',
    );
  });

  it('waits while its owner has too many tasks, for as long as is allowed', async () => {
    const engine = familyOf({ parent: (context) => valueOf(context, 'child'), child: async () => 'done' });
    engine.limits = { concurrentTasks: 1 };
    const [waiting, refused] = [await engine.create(), await engine.create()];
    await engine.deliver();
    expect(await engine.story(waiting)).toEqual(['TaskCreated', 'PassStarted', 'ChildStarted', 'ChildDelayed', 'PassSuspended']);
    engine.limits = {};
    await engine.settle();
    expect(await engine.value(waiting)).toBe('done');
    expect(await engine.value(refused)).toBe('done');
    engine.limits = { concurrentTasks: 1 };
    await engine.create();
    const late = await engine.create();
    engine.jobs.shift();
    await engine.settle();
    expect(JSON.stringify(await engine.outcome(late))).toContain('(LONGHAUL_CHILD_START_MS)');
  });

  it('asks the caller for the scopes of the tool, whatever those of the author are', async () => {
    const engine = familyOf({ parent: async (context) => thrown(call(context, 'child')), child: async () => 'done' });
    const scoped = engine.worker('worker', {
      children: {
        tool: () => ({ scopes: ['charge'], problemOf: () => undefined, times: () => ({ ttlMs: 1, pollIntervalMs: 1 }) }),
        limitsOf: () => ({ concurrentTasks: 10, tasksPerMinute: 10, historyBytes: 1_000_000 }),
      },
    });
    const parent = await engine.create({ auth: { subject: 'ada', scopes: ['read'] } });
    await engine.deliver(scoped);
    await engine.settle();
    expect(await engine.value(parent)).toMatchObject({ code: 'CHILD_REFUSED', data: { code: 'INSUFFICIENT_SCOPE' } });
  });
});

describe('the priority of a called task', () => {
  it('is as the call says, otherwise that of its tool, otherwise that of its parent', async () => {
    const engine = familyOf({
      parent: async (context) => {
        await call(context, 'child', {}, { priority: -2 });
        await call(context, 'child', {});
        return thrown(call(context, 'child', {}, { priority: 11 }));
      },
      child: async () => 'done',
    });
    const id = await engine.create({ priority: 5 });
    await engine.settle();
    const children = (await engine.events(id)).flatMap((event) => (event.type === 'ChildStarted' ? [event.data.taskId as TaskId] : []));
    expect(await Promise.all(children.map(async (child) => (await viewOf(engine, child))?.priority))).toEqual([-2, 5]);
    expect(await engine.value(id)).toMatchObject({ code: 'INVALID_KEY' });
  });
});

describe('another attempt, and a fork', () => {
  it('has the children that ended well, and runs those that failed again', async () => {
    const runs: string[] = [];
    let isBroken = true;
    const engine = familyOf({
      parent: async (context) => [await valueOf(context, 'good'), await valueOf(context, 'bad')],
      good: async () => runs.push('good'),
      bad: async () => {
        runs.push('bad');
        if (isBroken) throw new Error('It broke.');
        return 'repaired';
      },
    });
    engine.retry = { attempts: 2, initialMs: 1 };
    const parent = await engine.create();
    while (!(await engine.story(parent)).includes('PassFailed')) await engine.deliver();
    isBroken = false;
    await engine.settle();
    expect(await engine.value(parent)).toEqual([1, 'repaired']);
    // The tool of the children is tried twice as well.
    expect(runs.filter((run) => run === 'good')).toHaveLength(1);
    const fork = await engine.fork(parent, { from: { step: '$call:2' } });
    await engine.settle();
    expect(await engine.value(fork)).toEqual([1, 'repaired']);
    expect(runs.filter((run) => run === 'good')).toHaveLength(1);
  });
});
