/** Tests how the order of waiting jobs is kept on Redis, beyond the contract of the queue. */
import { wholeMs } from '@longhaul/tasks';
import { defineScript } from '@longhaul/redis';
import { newTaskId } from '@longhaul/tasks/testing';
import { KEEP_FAIR } from '@longhaul/store-redis/testing';
import { describe, expect, it } from 'vitest';
import { RedisStores } from '../support/redis-stores.js';
import { waitUntil } from '../../support/wait-until.js';

const stores = new RedisStores();
const AT_ONCE = 500;

/** The keys of one test, and the script that keeps the order. */
function order(): Order {
  return new Order(`${stores.keys.queuePrefix()}:${newTaskId()}`);
}

class Order {
  readonly waiting: string;
  readonly lanes: string;
  readonly #keepFair = defineScript(stores.test.redis, KEEP_FAIR);

  constructor(private readonly queueKey: string) {
    this.waiting = `${queueKey}:wait`;
    this.lanes = `${queueKey}:lanes`;
  }

  /** As BullMQ adds them: the first of them is the first to be taken. */
  async add(jobs: Readonly<Record<string, string>>): Promise<void> {
    const { redis } = stores.test;
    const added = Object.entries(jobs).map(([id, data]) => [redis.hset(`${this.queueKey}:${id}`, { data }), redis.lpush(this.waiting, id)]);
    await Promise.all(added.flat());
  }

  /** BullMQ's note for jobs of a worker that has died. */
  async lose(ids: readonly string[]): Promise<void> {
    await Promise.all(ids.map((id) => stores.test.redis.hset(`${this.queueKey}:${id}`, { stc: '1' })));
  }

  keep(slots: number): Promise<{ isLine: boolean; isMore: boolean }> {
    const args = {
      jobPrefix: `${this.queueKey}:`,
      linePrefix: `${this.queueKey}:line:`,
      slots,
      atOnce: AT_ONCE,
      stepMs: 60_000,
      weight: 1,
    };
    const names = ['active', 'marker', 'jobs', 'last', 'turn', 'groups', 'weights'] as const;
    const keys = Object.fromEntries(names.map((name) => [name, `${this.queueKey}:${name}`])) as Record<(typeof names)[number], string>;
    return this.#keepFair({ ...keys, waiting: this.waiting, lanes: this.lanes }, args);
  }

  /** Until it says that a call was enough. */
  async keepAll(slots: number): Promise<void> {
    while ((await this.keep(slots)).isMore);
  }

  /** In the order in which they will be taken. */
  async waits(): Promise<string[]> {
    return (await stores.test.redis.lrange(this.waiting, 0, -1)).toReversed();
  }
}

const jobsOf = (lane: string, count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${lane}-${index}`, JSON.stringify({ lane })]));

describe('the order of waiting jobs', () => {
  it('is kept while thousands of jobs run and as many wait for them', async () => {
    const kept = order();
    await kept.add(jobsOf('many', 9_100));
    await kept.keepAll(9_000);
    await kept.add(jobsOf('one', 1));
    await stores.test.redis.ltrim(kept.waiting, 0, -3);
    await kept.keepAll(9_000);
    const waits = await kept.waits();
    expect(waits).toHaveLength(9_000);
    expect(waits.slice(-2).includes('one-0')).toBe(true);
    expect(waits.filter((id) => id.startsWith('many')).map((id) => Number(id.slice(5)))).toEqual(
      Array.from({ length: 8_999 }, (_, index) => index + 2),
    );
  });

  it('leaves jobs that were lost with a worker in front, and is kept behind them in a few calls, however many there are', async () => {
    const kept = order();
    const jobs = jobsOf('many', 1_700);
    await kept.add(jobs);
    const ids = Object.keys(jobs);
    await kept.lose(ids.slice(0, 1_200));
    let calls = 1;
    while (calls < 10 && (await kept.keep(2)).isMore) calls += 1;
    expect(calls).toBeLessThan(10);
    expect((await kept.waits()).toSorted()).toEqual(ids.slice(0, 1_200).toSorted());
    await stores.test.redis.ltrim(kept.waiting, 0, -1_200);
    await kept.keepAll(2);
    expect((await kept.waits()).slice(1)).toEqual([ids[1_200]]);
  });

  it('is kept with any data of a job that somebody else has added', async () => {
    const kept = order();
    await kept.add({ ...jobsOf('many', 3), odd: '{"lane":null}', none: 'null', broken: '{', list: '{"lane":[1]}', ...jobsOf('one', 1) });
    await kept.keepAll(1);
    const taken: string[] = [];
    while (taken.length < 8) {
      const [next] = await kept.waits();
      taken.push(next ?? '');
      await stores.test.redis.rpop(kept.waiting);
      await kept.keepAll(1);
    }
    expect(taken.toSorted()).toEqual(['broken', 'list', 'many-0', 'many-1', 'many-2', 'none', 'odd', 'one-0']);
    expect(await kept.waits()).toEqual([]);
  });

  it('is kept in short calls, however many lanes have nobody in line any more', async () => {
    const kept = order();
    const lanes = Array.from({ length: 2_000 }, (_, index) => [1, `lane ${index}`]).flat();
    await stores.test.redis.zadd(kept.lanes, ...lanes);
    expect(await kept.keep(2)).toMatchObject({ isLine: true, isMore: true });
    expect(await stores.test.redis.zcard(kept.lanes)).toBe(2_000 - AT_ONCE);
    await kept.keepAll(2);
    expect(await stores.test.redis.exists(kept.lanes)).toBe(0);
  });

  it('includes thousands of jobs, though nothing begins or ends', async () => {
    const { queue, consume } = await stores.connect();
    for (let added = 0; added < 6_000; added += 500)
      await Promise.all(Array.from({ length: 500 }, () => queue.add({ taskId: newTaskId(), pass: 1, lane: 'many' }, wholeMs(0))));
    let end = (): void => undefined;
    const running = new Promise<object>((resolve) => (end = () => resolve({})));
    await consume(() => running, { concurrency: 2 });
    const wait = `${stores.keys.queuePrefix()}:tasks:wait`;
    await waitUntil(async () => (await stores.test.redis.llen(wait)) < 6_000 - 2 * AT_ONCE, { description: 'jobs get into line' });
    await waitUntil(async () => (await stores.test.redis.llen(wait)) <= 2, { description: 'all are in line' });
    const { jobs, lanes, linePrefix } = stores.keys.fairOrder();
    await stores.test.redis.del(wait, jobs, lanes, `${linePrefix}many`);
    end();
  });
});

it('has a worker that runs out of jobs take what others have put into line', async () => {
  const { redis } = stores.test;
  const store = await stores.connect();
  const wait = `${stores.keys.queuePrefix()}:tasks:wait`;
  const { lanes, linePrefix } = stores.keys.fairOrder();
  const [rounds, each] = [6, 10];
  for (let added = 0; added < rounds * each; added++) await store.queue.add({ taskId: newTaskId(), pass: 1, lane: 'many' }, wholeMs(0));
  await redis.rename(wait, `${wait}-later`);
  const jobIds = await redis.lrange(`${wait}-later`, 0, -1);
  let delivered = 0;
  await store.consume(
    async () => {
      delivered += 1;
      return {};
    },
    { concurrency: 50 },
  );
  for (let round = 1; round <= rounds; round++) {
    const [first = '', ...others] = jobIds.splice(0, each);
    // The state that a worker without a free slot leaves behind.
    await redis
      .multi()
      .lpush(wait, first)
      .zadd(`${linePrefix}many`, ...others.flatMap((id, at) => [at, id]))
      .zadd(lanes, 0, 'many')
      .zadd(`${stores.keys.queuePrefix()}:tasks:marker`, 0, '0')
      .exec();
    await waitUntil(() => delivered === round * each, { description: `round ${round} is delivered` });
  }
  await redis.del(`${wait}-later`);
});
