import { describe, expect, it } from 'vitest';
import { Engine, type Run } from '../../../../test/support/engine.js';
import { illegalities } from '../../../../test/support/legal-history.js';
import type { TaskCreatedData } from '../domain/events.js';
import type { TaskId } from '../domain/task-id.js';
import type { TaskContext } from '../replay/task-context.js';

const question = { message: 'Which?', requestedSchema: { type: 'object' as const, properties: {} } };

/** Notes each step that runs, as `key idempotencyKey`. */
class Ran {
  readonly keys: string[] = [];
  readonly outside: string[] = [];

  step(context: TaskContext, name: string, value: (attempt: number) => string): Promise<string> {
    return context.step(name, ({ idempotencyKey, attempt }) => {
      this.keys.push(name);
      this.outside.push(idempotencyKey);
      return value(attempt);
    });
  }

  /** The steps that ran since the last call. */
  take(): string[] {
    this.outside.splice(0);
    return this.keys.splice(0);
  }
}

function threeSteps(ran: Ran): Run {
  return async (context, args) => {
    const a = await ran.step(context, 'a', () => 'A');
    const b = await ran.step(context, 'b', () => `B ${args['topic'] as string}`);
    return [a, b, await ran.step(context, 'c', () => 'C')];
  };
}

async function forked(task: Partial<TaskCreatedData> = {}) {
  const ran = new Ran();
  const engine = new Engine(threeSteps(ran));
  const origin = await engine.create({ arguments: { topic: 'tides' }, ...task });
  await engine.settle();
  ran.take();
  return { engine, ran, origin };
}

describe('a fork of a task that has ended', () => {
  it('runs all of it again, with the idempotency keys of the origin', async () => {
    const { engine, ran, origin } = await forked();
    const before = await engine.events(origin);
    const id = await engine.fork(origin);
    await engine.settle();
    expect(ran.outside).toEqual([`${origin}:a`, `${origin}:b`, `${origin}:c`]);
    expect(await engine.value(id)).toEqual(['A', 'B tides', 'C']);
    expect(await engine.events(origin)).toEqual(before);
  });

  it('runs from a step on, and takes the values of those before it from the record', async () => {
    const { engine, ran, origin } = await forked();
    engine.now += 1_000;
    const id = await engine.fork(origin, { from: { step: 'c' } });
    await engine.settle();
    expect(ran.outside).toEqual([`${origin}:c`]);
    expect(await engine.value(id)).toEqual(['A', 'B tides', 'C']);
    expect(await engine.story(id)).toEqual([
      'TaskCreated',
      'StepCompleted',
      'StepCompleted',
      'PassStarted',
      'StepCompleted',
      'TaskCompleted',
    ]);
    expect((await engine.events(id)).map(({ at }) => at)).toEqual([2_000, 1_000, 1_000, 2_000, 2_000, 2_000]);
    expect(illegalities((await engine.events(id)).map((event) => ({ event })))).toEqual([]);
  });

  it('runs with other arguments, and with idempotency keys of its own from its first new step on', async () => {
    const { engine, ran, origin } = await forked();
    const id = await engine.fork(origin, { from: { step: 'b' }, arguments: { topic: 'moons' } });
    await engine.settle();
    expect(ran.outside).toEqual([`${id}:b`, `${id}:c`]);
    expect(await engine.value(id)).toEqual(['A', 'B moons', 'C']);
  });

  it('with arguments that are the same is unchanged', async () => {
    const { engine, ran, origin } = await forked();
    await engine.fork(origin, { arguments: { topic: 'tides' } });
    await engine.settle();
    expect(ran.outside).toEqual([`${origin}:a`, `${origin}:b`, `${origin}:c`]);
  });

  it('can be forked again, with the keys that outside systems know', async () => {
    const { engine, ran, origin } = await forked();
    const second = await engine.fork(origin, { from: { step: 'b' } });
    await engine.settle();
    ran.take();
    await engine.fork(second, { from: { step: 'c' } });
    await engine.settle();
    expect(ran.outside).toEqual([`${origin}:c`]);
  });

  it('is possible however it has ended', async () => {
    const ran = new Ran();
    const engine = new Engine(async (context) => {
      await ran.step(context, 'a', () => 'A');
      const { action } = await context.elicit(question);
      if (action === 'cancel') throw new Error('no');
      if (action === 'decline') throw Object.assign(new Error('no'), { code: -32_000 });
      return action;
    });
    const ends: [string, (id: TaskId) => Promise<unknown>][] = [
      ['a result', (id) => engine.answer(id, '$elicit', { action: 'accept' })],
      ['an error result', (id) => engine.answer(id, '$elicit', { action: 'cancel' })],
      ['a failure', (id) => engine.answer(id, '$elicit', { action: 'decline' })],
      ['a cancellation', (id) => engine.cancel(id)],
      ['none yet', async () => undefined],
    ];
    for (const [how, end] of ends) {
      const origin = await engine.create();
      await engine.settle();
      await end(origin);
      await engine.settle();
      ran.take();
      const id = await engine.fork(origin, { from: { step: '$elicit' } });
      await engine.settle();
      expect(ran.take(), how).toEqual([]);
      await engine.answer(id, '$elicit', { action: 'accept' });
      await engine.settle();
      expect(await engine.value(id), how).toBe('accept');
    }
  });
});

describe('a fork of a task that runs', () => {
  it('goes on beside it', async () => {
    const [gate, arrived] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    let runs = 0;
    const engine = new Engine(async (context) => {
      await context.step('a', () => 'A');
      return context.step('b', () => {
        arrived.resolve('');
        return (runs += 1) === 1 ? gate.promise : 'second';
      });
    });
    const origin = await engine.create();
    const delivered = engine.deliver();
    await arrived.promise;
    // Nothing is recorded of the step yet, so that it cannot be named.
    await expect(engine.fork(origin, { from: { step: 'b' } })).rejects.toMatchObject({ code: 'UNKNOWN_STEP' });
    const id = await engine.fork(origin);
    await engine.deliver();
    expect(await engine.value(id)).toBe('second');
    gate.resolve('first');
    await delivered;
    expect(await engine.value(origin)).toBe('first');
  });
});

describe('a fork of a task that was continued as new', () => {
  it('is one of its present run; steps of the ones before are gone', async () => {
    const engine = new Engine(async (context, { page }) => {
      const read = await context.step(`page ${Number(page)}`, () => Number(page));
      const end = await context.step('end', () => read === 2);
      return end ? [read, end] : context.continueAsNew({ page: 2 });
    });
    const origin = await engine.create({ arguments: { page: 1 } });
    await engine.settle();
    const id = await engine.fork(origin, { from: { step: 'end' } });
    await engine.settle();
    expect(await engine.value(id)).toEqual([2, true]);
    const whole = await engine.fork(origin);
    expect((await engine.events(whole))[0]).toMatchObject({ type: 'TaskCreated', data: { arguments: { page: 2 } } });
    await expect(engine.fork(origin, { from: { step: 'page 1' } })).rejects.toMatchObject({
      code: 'UNKNOWN_STEP',
      message: 'The task has no step "page 1" since it was continued as new. It has recorded "page 2", "end".',
    });
  });
});

describe('a fork that loses its worker', () => {
  it('goes on after what it has of its origin and has recorded itself', async () => {
    const { engine, ran, origin } = await forked();
    let crash = (): void => undefined;
    const run = threeSteps(ran);
    engine.run = async (context, args) => {
      await context.step('a', () => expect.unreachable('it is recorded'));
      const b = await ran.step(context, 'b', () => `B ${args['topic'] as string}`);
      const c = await ran.step(context, 'c', () => (crash(), 'C'));
      return ['A', b, c];
    };
    const id = await engine.fork(origin, { from: { step: 'b' } });
    const job = await engine.crashing((now) => (crash = now));
    expect(ran.take()).toEqual(['b', 'c']);
    engine.run = run;
    await engine.redeliver(job);
    expect(ran.outside).toEqual([`${origin}:c`]);
    expect(await engine.value(id)).toEqual(['A', 'B tides', 'C']);
    expect(illegalities((await engine.events(id)).map((event) => ({ event })))).toEqual([]);
  });
});

describe('the owner of a fork', () => {
  it('is that of the origin, who finds it in the list, also if the origin was a plain call', async () => {
    const { engine, origin } = await forked({ implicit: true });
    const id = await engine.fork(origin);
    const { tasks } = await engine.service.list({ owner: 'ada' });
    expect(tasks.map(({ taskId }) => taskId)).toEqual([id]);
    expect(tasks[0]).toMatchObject({ ttlMs: 60_000, forkedFrom: { taskId: origin, version: 1 } });
  });

  it('has it counted among unfinished tasks, but no operator is refused for what was created in a minute', async () => {
    const { engine, origin } = await forked();
    const limits = { tasksPerMinute: 1, concurrentTasks: 2 };
    await engine.fork(origin, {}, limits);
    await engine.fork(origin, {}, limits);
    await expect(engine.fork(origin, {}, limits)).rejects.toMatchObject({ code: 'TOO_MANY_TASKS' });
  });

  it('gets no notification again that the origin had recorded when the step began', async () => {
    const engine = new Engine(async (context) => {
      context.log('info', 'begun');
      await context.step('a', () => 'A');
      context.log('info', 'half');
      await context.step('b', () => 'B');
      context.log('info', 'done');
    });
    const origin = await engine.create({ sessionId: 'session' });
    await engine.settle();
    const sent = async (id: TaskId) => {
      const { notifications } = await engine.service.takeNotifications(await engine.service.get(id, { owner: 'ada' }));
      return notifications.map(({ params }) => params['data']);
    };
    expect(await sent(origin)).toEqual(['begun', 'half', 'done']);
    const id = await engine.fork(origin, { from: { step: 'b' } });
    expect(await sent(id)).toEqual([]);
    await engine.settle();
    // Recorded after the start of the step, because it waits for no acknowledgement.
    expect(await sent(id)).toEqual(['half', 'done']);
  });

  it('whom nobody knows has what the origin has kept for itself', async () => {
    const engine = new Engine(async (context) => {
      await context.session.set('seen', 'by the origin');
      return context.step('again', async () => context.attempt).then(() => context.session.get('seen'));
    });
    const origin = await engine.create({ accounts: ['address:1'] });
    await engine.settle();
    const id = await engine.fork(origin, { from: { step: 'again' } });
    await engine.settle();
    expect(await engine.value(id)).toBe('by the origin');
  });
});

describe('a fork whose code has changed since', () => {
  it('is given back to the version that recorded its origin, with nothing done', async () => {
    const { engine, origin, ran } = await forked();
    engine.run = async (context) => ran.step(context, 'other', () => 'X');
    const id = await engine.fork(origin, { from: { step: 'c' } });
    await engine.deliver(engine.worker('new', { version: 'two' }));
    expect(ran.take()).toEqual([]);
    expect(await engine.outcome(id)).toBeUndefined();
    expect(await engine.store.parked.groups()).toMatchObject([{ tool: 'tool', asked: ['two'] }]);
  });
});

describe('a fork that cannot be made', () => {
  it('says that there is no such task', async () => {
    const { engine } = await forked();
    const missing = '00000000-0000-4000-8000-000000000000';
    for (const id of [missing, 'no id'])
      await expect(engine.fork(id as TaskId)).rejects.toMatchObject({
        code: 'TASK_NOT_FOUND',
        message: `There is no task "${id}", or it has expired.`,
      });
  });

  it('names the steps that there are', async () => {
    const { engine, origin } = await forked();
    await expect(engine.fork(origin, { from: { step: 'd' } })).rejects.toMatchObject({
      code: 'UNKNOWN_STEP',
      message: 'The task has no step "d". It has recorded "a", "b", "c".',
    });
    const many = new Engine(async (context) => {
      context.now();
      for (let step = 1; step <= 22; step++) await context.step('s', () => step);
    });
    const long = await many.create();
    await expect(many.fork(long, { from: { step: 'd' } })).rejects.toMatchObject({
      message: 'The task has no step "d". It has recorded none.',
    });
    await many.settle();
    await expect(many.fork(long, { from: { step: 'd' } })).rejects.toMatchObject({
      message: expect.stringMatching(/^The task has no step "d"\. It has recorded "s", "s:2", .*"s:20" and 2 more\.$/) as string,
    });
  });

  it('says that the history is gone', async () => {
    const { engine, origin } = await forked();
    const { events } = engine.store;
    const empty = { events: [], version: 0, isLast: true, historyBytes: 0 };
    Object.assign(events, { readPage: async () => empty });
    await expect(engine.fork(origin)).rejects.toMatchObject({
      code: 'HISTORY_GONE',
      message: `The events of task "${origin}" are gone: nothing can be made from it.`,
    });
  });
});
