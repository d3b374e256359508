import { describe, expect, it } from 'vitest';
import { Engine, intercept } from '../../../../test/support/engine.js';
import type { TaskContext } from '../replay/task-context.js';
import type { JsonObject } from '../domain/json.js';
import type { TaskId } from '../domain/task-id.js';

type Function = (context: TaskContext, args: JsonObject) => Promise<unknown>;

/** An engine with several functions behind its tool: `as` says which. */
function engineOf(functions: Readonly<Record<string, Function>>, change?: ConstructorParameters<typeof Engine>[1]): Engine {
  return new Engine(async (context, args) => functions[String(args['as'] ?? 'parent')]?.(context, args), change);
}

const call = (context: TaskContext, as: string, more: JsonObject = {}, options = {}): Promise<JsonObject> =>
  context.call('tool', { as, ...more }, options);

const valueOf = async (context: TaskContext, as: string, more: JsonObject = {}): Promise<unknown> =>
  (await call(context, as, more))['value'];

/** What a call has thrown, as its author sees it. */
const thrown = (calls: Promise<unknown>): Promise<unknown> =>
  calls.then(
    () => 'nothing',
    ({ code, data }: { readonly code: string; readonly data: unknown }) => ({ code, data }),
  );

/** The tasks that a task has started, in their order. */
async function childrenOf(engine: Engine, parent: TaskId): Promise<TaskId[]> {
  return (await engine.events(parent)).flatMap((event) => (event.type === 'ChildStarted' ? [event.data.taskId as TaskId] : []));
}

/** Delivers what is due first, until the task has ended. */
async function toEnd(engine: Engine, task: TaskId): Promise<void> {
  while ((await engine.outcome(task)) === undefined) {
    engine.jobs.sort((left, right) => left.dueAt - right.dueAt);
    await engine.deliver();
  }
}

const view = async (engine: Engine, taskId: TaskId) => (await engine.store.events.views([taskId], 'operator'))[0];

describe('a call of another tool', () => {
  it('runs it as a task of the same owner, and gives its result', async () => {
    const engine = engineOf({
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
    expect(await view(engine, child as TaskId)).toMatchObject({
      owner: 'ada',
      parent: { taskId: parent, key: '$call', bond: 'bound', rootTaskId: parent, path: ['tool'] },
    });
    expect(engine.errors).toEqual([]);
  });

  it('holds no worker while it waits, and is not in the list of its client', async () => {
    const engine = engineOf({ parent: (context) => valueOf(context, 'child'), child: async (context) => context.sleep('nap', 1_000) });
    const parent = await engine.create();
    await engine.deliver();
    expect((await view(engine, parent))?.standing.phase).toBe('suspended');
    const { tasks } = await engine.service.list({ owner: 'ada' });
    expect(tasks.map(({ taskId }) => taskId)).toEqual([parent]);
    await engine.settle();
    expect(await engine.story(parent)).toContain('TaskCompleted');
  });

  it('has as many children at once as it may, and the others wait for their turn', async () => {
    let present = 0;
    let most = 0;
    const engine = engineOf({
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
      expect((await view(engine, parent))?.children?.length ?? 0).toBeLessThanOrEqual(3);
      await engine.deliver();
    }
    expect(await engine.value(parent)).toBe(190);
    expect(new Set(await childrenOf(engine, parent)).size).toBe(20);
    expect(most).toBeLessThanOrEqual(3);
  });

  it('is done once where all of its children end at the same moment', async () => {
    const engine = engineOf({
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
    const engine = engineOf({ parent: (context) => valueOf(context, 'child'), child: async () => 'early' });
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
    const engine = engineOf({
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
    const engine = engineOf({
      parent: async (context) => [
        await thrown(call(context, 'tool-error')),
        await thrown(call(context, 'rpc-error')),
        await thrown(call(context, 'child', { wrong: true })),
        await thrown(context.call('none')),
        await thrown(context.call('tool', { as: 'child' }, { onCancel: 'explode' as 'leave' })),
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
    ]);
  });

  it('ends a recursion by the name of its limit, with the tools that led to it', async () => {
    const engine = engineOf({ parent: (context) => valueOf(context, 'parent').catch((error: Error) => error.message) });
    engine.childBounds = { depth: 2 };
    const parent = await engine.create();
    await engine.settle();
    expect(await engine.value(parent)).toBe(
      'Tasks may call each other 2 levels deep (LONGHAUL_MAX_CHILD_DEPTH); this is one more: tool → tool → tool → tool.',
    );
  });

  it('waits while its owner has too many tasks, for as long as is allowed', async () => {
    const engine = engineOf({ parent: (context) => valueOf(context, 'child'), child: async () => 'done' });
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
    const engine = engineOf({ parent: async (context) => thrown(call(context, 'child')), child: async () => 'done' });
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

describe('the death of a process', () => {
  it('between the record of a child and its creation has the next pass create it, once', async () => {
    let crash = (): void => undefined;
    const engine = engineOf({ parent: (context) => valueOf(context, 'child'), child: async () => 'done' }, (store) =>
      intercept(store, async (request, append) => {
        const result = await append(request);
        if (request.events.some(({ type }) => type === 'ChildStarted')) crash();
        return result;
      }),
    );
    const parent = await engine.create();
    const job = await engine.crashing((now) => {
      crash = now;
    });
    expect(engine.jobs).toEqual([]);
    crash = () => undefined;
    await engine.redeliver(job);
    await engine.settle();
    expect(await engine.value(parent)).toBe('done');
    expect(await childrenOf(engine, parent)).toHaveLength(1);
  });

  it('after the creation of a child, before that is recorded, finds the child', async () => {
    let runs = 0;
    let crash = (): void => undefined;
    const engine = engineOf(
      {
        parent: (context) => valueOf(context, 'child'),
        child: async (context) =>
          context.step('work', () => {
            runs += 1;
            return 'done';
          }),
      },
      (store) =>
        intercept(store, async (request, append) => {
          const isChild = request.expectedVersion === 0 && request.projection.view.parent !== undefined;
          const result = await append(request);
          if (isChild) crash();
          return result;
        }),
    );
    const parent = await engine.create();
    const job = await engine.crashing((now) => {
      crash = now;
    });
    await engine.settle();
    await engine.redeliver(job);
    await engine.settle();
    expect(await engine.value(parent)).toBe('done');
    expect(runs).toBe(1);
  });

  it('before the end of a child has reached its parent has the sweep pass it on', async () => {
    let isDown = false;
    const engine = engineOf({ parent: (context) => valueOf(context, 'child'), child: async () => 'done' }, (store) =>
      intercept(store, async (request, append) => {
        if (isDown && request.events.some(({ type }) => type === 'ChildEnded')) throw new Error('The process has died.');
        return append(request);
      }),
    );
    const parent = await engine.create();
    await engine.deliver();
    isDown = true;
    await engine.settle();
    expect(await engine.story(parent)).not.toContain('ChildEnded');
    isDown = false;
    engine.now += 10_000;
    await engine.sweep();
    await engine.settle();
    expect(await engine.value(parent)).toBe('done');
  });

  it('never leaves a parent waiting for a child whose record is gone', async () => {
    const engine = engineOf({ parent: async (context) => thrown(call(context, 'child')), child: async () => 'done' });
    const parent = await engine.create({ ttlMs: 7 * 24 * 3_600_000 });
    await engine.deliver();
    const [child] = await childrenOf(engine, parent);
    const { views } = engine.store.events;
    engine.store.events.views = async (ids, reader) =>
      (await views.call(engine.store.events, ids, reader)).map((found) => (found?.taskId === child ? undefined : found));
    engine.jobs.splice(0);
    engine.now += 3_600_001;
    await engine.sweep();
    await engine.settle();
    expect(await engine.value(parent)).toEqual({ code: 'CHILD_LOST', data: { taskId: child, tool: 'tool' } });
  });
});

describe('the end of a parent', () => {
  const endless: Function = async (context) => context.sleep('long', 86_400_000);

  it('cancels the tasks that it has called, and those that they have called', async () => {
    const engine = engineOf({ parent: (context) => valueOf(context, 'middle'), middle: (context) => valueOf(context, 'endless'), endless });
    const parent = await engine.create();
    await engine.deliver();
    await engine.deliver();
    await engine.deliver();
    const [middle] = await childrenOf(engine, parent);
    const [leaf] = await childrenOf(engine, middle as TaskId);
    await engine.cancel(parent);
    for (const taskId of [middle, leaf]) expect((await view(engine, taskId as TaskId))?.ending?.kind).toBe('cancelled');
    expect(engine.errors).toEqual([]);
  });

  it('leaves those that it was told to leave', async () => {
    const engine = engineOf({ parent: (context) => call(context, 'endless', {}, { onCancel: 'leave' }), endless });
    const parent = await engine.create();
    await engine.deliver();
    await engine.deliver();
    await engine.cancel(parent);
    engine.now += 10_000;
    await engine.sweep();
    const [child] = await childrenOf(engine, parent);
    expect((await view(engine, child as TaskId))?.ending).toBeUndefined();
  });

  it('by its result cancels what lost a race', async () => {
    const engine = engineOf({
      parent: (context) => Promise.race([valueOf(context, 'endless'), valueOf(context, 'quick')]),
      endless,
      quick: async () => 'first',
    });
    const parent = await engine.create();
    await toEnd(engine, parent);
    expect(await engine.value(parent)).toBe('first');
    const [slow] = await childrenOf(engine, parent);
    expect((await view(engine, slow as TaskId))?.ending).toMatchObject({ kind: 'cancelled' });
  });

  it('also cancels a child that is created at that moment', async () => {
    let onCreation: (() => Promise<unknown>) | undefined;
    const engine = engineOf({ parent: (context) => valueOf(context, 'endless'), endless }, (store) =>
      intercept(store, async (request, append) => {
        if (request.expectedVersion === 0) await onCreation?.();
        return append(request);
      }),
    );
    const parent = await engine.create();
    onCreation = () => engine.cancel(parent);
    await engine.deliver();
    onCreation = undefined;
    const [child] = await childrenOf(engine, parent);
    expect((await view(engine, child as TaskId))?.ending).toBeUndefined();
    engine.now += 6_000;
    await engine.sweep();
    expect((await view(engine, child as TaskId))?.ending).toMatchObject({ kind: 'cancelled' });
  });

  it('and its new beginning cancel what the run before had called', async () => {
    const engine = engineOf({
      parent: async (context, { again }) => {
        if (again === true) return 'over';
        await Promise.race([valueOf(context, 'endless'), context.sleep('nap', 1)]);
        return context.continueAsNew({ again: true });
      },
      endless,
    });
    const parent = await engine.create();
    await engine.deliver();
    const child = (await view(engine, parent))?.children?.[0]?.taskId;
    await toEnd(engine, parent);
    expect(await engine.value(parent)).toBe('over');
    expect((await view(engine, child as TaskId))?.ending?.kind).toBe('cancelled');
  });

  it('is told to a child that was cancelled by itself as an error that its author can catch', async () => {
    const engine = engineOf({ parent: async (context) => thrown(call(context, 'endless')), endless });
    const parent = await engine.create();
    await engine.deliver();
    await engine.deliver();
    const [child] = await childrenOf(engine, parent);
    await engine.service.cancel(child as string, { owner: 'ada' }, 'Enough.');
    engine.jobs.splice(0, engine.jobs.length - 1);
    await engine.settle();
    expect(await engine.value(parent)).toEqual({ code: 'CHILD_CANCELLED', data: { taskId: child, tool: 'tool', reason: 'Enough.' } });
  });
});

describe('another attempt, and a fork', () => {
  it('has the children that ended well, and runs those that failed again', async () => {
    const runs: string[] = [];
    let isBroken = true;
    const engine = engineOf({
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

describe('a question of a child', () => {
  const asks: Function = async (context) => {
    const answer = await context.elicit({
      message: 'Which?',
      requestedSchema: { type: 'object', properties: { which: { type: 'string' } } },
    });
    return answer.content?.['which'] ?? answer.action;
  };

  it('is asked by the task at the top, with the way to it, and answered there', async () => {
    const engine = engineOf({ parent: (context) => valueOf(context, 'middle'), middle: (context) => valueOf(context, 'asks'), asks });
    const parent = await engine.create();
    await engine.settle();
    const asked = await engine.service.get(parent, { owner: 'ada' });
    expect(asked.pendingInputs).toMatchObject([
      {
        key: '$asked/%24call/$asked/%24call/$elicit',
        method: 'elicitation/create',
        params: { message: 'Which?', _meta: { 'longhaul/askedBy': ['tool', 'tool', 'tool'] } },
      },
    ]);
    await engine.answer(parent, '$asked/%24call/$asked/%24call/$elicit', { action: 'accept', content: { which: 'this' } });
    await engine.settle();
    expect(await engine.value(parent)).toBe('this');
    expect(engine.errors).toEqual([]);
  });

  it('is answered for all when the child itself gets the answer', async () => {
    const engine = engineOf({ parent: (context) => valueOf(context, 'asks'), asks });
    const parent = await engine.create();
    await engine.settle();
    const [child] = await childrenOf(engine, parent);
    await engine.answer(child as TaskId, '$elicit', { action: 'decline' });
    expect((await view(engine, parent))?.pendingInputs).toEqual([]);
    await engine.settle();
    expect(await engine.value(parent)).toBe('decline');
  });

  it('is withdrawn when the child ends without an answer', async () => {
    const engine = engineOf({ parent: async (context) => thrown(call(context, 'asks')), asks });
    const parent = await engine.create();
    await engine.settle();
    const [child] = await childrenOf(engine, parent);
    await engine.cancel(child as TaskId);
    expect((await view(engine, parent))?.pendingInputs).toEqual([]);
    await engine.settle();
    expect(await engine.value(parent)).toMatchObject({ code: 'CHILD_CANCELLED' });
  });

  it.each(['InputRequested', 'InputReceived'])('comes to the other task by the sweep when %s was lost on its way', async (lost) => {
    let isLost = false;
    const engine = engineOf({ parent: (context) => valueOf(context, 'asks'), asks }, (store) =>
      intercept(store, async (request, append) => {
        const isCarried =
          lost === 'InputRequested' ? request.projection.view.parent === undefined : request.projection.view.parent !== undefined;
        if (isLost && isCarried && request.events[0]?.type === lost) throw new Error('The process has died.');
        return append(request);
      }),
    );
    const key = '$asked/%24call/$elicit';
    const parent = await engine.create();
    isLost = lost === 'InputRequested';
    await engine.settle();
    isLost = lost === 'InputReceived';
    if (isLost) await engine.answer(parent, key, { action: 'accept', content: { which: 'this' } });
    isLost = false;
    engine.now += 3_600_001;
    await engine.sweep();
    if (lost === 'InputRequested') await engine.answer(parent, key, { action: 'accept', content: { which: 'this' } });
    await engine.settle();
    expect(await engine.value(parent)).toBe('this');
  });
});
