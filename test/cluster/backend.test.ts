/** What the Redis backend does on a cluster, when nodes of it go away and come back, and when it is told wrong things. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectRedisBackend, type RedisBackend, type RedisBackendOptions } from '../../libs/tasks/src/backend-redis.js';
import { initialState } from '../../libs/tasks/src/domain/state.js';
import type { TaskId } from '../../libs/tasks/src/domain/task-id.js';
import { DEFAULT_OWNER_LIMITS } from '../../libs/tasks/src/service/create-task-service.js';
import { TaskWriter } from '../../libs/tasks/src/service/task-writer.js';
import { RedisKeys } from '../../libs/tasks/src/store/redis-keys.js';
import { ChaosRedis, freePort } from '../support/chaos-redis.js';
import { RedisCluster } from '../support/redis-cluster.js';
import { openTestRedis, type TestRedis } from '../support/redis.js';
import { newTaskId, taskData, TaskHistory } from '../support/task-history.js';
import { waitUntil } from '../support/wait-until.js';

const UNAVAILABLE = { name: 'TaskError', code: 'STORE_UNAVAILABLE' };

let cluster: RedisCluster;
let test: TestRedis;
let keys: RedisKeys;
const opened: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  cluster = await RedisCluster.start();
});
beforeEach(() => {
  test = openTestRedis(cluster.location);
  keys = new RedisKeys(test.prefix);
});
afterEach(async () => {
  for (const { close } of opened.splice(0).toReversed()) await close();
  await test.cleanUp();
});
afterAll(() => cluster.close());

async function connect(options: Partial<RedisBackendOptions> = {}): Promise<RedisBackend> {
  const { url, prefix } = test;
  const backend = await connectRedisBackend({ url, cluster: true, prefix, role: 'gateway', onError: () => undefined, ...options });
  opened.push(backend);
  return backend;
}

/** Ends a server; it is back at the latest when the test is over. */
async function kill(master: ChaosRedis): Promise<{ restart(): Promise<void> }> {
  await master.kill();
  let isBack = false;
  const restart = async (): Promise<void> => {
    if (isBack) return;
    isBack = true;
    await master.up();
    await cluster.allServe();
  };
  opened.push({ close: restart });
  return { restart };
}

async function aTask(fits: (taskId: TaskId) => Promise<boolean>): Promise<TaskHistory> {
  for (;;) {
    const taskId = newTaskId();
    if (await fits(taskId)) return new TaskHistory(taskId);
  }
}

/** A task that the master has. */
function taskAt(master: ChaosRedis): Promise<TaskHistory> {
  return aTask(async (taskId) => (await cluster.masterOf(keys.events(taskId))) === master);
}

/** A task that another one has. */
function taskBeside(master: ChaosRedis): Promise<TaskHistory> {
  return aTask(async (taskId) => (await cluster.masterOf(keys.events(taskId))) !== master);
}

function answers(call: () => Promise<unknown>): Promise<boolean> {
  return call().then(
    () => true,
    () => false,
  );
}

describe('connecting', () => {
  const start = (url: string, isCluster: boolean): Promise<unknown> =>
    connectRedisBackend({ url, cluster: isCluster, role: 'gateway', onError: () => undefined });

  it('needs to be told that a server is a node of a cluster', async () => {
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
    await expect(away).rejects.toThrow(/^Redis at redis:\/\/127\.0\.0\.1:1,127\.0\.0\.1:2 does not answer: .+$/);
    const refused = start(cluster.location.url.replaceAll('redis://', 'redis://nobody:secret@'), true);
    await expect(refused).rejects.toThrow(/^Redis at redis:\/\/[^@]+ refuses the connection: WRONGPASS.*$/);
  });

  it('fails with one line on a cluster that was never made', async () => {
    const lone = await ChaosRedis.start('everysec', ['--cluster-enabled', 'yes', '--cluster-port', String(await freePort())]);
    opened.push({ close: () => lone.close() });
    await expect(start(lone.url, true)).rejects.toThrow(/ has no slots yet: /);
  });

  it('names the master that may evict keys', async () => {
    const [, , third] = cluster.masters;
    await third?.client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    opened.push({ close: async () => void (await third?.client.config('SET', 'maxmemory-policy', 'noeviction')) });
    await expect(start(cluster.location.url, true)).rejects.toThrow(`127.0.0.1:${third?.port}: Redis may evict tasks`);
  });

  it('succeeds while another master than those of the URL is away', async () => {
    const third = cluster.masters[2]!;
    await kill(third);
    const backend = await connect();
    const task = await taskBeside(third);
    expect(await backend.events.append(task.create())).toBe('appended');
  });
});

describe('a master that is away', () => {
  it('makes every call of a gateway for its slots fail at once, and no other one', async () => {
    const [master] = cluster.masters;
    const backend = await connect();
    const [lost, kept] = [await taskAt(master!), await taskBeside(master!)];
    await backend.events.append(lost.create());
    const { restart } = await kill(master!);
    const startedAt = performance.now();
    for (let call = 0; call < 10; call++) {
      await expect(backend.events.append(lost.fork().cancel())).rejects.toMatchObject(UNAVAILABLE);
      await expect(backend.events.readOutcome(lost.taskId)).rejects.toMatchObject(UNAVAILABLE);
      await expect(backend.events.views([lost.taskId, kept.taskId])).rejects.toMatchObject(UNAVAILABLE);
    }
    expect(await backend.events.append(kept.create())).toBe('appended');
    await backend.ping();
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    await restart();
    await waitUntil(() => answers(() => backend.events.read(lost.taskId)), { timeoutMs: 3_000, description: 'its slots are served again' });
    expect(await backend.events.append(lost.cancel())).toBe('appended');
  });

  it('is sat out by a worker when it is short', async () => {
    const [master] = cluster.masters;
    const backend = await connect({ role: 'worker' });
    const task = await taskAt(master!);
    await backend.events.append(task.create());
    const { restart } = await kill(master!);
    const append = backend.events.append(task.claim());
    await restart();
    expect(await append).toBe('appended');
    expect(await backend.events.read(task.taskId)).toHaveLength(2);
  });

  it('keeps a task from being written whose intent cannot be noted', async () => {
    const master = await cluster.masterOf(keys.due(newTaskId()));
    const backend = await connect();
    const writer = new TaskWriter({ backend, clock: Date.now, onError: () => undefined });
    const { taskId } = await aTask(
      async (id) => (await cluster.masterOf(keys.due(id))) === master && (await cluster.masterOf(keys.events(id))) !== master,
    );
    await kill(master);
    const created = writer.write(taskId, { type: 'CreateTask', at: writer.now, task: taskData() }, initialState);
    await expect(created).rejects.toMatchObject(UNAVAILABLE);
    expect(await backend.events.read(taskId)).toEqual([]);
  });

  it('leaves those who wait for a task waiting, and wakes them when their subscription has moved', async () => {
    const [subscriber, writer] = [await connect(), await connect({ role: 'worker' })];
    const task = new TaskHistory();
    let woken = 0;
    await subscriber.events.subscribe(task.taskId, () => (woken += 1));
    const clients = await Promise.all(cluster.masters.map(({ client }) => client.client('LIST')));
    const at = clients.findIndex((list) => String(list).includes('sub=1'));
    const { restart } = await kill(cluster.masters[at]!);
    await waitUntil(() => woken === 1, { description: 'the listener is told that it may have missed something' });
    await restart();
    await writer.events.append(task.create());
    await waitUntil(() => woken === 2, { description: 'the listener hears of the append' });
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
    await gateway.queue.add({ taskId: newTaskId(), pass: 1 }, 0);
    await waitUntil(() => delivered.length === 1, { description: 'the first job is delivered' });
    const { restart } = await kill(master);
    await expect(gateway.queue.add({ taskId: newTaskId(), pass: 2 }, 0)).rejects.toMatchObject(UNAVAILABLE);
    await restart();
    await waitUntil(() => answers(() => gateway.queue.add({ taskId: newTaskId(), pass: 3 }, 0)), {
      timeoutMs: 3_000,
      description: 'jobs are taken up again',
    });
    await waitUntil(() => delivered.includes(3), { timeoutMs: 3_000, description: 'the later job is delivered' });
  });
});

describe('an outage of the whole cluster', () => {
  it('makes a gateway fail at once and a worker after five seconds, and is over when the cluster is back', async () => {
    const [gateway, worker] = [await connect(), await connect({ role: 'worker' })];
    const task = new TaskHistory();
    await gateway.events.append(task.create());
    const masters = await Promise.all(cluster.masters.map(kill));
    const startedAt = performance.now();
    const late = expect(worker.events.append(task.fork().claim())).rejects.toMatchObject(UNAVAILABLE);
    const calls: (() => Promise<unknown>)[] = [
      () => gateway.events.append(task.fork().cancel()),
      () => gateway.events.subscribe(task.taskId, () => undefined),
      () => gateway.index.register({ owner: 'alice', taskId: task.taskId, createdAt: 1, implicit: false }, DEFAULT_OWNER_LIMITS),
      () => gateway.index.unretired('alice', 1),
      () => gateway.index.claimKey('alice', 'key', { taskId: task.taskId, fingerprint: 'f' }, 1),
      () => gateway.sessionState.set('s', 'n', 1),
      () => gateway.intents.overdue(1, 1),
      () => gateway.queue.add({ taskId: task.taskId, pass: 1 }, 0),
      () => gateway.signals.publish('channel', 'message'),
      () => gateway.ping(),
    ];
    for (const call of calls) await expect(call(), call.toString()).rejects.toMatchObject(UNAVAILABLE);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    await late;
    expect(performance.now() - startedAt).toBeLessThan(7_000);
    await Promise.all(masters.map(({ restart }) => restart()));
    for (const backend of [gateway, worker])
      await waitUntil(() => answers(() => backend.ping()), { timeoutMs: 3_000, description: 'the cluster answers again' });
    expect(await worker.events.append(task.claim())).toBe('appended');
    expect(await gateway.events.append(task.cancel())).toBe('appended');
  });
});
