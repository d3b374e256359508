import { NO_VERSION } from '@longhaul/sessions/testing';
import { type JobDelivery, wholeMs } from '@longhaul/tasks';
import { DEFAULT_OWNER_LIMITS } from '@longhaul/tasks/limits';
import { newTaskId, TaskHistory } from '@longhaul/tasks/testing';
import { describe, expect, it } from 'vitest';
import { waitUntil } from '../../support/wait-until.js';
import { RedisStores } from '../support/redis-stores.js';

const ALICE = { owner: 'alice', limits: DEFAULT_OWNER_LIMITS };
const COLLECTION = { owner: { id: 'alice' }, name: 'things' };
const UNAVAILABLE = { name: 'TaskError', code: 'STORE_UNAVAILABLE' };

const redis = new RedisStores();

describe('an outage', () => {
  it('makes every call of a gateway fail while it lasts, and is over when Redis is back', async () => {
    const proxy = await redis.openProxy();
    const store = await redis.connect({ url: proxy.url });
    const task = new TaskHistory();
    await store.events.append(task.create());
    proxy.cut();
    await waitUntil(() => store.redis.status !== 'ready', { description: 'the outage is noticed' });
    const calls: (() => Promise<unknown>)[] = [
      () => store.events.append(task.fork().cancel()),
      () => store.events.read(task.taskId),
      () => store.events.views([task.taskId]),
      () => store.events.readOutcome(task.taskId),
      () => store.events.subscribe(task.taskId, () => undefined),
      () => store.index.register({ taskId: task.taskId, createdAt: 1 }, [ALICE]),
      () => store.index.unretired('alice', 1),
      () => store.index.claimKey('alice', 'key', { taskId: task.taskId, fingerprint: 'f' }, wholeMs(1)),
      () => store.sessionState.get('s', 'n'),
      () => store.sessionState.set('s', 'n', 1),
      () => store.sessionState.delete('s', 'n'),
      () => store.sessionState.clear('s'),
      () => store.ownerRecords.changesSince(COLLECTION, NO_VERSION),
      () => store.ownerRecords.apply(COLLECTION, { since: NO_VERSION, changes: [{ id: 'a', json: '1' }], maxBytes: 1_000 }),
      () => store.ownerRecords.keep('alice', wholeMs(1)),
      () => store.ownerRecords.clear('alice'),
      () => store.index.retire(['alice'], task.taskId, wholeMs(1)),
      () => store.index.page('alice', 1),
      () => store.index.forget('alice', [task.taskId]),
      () => store.index.keepKey('alice', 'key', task.taskId, wholeMs(1)),
      () => store.agenda.date(task.taskId, wholeMs(1)),
      () => store.agenda.take(0, 1, wholeMs(1)),
      () => store.agenda.settle({ shard: 0, taskIds: [], lease: 0.5, total: 0 }, new Map([[task.taskId, wholeMs(1)]])),
      () => store.agenda.ensure([task.taskId], 'all'),
      () => store.agenda.heal(),
      () => store.queue.add({ taskId: task.taskId, pass: 1 }, wholeMs(0)),
      () => store.queue.has([{ taskId: task.taskId, pass: 1, mayBeDelayed: true }]),
      () => store.queue.recover({ taskId: task.taskId, pass: 1 }),
      () => store.ping(),
    ];
    for (const call of calls) await expect(call(), call.toString()).rejects.toMatchObject(UNAVAILABLE);
    proxy.restore();
    await waitUntil(
      () =>
        store.ping().then(
          () => true,
          () => false,
        ),
      { description: 'Redis answers again' },
    );
    expect(await store.events.append(task.cancel())).toBe('appended');
  });

  it('makes an append of a gateway fail whose reply was lost, and does not send it again', async () => {
    const proxy = await redis.openProxy();
    const store = await redis.connect({ url: proxy.url });
    const task = new TaskHistory();
    // Whose first one reads the key of the tenant, where payloads are encrypted.
    await store.events.append(new TaskHistory().create());
    proxy.swallowReplies();
    const append = store.events.append(task.create());
    const failed = expect(append).rejects.toMatchObject(UNAVAILABLE);
    await waitUntil(async () => (await redis.test.redis.xlen(redis.keys.events(task.taskId))) === 1, {
      description: 'the append is written',
    });
    proxy.cut();
    await failed;
  });

  it('wakes every listener once when it is over, and they hear again', async () => {
    const proxy = await redis.openProxy();
    const [cutOff, other] = [await redis.connect({ url: proxy.url }), await redis.connect()];
    const [missed, quiet] = [new TaskHistory(), new TaskHistory()];
    const woken = { missed: 0, quiet: 0, left: 0 };
    await cutOff.events.subscribe(missed.taskId, () => (woken.missed += 1));
    await cutOff.events.subscribe(quiet.taskId, () => (woken.quiet += 1));
    const leave = await cutOff.events.subscribe(newTaskId(), () => (woken.left += 1));
    proxy.cut();
    await other.events.append(missed.create());
    leave();
    proxy.restore();
    await waitUntil(() => woken.missed > 0 && woken.quiet > 0, { description: 'both listeners are called' });
    expect(woken).toEqual({ missed: 1, quiet: 1, left: 0 });
    await other.events.append(missed.claim());
    await waitUntil(() => woken.missed === 2, { description: 'the next append is heard of' });
  });

  it('is sat out by a worker when it is short, and its append is written once though the reply was lost', async () => {
    const proxy = await redis.openProxy();
    const store = await redis.connect({ url: proxy.url, role: 'worker' });
    const task = new TaskHistory();
    await store.events.append(task.create());
    proxy.swallowReplies();
    const append = store.events.append(task.claim());
    await waitUntil(async () => (await redis.test.redis.xlen(redis.keys.events(task.taskId))) === 2, {
      description: 'the append is written',
    });
    proxy.cut();
    proxy.restore();
    expect(await append).toBe('appended');
    expect(await store.events.read(task.taskId)).toHaveLength(2);
  });

  it('ends for a waiting worker when Redis is back', async () => {
    const proxy = await redis.openProxy();
    const [cutOff, other] = [await redis.connect({ url: proxy.url, role: 'worker' }), await redis.connect()];
    let delivered = 0;
    await cutOff.consume(
      async () => {
        delivered += 1;
        return {};
      },
      { concurrency: 1 },
    );
    proxy.cut();
    await waitUntil(() => cutOff.redis.status === 'reconnecting', { description: 'the outage is noticed' });
    await other.queue.add({ taskId: newTaskId(), pass: 1 }, wholeMs(0));
    proxy.restore();
    await waitUntil(() => delivered === 1, { description: 'the job is delivered' });
  });
});

describe('a job that Redis gave out when the connection broke', () => {
  it('is delivered anew though its lock is held still, and what runs is left alone', async () => {
    const proxy = await redis.openProxy();
    const store = await redis.connect({ role: 'worker', url: proxy.url });
    const [runs, unheard] = [newTaskId(), newTaskId()];
    const deliveries: JobDelivery[] = [];
    let endFirst = (): void => undefined;
    const consumer = await store.consume(
      async (delivery) => {
        deliveries.push(delivery);
        if (delivery.job.taskId === runs) await new Promise<void>((resolve) => (endFirst = resolve));
        return {};
      },
      { concurrency: 5 },
    );
    await store.queue.add({ taskId: runs, pass: 1 }, wholeMs(0));
    await waitUntil(() => deliveries.length === 1, { description: 'one job runs' });
    proxy.cut();
    // The same as if the reply that gave it out had been lost.
    const jobs = `${redis.keys.queuePrefix()}:tasks`;
    const writer = await redis.connect();
    await writer.queue.add({ taskId: unheard, pass: 1 }, wholeMs(0));
    await redis.test.redis.lmove(`${jobs}:wait`, `${jobs}:active`, 'RIGHT', 'LEFT');
    await redis.test.redis.set(`${jobs}:${unheard}-1:lock`, `${consumer.lockToken}:99`, 'PX', 30_000);
    proxy.restore();
    await waitUntil(() => deliveries.length === 2, { description: 'the other job is delivered' });
    expect(deliveries[1]).toMatchObject({ job: { taskId: unheard, pass: 1 }, redelivered: true });
    expect(deliveries[0]?.signal.aborted).toBe(false);
    endFirst();
    await waitUntil(() => consumer.active === 0, { description: 'both jobs have ended' });
    expect(deliveries).toHaveLength(2);
  });
});
