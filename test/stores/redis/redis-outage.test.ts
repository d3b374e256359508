import { NO_VERSION } from '@longhaul/sessions/testing';
import { type JobDelivery, wholeMs } from '@longhaul/tasks';
import { DEFAULT_OWNER_LIMITS } from '@longhaul/tasks/limits';
import { newTaskId, TaskHistory } from '@longhaul/tasks/testing';
import { describe, expect, it } from 'vitest';
import { waitUntil } from '../../support/wait-until.js';
import { RedisBackends } from '../support/redis-backends.js';

const ALICE = { owner: 'alice', limits: DEFAULT_OWNER_LIMITS };
const COLLECTION = { owner: { id: 'alice' }, name: 'things' };
const UNAVAILABLE = { name: 'TaskError', code: 'STORE_UNAVAILABLE' };

const redis = new RedisBackends();

describe('an outage', () => {
  it('makes every call of a gateway fail while it lasts, and is over when Redis is back', async () => {
    const proxy = await redis.openProxy();
    const backend = await redis.connect({ url: proxy.url });
    const task = new TaskHistory();
    await backend.events.append(task.create());
    proxy.cut();
    await waitUntil(() => backend.redis.status !== 'ready', { description: 'the outage is noticed' });
    const calls: (() => Promise<unknown>)[] = [
      () => backend.events.append(task.fork().cancel()),
      () => backend.events.read(task.taskId),
      () => backend.events.views([task.taskId]),
      () => backend.events.readOutcome(task.taskId),
      () => backend.events.subscribe(task.taskId, () => undefined),
      () => backend.index.register({ taskId: task.taskId, createdAt: 1, implicit: false }, [ALICE]),
      () => backend.index.unretired('alice', 1),
      () => backend.index.claimKey('alice', 'key', { taskId: task.taskId, fingerprint: 'f' }, wholeMs(1)),
      () => backend.sessionState.get('s', 'n'),
      () => backend.sessionState.set('s', 'n', 1),
      () => backend.sessionState.delete('s', 'n'),
      () => backend.sessionState.clear('s'),
      () => backend.ownerRecords.changesSince(COLLECTION, NO_VERSION),
      () => backend.ownerRecords.apply(COLLECTION, { since: NO_VERSION, changes: [{ id: 'a', json: '1' }], maxBytes: 1_000 }),
      () => backend.ownerRecords.keep('alice', wholeMs(1)),
      () => backend.ownerRecords.clear('alice'),
      () => backend.index.retire(['alice'], task.taskId, wholeMs(1)),
      () => backend.index.page('alice', 1),
      () => backend.index.forget('alice', [task.taskId]),
      () => backend.index.keepKey('alice', 'key', task.taskId, wholeMs(1)),
      () => backend.agenda.date(task.taskId, wholeMs(1)),
      () => backend.agenda.take(0, 1, wholeMs(1)),
      () => backend.agenda.settle({ shard: 0, taskIds: [], lease: 0.5, total: 0 }, new Map([[task.taskId, wholeMs(1)]])),
      () => backend.agenda.ensure([task.taskId], 'all'),
      () => backend.agenda.heal(),
      () => backend.queue.add({ taskId: task.taskId, pass: 1 }, wholeMs(0)),
      () => backend.queue.has([{ taskId: task.taskId, pass: 1, mayBeDelayed: true }]),
      () => backend.queue.recover({ taskId: task.taskId, pass: 1 }),
      () => backend.ping(),
    ];
    for (const call of calls) await expect(call(), call.toString()).rejects.toMatchObject(UNAVAILABLE);
    proxy.restore();
    await waitUntil(
      () =>
        backend.ping().then(
          () => true,
          () => false,
        ),
      { description: 'Redis answers again' },
    );
    expect(await backend.events.append(task.cancel())).toBe('appended');
  });

  it('makes an append of a gateway fail whose reply was lost, and does not send it again', async () => {
    const proxy = await redis.openProxy();
    const backend = await redis.connect({ url: proxy.url });
    const task = new TaskHistory();
    // Whose first one reads the key of the tenant, where payloads are encrypted.
    await backend.events.append(new TaskHistory().create());
    proxy.swallowReplies();
    const append = backend.events.append(task.create());
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
    const backend = await redis.connect({ url: proxy.url, role: 'worker' });
    const task = new TaskHistory();
    await backend.events.append(task.create());
    proxy.swallowReplies();
    const append = backend.events.append(task.claim());
    await waitUntil(async () => (await redis.test.redis.xlen(redis.keys.events(task.taskId))) === 2, {
      description: 'the append is written',
    });
    proxy.cut();
    proxy.restore();
    expect(await append).toBe('appended');
    expect(await backend.events.read(task.taskId)).toHaveLength(2);
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
    const backend = await redis.connect({ role: 'worker', url: proxy.url });
    const [runs, unheard] = [newTaskId(), newTaskId()];
    const deliveries: JobDelivery[] = [];
    let endFirst = (): void => undefined;
    const consumer = await backend.consume(
      async (delivery) => {
        deliveries.push(delivery);
        if (delivery.job.taskId === runs) await new Promise<void>((resolve) => (endFirst = resolve));
        return {};
      },
      { concurrency: 5 },
    );
    await backend.queue.add({ taskId: runs, pass: 1 }, wholeMs(0));
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
