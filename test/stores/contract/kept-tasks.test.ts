/**
 * Tests an ended task that operators keep for longer than its client. For the client it is gone when its own time has passed, as if nothing
 * were kept.
 */
import { createTaskService, type KeepTimes, rowOf, type TaskStore, type TaskCreatedData, type TaskId } from '@longhaul/tasks';
import { taskData, TaskWriter } from '@longhaul/tasks/testing';
import { describe, expect, it } from 'vitest';
import { RedisStores } from '../support/redis-stores.js';
import { SqliteFiles } from '../support/sqlite-files.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
const ALICE = { owner: 'alice' };
const KEEP: KeepTimes = { endedMs: 0, failedMs: 7 * DAY_MS };

/** A store, and how to make it so late that the time of the task's client has passed. */
interface Opened {
  readonly store: TaskStore;
  readonly clock: () => number;
  passOwnTime(taskId: TaskId): Promise<void>;
}

const files = new SqliteFiles();
const redis = new RedisStores();

const stores: readonly (readonly [name: string, open: (keep: KeepTimes) => Promise<Opened>])[] = [
  [
    'SQLite',
    async (keep) => {
      const clock = (): number => Date.now() + files.ahead;
      return { store: await files.open({ keep }), clock, passOwnTime: async () => void (files.ahead = 2 * MINUTE_MS) };
    },
  ],
  [
    'Redis',
    async (keep) => {
      const passOwnTime = async (taskId: TaskId): Promise<void> => void (await redis.test.redis.pexpire(redis.keys.view(taskId), 0));
      return { store: await redis.connect({ keep }), clock: Date.now, passOwnTime };
    },
  ],
];

describe.each(stores)('an ended task on %s', (_, open) => {
  const setUp = async (keep: KeepTimes = KEEP) => {
    const opened = await open(keep);
    const { store, clock } = opened;
    const onError = (error: unknown): void => expect.unreachable(String(error));
    const service = createTaskService(store, { clock, onError });
    const writer = new TaskWriter({ store, clock, onError });
    const create = async (task: Partial<TaskCreatedData> = {}) => (await service.create(taskData({ ttlMs: MINUTE_MS, ...task }))).taskId;
    const fail = (taskId: TaskId) => {
      const error = { code: -32_603, message: 'no', data: { reason: 'MAX_RUN' } };
      return writer.write(taskId, { type: 'FailPermanently', at: clock(), error });
    };
    return { ...opened, service, create, fail };
  };

  it('is missing for its client when its own time is over, and there for operators if it failed', async () => {
    const { store, service, create, fail, passOwnTime } = await setUp();
    const taskId = await create({ idempotencyKey: 'once' });
    const view = await fail(taskId);
    expect(await service.get(taskId, ALICE)).toEqual(view);
    await passOwnTime(taskId);
    for (const read of [
      service.get(taskId, ALICE),
      service.getWithOutcome(taskId, ALICE),
      service.getOfCall(taskId, ALICE),
      service.cancel(taskId, ALICE),
    ])
      await expect(read).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    expect(await service.provideInput(taskId, 'key', () => ({ response: {} }), ALICE, { via: 'test' })).toBe(false);
    expect(await service.list(ALICE)).toEqual({ tasks: [] });
    await expect(create({ idempotencyKey: 'once' })).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_SPENT' });
    const { events, operators } = store;
    expect(await events.views([taskId])).toEqual([undefined]);
    expect(await events.views([taskId], 'operator')).toEqual([view]);
    expect(await events.readOutcome(taskId)).toBeUndefined();
    expect(await events.readOutcome(taskId, 'operator')).toMatchObject({ view, outcome: { kind: 'error', error: { message: 'no' } } });
    expect((await events.read(taskId)).map(({ type }) => type)).toEqual(['TaskCreated', 'TaskFailed']);
    expect((await events.readPage(taskId, 0, 1)).historyBytes).toBeGreaterThan(100);
    // By the store's clock, which is a little later.
    const { goneAt = 0, ...row } = rowOf(view);
    const { rows } = await operators.page({ owner: 'alice', reason: 'MAX_RUN' }, 10);
    expect(rows).toMatchObject([row]);
    expect(Math.abs((rows[0]?.goneAt ?? 0) - goneAt)).toBeLessThan(5_000);
  });

  it('counts against no limit of its owner any more', async () => {
    const { store, create, fail, passOwnTime } = await setUp();
    const taskId = await create({ owner: 'bob' });
    await fail(taskId);
    await passOwnTime(taskId);
    expect(await store.index.unretired('bob', 10)).toEqual([]);
    const limits = { concurrentTasks: 1, tasksPerMinute: 100, historyBytes: 1 };
    const next = { taskId: crypto.randomUUID() as TaskId, createdAt: Date.now() };
    expect(await store.index.register(next, [{ owner: 'bob', limits }])).toEqual({ verdict: 'registered' });
  });

  it('is never begun again', async () => {
    const { store, create, fail, passOwnTime } = await setUp();
    const taskId = await create({ owner: 'carol' });
    await fail(taskId);
    await passOwnTime(taskId);
    const again = createTaskService(store, { newTaskId: () => taskId, onError: () => undefined });
    await again.create(taskData({ owner: 'carol' })).catch(() => undefined);
    expect((await store.events.read(taskId)).map(({ type }) => type)).toEqual(['TaskCreated', 'TaskFailed']);
  });

  it('is gone for all when its own time is over, unless it failed or others are kept too', async () => {
    const { store, service, create, passOwnTime } = await setUp();
    const taskId = await create({ owner: 'dora' });
    await service.cancel(taskId, { owner: 'dora' });
    await passOwnTime(taskId);
    expect(await store.events.views([taskId], 'operator')).toEqual([undefined]);
    const keeping = await setUp({ endedMs: DAY_MS, failedMs: 0 });
    const kept = await keeping.create({ owner: 'dora' });
    await keeping.service.cancel(kept, { owner: 'dora' });
    await keeping.passOwnTime(kept);
    expect(await keeping.store.events.views([kept], 'operator')).toMatchObject([{ taskId: kept, keptMs: DAY_MS }]);
  });
});
