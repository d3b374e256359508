/** Tests the Redis store on a cluster, when nodes of it go away and come back, and when its settings are wrong. */
import { freePort } from '@longhaul/bench/free-port';
import { connectRedisStore, type RedisStore, type RedisStoreOptions, RedisKeys } from '@longhaul/store-redis';
import { WebhookKeys } from '@longhaul/store-redis/testing';
import { type RegisteredWorker, type TaskId, wholeMs } from '@longhaul/tasks';
import { DEFAULT_OWNER_LIMITS } from '@longhaul/tasks/limits';
import { newTaskId, TaskHistory } from '@longhaul/tasks/testing';
import type { Cluster } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ChaosRedis } from '../../support/chaos-redis.js';
import { RedisCluster } from '../../support/redis-cluster.js';
import { openTestRedis, type TestRedis } from '../../support/redis.js';
import { waitUntil } from '../../support/wait-until.js';

const ALICE = { owner: 'alice', limits: DEFAULT_OWNER_LIMITS };
const UNAVAILABLE = { name: 'TaskError', code: 'STORE_UNAVAILABLE' };

let cluster: RedisCluster;
let test: TestRedis;
let keys: RedisKeys;
const opened: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  cluster = await RedisCluster.start();
  test = openTestRedis(cluster.location);
  keys = new RedisKeys(test.prefix);
});
afterEach(async () => {
  for (const { close } of opened.splice(0).toReversed()) await close();
});
afterAll(async () => {
  await test.cleanUp();
  await cluster.close();
});

async function connect(options: Partial<RedisStoreOptions> = {}): Promise<RedisStore> {
  const { url, prefix } = test;
  const store = await connectRedisStore({ url, cluster: true, prefix, role: 'gateway', onError: () => undefined, ...options });
  opened.push(store);
  return store;
}

/** Ends a server that can be started again, once. */
async function takeAway(master: ChaosRedis): Promise<() => Promise<void>> {
  await master.kill();
  let restarted: Promise<void> | undefined;
  return () => (restarted ??= master.up().then(() => cluster.allServe()));
}

/** Ends a server; it is back at the end of the test at the latest. */
async function kill(master: ChaosRedis): Promise<{ restart(): Promise<void> }> {
  const restart = await takeAway(master);
  opened.push({ close: restart });
  return { restart };
}

/** A task with a key of the given kind at the master. */
async function taskOf(key: (taskId: TaskId) => string, master: ChaosRedis): Promise<TaskHistory> {
  for (let attempt = 0; attempt < 1_000; attempt++) {
    const taskId = newTaskId();
    if ((await cluster.masterOf(key(taskId))) === master) return new TaskHistory(taskId);
  }
  throw new Error('This master has none of the keys.');
}

function answers(call: () => Promise<unknown>): Promise<boolean> {
  return call().then(
    () => true,
    () => false,
  );
}

describe('connecting', () => {
  const start = (url: string, isCluster: boolean): Promise<unknown> =>
    connectRedisStore({ url, cluster: isCluster, role: 'gateway', onError: () => undefined });

  it('needs the setting for a cluster when a server is a node of one', async () => {
    const url = cluster.masters[0]?.url ?? '';
    await expect(start(url, false)).rejects.toThrow(`Redis at ${url} is a node of a Redis Cluster: set LONGHAUL_REDIS_CLUSTER=1.`);
    await expect(start(cluster.location.url, false)).rejects.toThrow(/set LONGHAUL_REDIS_CLUSTER=1 for several nodes of a cluster\.$/);
  });

  it('fails with one line on a server that is no cluster', async () => {
    const { url } = openTestRedis();
    await expect(start(url, true)).rejects.toThrow(
      `Redis at ${url} is no cluster: unset LONGHAUL_REDIS_CLUSTER, or set REDIS_URL to nodes of one.`,
    );
  });

  it('fails with one line, without the password, when nobody answers or refuses', async () => {
    const away = start('redis://user:secret@127.0.0.1:1,127.0.0.1:2', true);
    await expect(away).rejects.toThrow(/^Redis at redis:\/\/127\.0\.0\.1:1,127\.0\.0\.1:2 does not answer: .*ECONNREFUSED.*$/);
    const refused = start(cluster.location.url.replaceAll('redis://', 'redis://nobody:secret@'), true);
    await expect(refused).rejects.toThrow(/^Redis at redis:\/\/[^@]+ refuses the connection: WRONGPASS.*$/);
  });

  it('fails with one line on a cluster that was never made', async () => {
    const lone = await ChaosRedis.start('everysec', ['--cluster-enabled', 'yes', '--cluster-port', String(await freePort())]);
    opened.push({ close: () => lone.close() });
    await expect(start(lone.url, true)).rejects.toThrow(/ names no master: /);
  });

  it('names the master that may evict keys', async () => {
    const [, , third] = cluster.masters;
    await third?.client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    opened.push({ close: async () => void (await third?.client.config('SET', 'maxmemory-policy', 'noeviction')) });
    await expect(start(cluster.location.url, true)).rejects.toThrow(`127.0.0.1:${third?.port}: Redis may evict tasks`);
  });
});

describe('a connected store', () => {
  it('leaves no connection when it is closed', async () => {
    const connections = async (): Promise<string[]> => {
      const lists = await Promise.all(cluster.masters.map(({ client }) => client.client('LIST')));
      return lists
        .join('')
        .split('\n')
        .filter((line) => /name=\S*(longhaul|test-)/.test(line));
    };
    const store = await connect({ role: 'worker' });
    await store.consume(async () => ({}), { concurrency: 1 });
    await store.events.subscribe(newTaskId(), () => undefined);
    expect((await connections()).length).toBeGreaterThan(cluster.masters.length);
    await store.close();
    await waitUntil(async () => (await connections()).length === 0, { description: 'its connections are gone' });
  });
});

describe('while a master is away', () => {
  let gateway: RedisStore;
  let lost: ChaosRedis;
  let restart: () => Promise<void>;
  let lostTask: TaskHistory;

  beforeAll(async () => {
    // Not one of the two in the URL.
    lost = cluster.masters[2]!;
    gateway = await connectRedisStore({ ...test, role: 'gateway', onError: () => undefined });
    lostTask = await taskOf((taskId) => keys.events(taskId), lost);
    await gateway.events.append(lostTask.create());
    restart = await takeAway(lost);
  });
  afterAll(async () => {
    await restart();
    await gateway.close();
  });

  it('every call of a gateway for its slots fails while it is away, and no other one', async () => {
    const kept = await taskOf((taskId) => keys.events(taskId), cluster.masters[0]!);
    for (let call = 0; call < 10; call++) {
      await expect(gateway.events.append(lostTask.fork().cancel())).rejects.toMatchObject(UNAVAILABLE);
      await expect(gateway.events.readOutcome(lostTask.taskId)).rejects.toMatchObject(UNAVAILABLE);
      await expect(gateway.events.views([lostTask.taskId, kept.taskId])).rejects.toMatchObject(UNAVAILABLE);
    }
    expect(await gateway.events.append(kept.create())).toBe('appended');
    await gateway.ping();
  });

  it('a gateway can be started, though the version of its keys is there', async () => {
    let { prefix } = test;
    while ((await cluster.masterOf(new RedisKeys(prefix).layout())) !== lost) prefix += 'a';
    const store = await connectRedisStore({ ...test, prefix, role: 'gateway', onError: () => undefined });
    const task = await taskOf((taskId) => new RedisKeys(prefix).events(taskId), cluster.masters[1]!);
    expect(await store.events.append(task.create())).toBe('appended');
    await store.close();
  });

  it('no task is written that cannot be dated', async () => {
    const isDatedThere = async (taskId: TaskId): Promise<boolean> => (await cluster.masterOf(keys.unfinished(taskId))) === lost;
    let task = await taskOf((taskId) => keys.events(taskId), cluster.masters[0]!);
    while (!(await isDatedThere(task.taskId))) task = await taskOf((taskId) => keys.events(taskId), cluster.masters[0]!);
    await expect(gateway.events.append({ ...task.create(), lookInMs: wholeMs(0) })).rejects.toMatchObject(UNAVAILABLE);
    expect(await gateway.events.views([task.taskId])).toEqual([undefined]);
  });

  it('is over for a gateway when the master is back', async () => {
    await restart();
    await waitUntil(() => answers(() => gateway.events.read(lostTask.taskId)), {
      description: 'its slots are served again',
    });
    expect(await gateway.events.append(lostTask.cancel())).toBe('appended');
  });
});

describe('a master that is away for a short time', () => {
  it('is sat out by a worker', async () => {
    const [master] = cluster.masters;
    const store = await connect({ role: 'worker' });
    const task = await taskOf((taskId) => keys.events(taskId), master!);
    await store.events.append(task.create());
    const { restart } = await kill(master!);
    const append = store.events.append(task.claim());
    await restart();
    expect(await append).toBe('appended');
    expect(await store.events.read(task.taskId)).toHaveLength(2);
  });

  it('leaves those who wait for a task waiting, and wakes them when their subscription has moved', async () => {
    const store = await connect();
    const tasks = await Promise.all(cluster.masters.map((master) => taskOf((taskId) => keys.events(taskId), master)));
    const woken = tasks.map(() => 0);
    for (const [index, { taskId }] of tasks.entries()) await store.events.subscribe(taskId, () => (woken[index]! += 1));
    const clients = await Promise.all(cluster.masters.map(({ client }) => client.client('LIST')));
    const lost = clients.findIndex((list) => String(list).includes(`sub=${tasks.length}`));
    await kill(cluster.masters[lost]!);
    await waitUntil(() => woken.every((count) => count === 1), {
      description: 'the listeners are called, as they may have missed something',
    });
    const kept = (lost + 1) % tasks.length;
    await store.events.append(tasks[kept]!.create());
    await waitUntil(() => woken[kept] === 2, { description: 'the listener hears of the append' });
  });
});

describe('the master of the queue', () => {
  it('ends nothing when it is away: jobs are taken soon after its return', async () => {
    const master = await cluster.masterOf(`${keys.queuePrefix()}:tasks:meta`);
    const [worker, gateway] = [await connect({ role: 'worker' }), await connect()];
    const delivered: number[] = [];
    await worker.consume(
      async ({ job }) => {
        delivered.push(job.pass);
        return {};
      },
      { concurrency: 5 },
    );
    await gateway.queue.add({ taskId: newTaskId(), pass: 1 }, wholeMs(0));
    await waitUntil(() => delivered.length === 1, { description: 'the first job is delivered' });
    const { restart } = await kill(master);
    await expect(gateway.queue.add({ taskId: newTaskId(), pass: 2 }, wholeMs(0))).rejects.toMatchObject(UNAVAILABLE);
    await restart();
    await waitUntil(() => answers(() => gateway.queue.add({ taskId: newTaskId(), pass: 3 }, wholeMs(0))), {
      description: 'jobs are taken up again',
    });
    await waitUntil(() => delivered.includes(3), { description: 'the later job is delivered' });
  });
});

describe('the master of the registry of workers', () => {
  /** Silence alone shows nothing within such a test. */
  const workerTimes = { beatMs: 50, deadAfterMs: 12_000 };
  const newWorker = (workerId: string): RegisteredWorker => {
    return { workerId, version: '1', tools: [], lockToken: workerId, startedAt: 0, slots: 1 };
  };

  it('says that the process of a worker has ended, and not that of one that has another connection', async () => {
    const master = await cluster.masterOf(keys.workersSeen());
    const open = () => connect({ role: 'worker', workerTimes });
    const [heir, cut, ending] = [await open(), await open(), await open()];
    const heard: boolean[] = [];
    cut.workers.onConnection((isThere) => heard.push(isThere));
    const [beating, living, doomed] = [newWorker('heir'), newWorker('cut'), newWorker('doomed')];
    await cut.workers.beat(living);
    const of = cut.redis as Cluster;
    const node = of.nodes('master').find(({ options: { port } }) => port === master.port);
    await master.client.call('CLIENT', 'KILL', 'ID', String(await node?.call('CLIENT', 'ID')));
    await waitUntil(
      async () => {
        await cut.workers.beat(living);
        return heard.at(-1) === true;
      },
      { description: 'it has another connection' },
    );
    expect(heard[0]).toBe(false);
    await cut.workers.beat(living);
    await ending.workers.beat(doomed);
    await ending.close();
    const deadOf = async (): Promise<string[]> => (await heir.workers.beat(beating)).dead.map(({ worker }) => worker.workerId);
    await waitUntil(async () => (await deadOf()).includes('doomed'), { description: 'its death is noticed' });
    expect(await deadOf()).toEqual(['doomed']);
    for (const workerId of ['doomed', 'heir', 'cut']) heir.workers.leave(workerId);
  });
});

describe('webhooks', () => {
  it('are due after the append that makes them due, also when it came while they were sent, and again when their date was lost', async () => {
    const { events, webhooks, agenda } = await connect({ role: 'worker' });
    const task = new TaskHistory();
    const told = ['task.input_required', 'task.completed'] as const;
    await events.append(task.create({ webhooks: [{ endpoint: 'crm', events: told }] }));
    await events.append(task.claim());
    await events.append(task.ask('city'));
    const taken = () =>
      waitUntil(async () => (await webhooks.take(10, wholeMs(60_000)))[0], { description: 'the recipient of the webhook is due' });
    const send = async (recipient: Awaited<ReturnType<typeof taken>>): Promise<string> => {
      const { version, record } = (await webhooks.first(recipient))!;
      await webhooks.record(recipient, { version, before: record, after: { ...record, tries: 1, ended: 'delivered' } });
      return record.event;
    };
    const first = await taken();
    expect(await send(first)).toBe('task.input_required');
    await events.append(task.complete());
    await webhooks.settle(first, undefined);
    const { pending } = new WebhookKeys(keys).recipients();
    await waitUntil(async () => (await test.redis.zcard(pending)) === 1, { description: 'the recipient has a date again' });
    await test.redis.del(pending);
    await waitUntil(
      async () => {
        await agenda.heal();
        return (await webhooks.count()).pending === 1;
      },
      { description: 'the walk has dated the recipient' },
    );
    const again = await taken();
    expect(await send(again)).toBe('task.completed');
    await webhooks.settle(again, undefined);
    expect(await webhooks.count()).toMatchObject({ pending: 0 });
  });
});

describe('an outage of the whole cluster', () => {
  it('makes gateways and workers fail while it lasts, and is over when the cluster is back', async () => {
    const [gateway, worker] = [await connect(), await connect({ role: 'worker' })];
    const task = new TaskHistory();
    await gateway.events.append(task.create());
    const masters = await Promise.all(cluster.masters.map(kill));
    const late = expect(worker.events.append(task.fork().claim())).rejects.toMatchObject(UNAVAILABLE);
    const calls: (() => Promise<unknown>)[] = [
      () => gateway.events.append(task.fork().cancel()),
      () => gateway.events.subscribe(task.taskId, () => undefined),
      () => gateway.index.register({ taskId: task.taskId, createdAt: 1 }, [ALICE]),
      () => gateway.index.unretired('alice', 1),
      () => gateway.index.claimKey('alice', 'key', { taskId: task.taskId, fingerprint: 'f' }, wholeMs(1)),
      () => gateway.sessionState.set('s', 'n', 1),
      () => gateway.agenda.take(0, 1, wholeMs(1)),
      () => gateway.agenda.heal(),
      () => gateway.webhooks.take(1, wholeMs(1)),
      () => gateway.webhooks.of(task.taskId),
      () => gateway.queue.add({ taskId: task.taskId, pass: 1 }, wholeMs(0)),
      () => gateway.signals.publish('channel', 'message'),
      () => gateway.ping(),
    ];
    for (const call of calls) await expect(call(), call.toString()).rejects.toMatchObject(UNAVAILABLE);
    await late;
    await Promise.all(masters.map(({ restart }) => restart()));
    for (const store of [gateway, worker]) await waitUntil(() => answers(() => store.ping()), { description: 'the cluster answers again' });
    expect(await worker.events.append(task.claim())).toBe('appended');
    expect(await gateway.events.append(task.cancel())).toBe('appended');
  });
});
