import { wholeMs } from '../domain/milliseconds.js';
import { describe, expect, it } from 'vitest';
import { Engine, type Run } from '../../../../test/support/engine.js';
import { override } from '../../../../test/support/override.js';
import type { TaskStore } from '../ports/task-store.js';
import type { TaskId } from '../domain/task-id.js';
import { TaskError } from '../errors.js';
import type { EventStore } from '../ports/event-store.js';

/** A store with a changed event store. */
const withEvents =
  (change: (events: EventStore) => Partial<EventStore>) =>
  (store: TaskStore): TaskStore => ({ ...store, events: override(store.events, change(store.events)) });

let crash: () => void = () => undefined;

/** A function that loses its process in its step, the first time. */
function crashingOnce(): Run {
  return async (context) =>
    context.step('work', () => {
      crash();
      crash = () => undefined;
      return 'done';
    });
}

describe('the sweep', () => {
  it('enqueues what a process left between the append and the queue', async () => {
    const engine = new Engine(
      async () => 'done',
      (store) => ({
        ...store,
        queue: { ...store.queue, add: (job, dueAt) => (lost-- > 0 ? Promise.reject(new Error('gone')) : store.queue.add(job, dueAt)) },
      }),
    );
    let lost = 1;
    const id = await engine.create();
    expect(engine.jobs).toHaveLength(0);
    expect(engine.errors).toHaveLength(1);
    await engine.sweep();
    expect(engine.jobs).toHaveLength(0);
    engine.now += 5_000;
    await engine.sweep();
    await engine.settle();
    expect(await engine.value(id)).toBe('done');
  });

  it('has every task go on whose job was lost after it was dispatched, more than a batch of them', async () => {
    const engine = new Engine(async (context) => context.sleep('short', 10));
    const ids: TaskId[] = [];
    for (let count = 0; count < 500; count++) ids.push(await engine.create({ implicit: count % 2 === 0 }));
    for (let delivered = 0; delivered < 100; delivered++) await engine.deliver();
    engine.jobs.length = 0;
    engine.now += 5_010;
    expect(await engine.sweep()).toBe(500);
    await engine.settle();
    expect(new Set(await Promise.all(ids.map((id) => engine.outcome(id).then((outcome) => outcome?.kind))))).toEqual(new Set(['result']));
    engine.now += 7_200_000;
    expect(await engine.sweep()).toBe(0);
  });

  it('recovers a pass that is recorded as running and has no job, and holds nothing against its task', async () => {
    const engine = new Engine(crashingOnce());
    const id = await engine.create();
    await engine.crashing((now) => (crash = now));
    expect(engine.jobs).toHaveLength(0);
    engine.now += 5_000;
    await engine.sweep();
    expect(engine.jobs).toMatchObject([{ job: { taskId: id, pass: 1 }, dueAt: 0, recovered: true }]);
    await engine.settle();
    expect(await engine.value(id)).toBe('done');
    const started = (await engine.events(id)).filter(({ type }) => type === 'PassStarted');
    expect(started).toMatchObject([{ data: { pass: 1, epoch: 1 } }, { data: { pass: 1, epoch: 2 } }]);
    expect(started[1]?.data).not.toHaveProperty('trial');
  });

  it('leaves a running pass alone whose job is there, and looks again after a period that grows with the number of tasks', async () => {
    let total = 1;
    const engine = new Engine(crashingOnce(), (store) => ({
      ...store,
      queue: { ...store.queue, has: async (jobs) => jobs.map(() => true) },
      agenda: override(store.agenda, {
        take: async (...args: Parameters<typeof store.agenda.take>) => ({ ...(await store.agenda.take(...args)), total }),
      }),
    }));
    await engine.create();
    await engine.crashing((now) => (crash = now));
    const pause = async (ms: number): Promise<number> => {
      engine.now += ms;
      return engine.sweep();
    };
    expect(await pause(5_000)).toBe(1);
    expect(await pause(9_999)).toBe(0);
    total = 100_000;
    expect(await pause(1)).toBe(1);
    expect(await pause(99_999)).toBe(0);
    expect(await pause(1)).toBe(1);
    expect(engine.jobs).toHaveLength(0);
  });

  it('keeps the index of a task that goes on for days', async () => {
    const kept: (readonly string[])[] = [];
    const engine = new Engine(
      async (context) => context.sleep('long', 5 * 24 * 3_600_000),
      (store) => ({ ...store, index: override(store.index, { keep: async (owners) => void kept.push(owners) }) }),
    );
    await engine.create();
    await engine.deliver();
    const lookAfter = async (ms: number): Promise<number> => {
      engine.now += ms;
      return engine.sweep();
    };
    expect(await lookAfter(3_600_000)).toBe(1);
    expect(kept).toEqual([]);
    expect(await lookAfter(12 * 3_600_000)).toBe(1);
    expect(kept).toEqual([['ada']]);
  });

  it('retires a task whose end was not noted, and then forgets it', async () => {
    // As on a cluster, where they are two steps.
    let lost = 1;
    const engine = new Engine(
      async () => 'done',
      withEvents((events) => ({
        append: async (request) => {
          const { retires, ...rest } = request;
          if (retires === undefined || lost-- <= 0) return events.append(request);
          await events.append(rest);
          throw new TaskError('STORE_UNAVAILABLE');
        },
      })),
    );
    await engine.create();
    await engine.deliver();
    expect(await engine.store.index.unretired('ada', 10)).toHaveLength(1);
    engine.now += 5_000;
    expect(await engine.sweep()).toBe(1);
    expect(await engine.store.index.unretired('ada', 10)).toEqual([]);
    engine.now += 7_200_000;
    expect(await engine.sweep()).toBe(0);
  });

  it('forgets a task that was never created, but not one that was dated meanwhile', async () => {
    const dated = crypto.randomUUID() as TaskId;
    const engine: Engine = new Engine(
      async () => 'done',
      withEvents((events) => ({
        views: async (taskIds) => {
          const views = await events.views(taskIds);
          await engine.store.agenda.date(dated, wholeMs(60_000));
          return views;
        },
      })),
    );
    for (const taskId of [dated, crypto.randomUUID() as TaskId]) await engine.store.agenda.date(taskId, wholeMs(0));
    expect(await engine.sweep()).toBe(2);
    engine.now += 59_999;
    expect(await engine.sweep()).toBe(0);
    engine.now += 1;
    expect(await engine.sweep()).toBe(1);
  });
});

describe('a task that cannot be looked at', () => {
  /** An engine in which the first task cannot be read; its events can, if `areEventsReadable`. */
  async function withUnreadable(areEventsReadable: boolean, error: Error = new SyntaxError('Unexpected end of JSON input')) {
    let unreadable: TaskId | undefined;
    const engine = new Engine(
      async () => 'done',
      withEvents((events) => ({
        views: (taskIds) => (unreadable !== undefined && taskIds.includes(unreadable) ? Promise.reject(error) : events.views(taskIds)),
        read: (taskId, after) => (taskId === unreadable && !areEventsReadable ? Promise.reject(error) : events.read(taskId, after)),
      })),
    );
    const first = await engine.create();
    const others = [await engine.create(), await engine.create()];
    unreadable = first;
    engine.jobs.length = 0;
    engine.now += 5_000;
    return { engine, first, others, mend: () => (unreadable = undefined) };
  }

  it('is set aside for ten minutes, reported once, and stops no other one', async () => {
    const { engine, first, others, mend } = await withUnreadable(false);
    expect(await engine.sweep()).toBe(3);
    expect(engine.jobs.map(({ job }) => job.taskId).sort()).toEqual(others.toSorted());
    await engine.settle();
    expect(engine.errors.map(String)).toEqual([
      `TaskSetAside: Task ${first} cannot be looked at and was set aside for 10 minutes (number 1 of this process): Unexpected end of JSON input`,
    ]);
    engine.now += 599_999;
    expect(await engine.sweep()).toBe(0);
    mend();
    engine.now += 1;
    expect(await engine.sweep()).toBe(1);
    await engine.settle();
    expect(await engine.value(first)).toBe('done');
  });

  it('goes on by its events when only its view cannot be read', async () => {
    const { engine, first } = await withUnreadable(true);
    await engine.sweep();
    expect(engine.jobs.map(({ job }) => job.taskId)).toContain(first);
    await engine.settle();
    expect(await engine.value(first)).toBe('done');
    expect(engine.errors).toEqual([]);
  });

  it.each(['STORE_UNAVAILABLE', 'STORE_FULL'] as const)('is not set aside when it is the store that cannot serve: %s', async (code) => {
    const { engine, first, mend } = await withUnreadable(false, new TaskError(code));
    await engine.sweep();
    expect(engine.errors).toMatchObject([{ code }]);
    await engine.settle();
    mend();
    engine.now += 10_000;
    expect(await engine.sweep()).toBe(1);
    await engine.settle();
    expect(await engine.value(first)).toBe('done');
  });
});
