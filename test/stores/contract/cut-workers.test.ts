/** Tests how the death of a worker is noticed by its connection, on every store. */
import { randomBytes } from 'node:crypto';
import type { Store } from '@longhaul/sessions';
import { openSqliteStore } from '@longhaul/store-sqlite';
import { connectRedisStore } from '@longhaul/store-redis';
import type { RegisteredWorker, WorkerRegistry } from '@longhaul/tasks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTestRedis } from '../../support/redis.js';
import { TestFolder } from '../../support/test-folder.js';
import { waitUntil } from '../../support/wait-until.js';

/** Silence alone shows nothing within such a test. */
const workerTimes = { beatMs: 50, deadAfterMs: 12_000 };
const notices: string[] = [];
const common = { workerTimes, onError: () => undefined };

function newWorker(): RegisteredWorker {
  const workerId = randomBytes(4).toString('hex');
  return { workerId, version: '1', tools: [], lockToken: workerId, startedAt: 0, slots: 1 };
}

/** @returns opens a store again and again, in place of as many processes */
function onSqlite(): () => Promise<Store> {
  const folder = new TestFolder();
  onTestFinished(() => folder.remove());
  return () => openSqliteStore({ ...common, path: folder.dataFile });
}

function onRedis(login?: (url: URL) => void): () => ReturnType<typeof connectRedisStore> {
  const test = openTestRedis();
  onTestFinished(() => test.cleanUp());
  const url = new URL(test.url);
  login?.(url);
  const onNotice = (line: string): void => void notices.push(line);
  return () => connectRedisStore({ ...common, onNotice, url: url.href, prefix: test.prefix, role: 'worker' });
}

async function opened<S extends Store>(open: () => Promise<S>): Promise<S> {
  const store = await open();
  onTestFinished(() => store.close());
  return store;
}

async function deadOf(registry: WorkerRegistry, heir: RegisteredWorker): Promise<readonly string[]> {
  return (await registry.beat(heir)).dead.map(({ worker }) => worker.workerId);
}

describe.each([
  ['a data file', onSqlite],
  ['Redis', () => onRedis()],
])('on %s', (_name, storesOf) => {
  it('a worker whose process has ended is dead long before its silence shows it', async () => {
    const open = storesOf();
    const [store, heir, doomed] = [await opened<Store>(open), newWorker(), newWorker()];
    const ending = await open();
    await ending.workers.beat(doomed);
    expect(await deadOf(store.workers, heir)).toEqual([]);
    await ending.close();
    const isDead = async () => (await deadOf(store.workers, heir)).includes(doomed.workerId);
    await waitUntil(isDead, { description: 'its death is noticed' });
    expect(await store.workers.standing(doomed.workerId)).toBe('live');
    expect(await store.workers.forget(doomed.workerId)).toBe(true);
    expect(await store.workers.standing(doomed.workerId)).toBe('gone');
  });
});

it('a worker whose connection was cut, and that has another one, is not dead on Redis', async () => {
  const open = onRedis();
  const [store, other, heir, worker] = [await opened(open), await opened(open), newWorker(), newWorker()];
  const heard: boolean[] = [];
  other.workers.onConnection((isThere) => heard.push(isThere));
  await other.workers.beat(worker);
  await store.redis.call('CLIENT', 'KILL', 'ID', String(await other.redis.call('CLIENT', 'ID')));
  await waitUntil(() => heard.length === 2, { description: 'it has another connection' });
  expect(heard).toEqual([false, true]);
  await other.workers.beat(worker);
  await waitUntil(async () => (await store.workers.beat(heir)).silentMs > 0.4 * workerTimes.deadAfterMs, {
    description: 'it has been silent for so long that it would be dead without its connection',
  });
  expect(await deadOf(store.workers, heir)).toEqual([]);
});

it('says once that a Redis does not tell which clients are connected, and waits for silence', async () => {
  const admin = openTestRedis();
  onTestFinished(() => admin.cleanUp());
  const [user, password] = [`user-${randomBytes(4).toString('hex')}`, 'secret'];
  await admin.redis.call('ACL', 'SETUSER', user, 'on', `>${password}`, '~*', '&*', '+@all', '-client|list', '-client|id');
  onTestFinished(async () => void (await admin.redis.call('ACL', 'DELUSER', user)));
  const store = await opened(onRedis((url) => Object.assign(url, { username: user, password })));
  const worker = newWorker();
  for (let beats = 0; beats < 2; beats++) expect(await store.workers.beat(worker)).toMatchObject({ dead: [] });
  expect(notices).toEqual([expect.stringMatching(/^Redis does not say which clients are connected.*\+client\|list/)]);
});
