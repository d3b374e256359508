/** Several queues of one deployment: what they share. */
import type { RedisBackend, RedisBackendOptions } from '@longhaul/store-redis';
import { pauseName, wholeMs } from '@longhaul/tasks';
import { type Held, heldCount, holdDeliveries, newTaskId } from '@longhaul/tasks/testing';
import { queueNumbers } from '@longhaul/store-redis/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { SHORT_LOCK_TIMES } from '../support/backends.js';
import { add, laneOfEach, type LaneOfEach, QUEUES } from '../support/queue-lanes.js';
import { RedisBackends } from '../support/redis-backends.js';
import { waitUntil } from '../../support/wait-until.js';

const redis = new RedisBackends();
/** A lane of each queue, that of the first one first. */
let lanes: LaneOfEach;
let numbers: readonly number[];

beforeAll(() => {
  numbers = queueNumbers(redis.test.prefix, QUEUES);
  lanes = laneOfEach(numbers);
});

const connect = (options: Partial<RedisBackendOptions> = {}): Promise<RedisBackend> =>
  redis.connect({ queues: QUEUES, role: 'worker', ...options });

const laneOf = ({ delivery }: Held): string | undefined => delivery.job.lane;

describe('the jobs of a lane', () => {
  it('are in the queue of the lane', async () => {
    const backend = await connect();
    for (const [index, lane] of lanes.entries()) {
      const taskId = newTaskId();
      await backend.queue.add({ taskId, pass: 1, lane }, wholeMs(0));
      const prefix = redis.keys.queuePrefix(numbers[index]);
      expect(await redis.test.redis.exists(`${prefix}:tasks:${taskId}-1`), prefix).toBe(1);
    }
    await backend.consume(async () => ({}), { concurrency: 3 });
    await waitUntil(async () => (await backend.load.queue()).running + (await backend.load.queue()).waiting === 0, {
      description: 'all are done',
    });
  });
});

describe('the slots of a worker', () => {
  it.each([1, 2, 5])('are %i for all queues together, and all taken while anything waits in any', async (concurrency) => {
    const backend = await connect();
    for (const [index, lane] of lanes.entries()) await add(backend, lane, 4 + 8 * index);
    const { consumer, held } = await holdDeliveries(backend, concurrency);
    for (let ended = 0; ended < 36; ended++) {
      await heldCount(held, Math.min(36, ended + concurrency));
      expect(consumer.active).toBe(Math.min(36, ended + concurrency) - ended);
      held[ended]?.end();
    }
    await waitUntil(() => consumer.active === 0, { description: 'all have ended' });
  });

  it('are never exceeded, though jobs come to all queues at once while one is free', async () => {
    const backend = await connect();
    let [running, most, done] = [0, 0, 0];
    await backend.consume(
      async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise(setImmediate);
        running -= 1;
        done += 1;
        return {};
      },
      { concurrency: 2 },
    );
    for (let round = 1; round <= 40; round++) {
      await Promise.all(lanes.map((lane) => add(backend, lane, 1)));
      await waitUntil(() => done === 3 * round, { description: `round ${round} is done` });
    }
    expect(most).toBe(2);
  });

  it('of another worker are used, though a full one has heard of the job first', async () => {
    const [full, idle] = [await connect(), await connect()];
    const [first, second] = [await holdDeliveries(full, 1), await holdDeliveries(idle, 1)];
    for (let round = 0; round < 10; round++) {
      const before = first.held.length + second.held.length;
      await add(full, lanes[0], 1);
      await add(full, lanes[1], 1);
      await waitUntil(() => first.held.length + second.held.length === before + 2, { description: 'both workers run one' });
      for (const { held, consumer } of [first, second]) {
        held.at(-1)?.end();
        await waitUntil(() => consumer.active === 0, { description: 'it has ended' });
      }
    }
  });

  it('are shared by queues that all have jobs', async () => {
    const backend = await connect();
    for (const lane of lanes) await add(backend, lane, 30);
    const { held } = await holdDeliveries(backend, 6);
    const running = new Set<Held>();
    for (let taken = 0; taken < 60; taken++) {
      await heldCount(held, taken + 6);
      for (const delivery of held.slice(taken === 0 ? 0 : taken + 5)) running.add(delivery);
      if (taken >= 12)
        for (const lane of lanes) expect([...running].filter((one) => laneOf(one) === lane).length, lane).toBeGreaterThanOrEqual(1);
      const [oldest] = running;
      oldest?.end();
      if (oldest !== undefined) running.delete(oldest);
    }
    for (let ended = 0; ended < 90; ended++) {
      await heldCount(held, Math.min(90, Math.max(ended + 6, 66)));
      held[ended]?.end();
    }
  });

  it.each([1, 2])('come to a job of another queue within two passes of each of %i, however many a full queue has', async (concurrency) => {
    const backend = await connect();
    await add(backend, lanes[0], 60);
    const { held } = await holdDeliveries(backend, concurrency);
    const endFrom = async (first: number, until: number): Promise<void> => {
      for (let ended = first; ended < until; ended++) {
        await heldCount(held, Math.min(61, ended + concurrency));
        held[ended]?.end();
      }
    };
    await endFrom(0, 20);
    const before = 20 + concurrency;
    await heldCount(held, before);
    await add(backend, lanes[1], 1);
    await endFrom(20, 61);
    expect(held.findIndex((one) => laneOf(one) === lanes[1]) - before).toBeLessThan(2 * concurrency);
  });
});

describe('a worker that dies', () => {
  it('leaves its jobs in all queues to another one', async () => {
    const [dying, living] = [await connect(), await connect()];
    for (const lane of lanes.slice(0, 2)) await add(dying, lane, 1);
    const lost = await holdDeliveries(dying, 2);
    await heldCount(lost.held, 2);
    const other = await holdDeliveries(living, 5);
    expect(await other.consumer.recover(lost.consumer.lockToken, async () => false)).toBeUndefined();
    expect(await other.consumer.recover(lost.consumer.lockToken, async () => true)).toBe(2);
    await heldCount(other.held, 2);
    expect(new Set(other.held.map(laneOf))).toEqual(new Set(lanes.slice(0, 2)));
    for (const { delivery, end } of other.held) {
      expect(delivery).toMatchObject({ redelivered: true, lost: true });
      end();
    }
    await lost.consumer.close();
  });

  it('loses its locks in all queues when nobody hears of its death', async () => {
    const [dying, living] = [await connect({ lockTimes: SHORT_LOCK_TIMES }), await connect({ lockTimes: SHORT_LOCK_TIMES })];
    for (const lane of lanes.slice(1)) await add(dying, lane, 1);
    const lost = await holdDeliveries(dying, 2);
    await heldCount(lost.held, 2);
    await lost.consumer.close();
    const other = await holdDeliveries(living, 5);
    await heldCount(other.held, 2);
    for (const { end } of other.held) end();
  });

  it('takes nothing once it drains, and what comes then goes to another one', async () => {
    const [leaving, staying] = [await connect(), await connect()];
    const [left, stayed] = [await holdDeliveries(leaving, 5), await holdDeliveries(staying, 5)];
    await left.consumer.drain();
    for (const lane of lanes) await add(staying, lane, 1);
    await heldCount(stayed.held, 3);
    expect(left.held).toEqual([]);
    for (const { end } of stayed.held) end();
  });
});

describe('a pause', () => {
  it('is one of all queues: what is set aside in each waits, and is given back when it is over', async () => {
    const backend = await connect();
    const { pauses } = backend;
    await pauses.pause('tool');
    for (const lane of lanes) await add(backend, lane, 1);
    const { held } = await holdDeliveries(backend, 3);
    await heldCount(held, 3);
    for (const { end } of held) end({ pausedBy: pauseName('tool') });
    await waitUntil(async () => (await backend.load.queue()).running === 0, { description: 'all are set aside' });
    expect(await backend.load.queue()).toEqual({ waiting: 0, setAside: 3, delayed: 0, running: 0 });
    expect(await pauses.putBack(10)).toBe(0);
    await pauses.resume('tool');
    expect(await pauses.putBack(2)).toBe(3);
    expect(await pauses.putBack(2)).toBe(0);
    await heldCount(held, 6);
    for (const { end } of held.slice(3)) end();
  });

  it('that is over is over for all queues but one that fails', async () => {
    const backend = await connect();
    const { pauses } = backend;
    await pauses.pause('tool');
    for (const lane of lanes) await add(backend, lane, 1);
    const { held } = await holdDeliveries(backend, 3);
    await heldCount(held, 3);
    for (const { end } of held) end({ pausedBy: pauseName('tool') });
    await waitUntil(async () => (await backend.load.queue()).running === 0, { description: 'all are set aside' });
    const { setAside } = redis.keys.queuePauses(numbers[1]);
    await redis.test.redis.rename(setAside, `${setAside}-moved`);
    await redis.test.redis.set(setAside, 'no set');
    await pauses.resume('tool');
    await expect(pauses.putBack(10)).rejects.toThrow('WRONGTYPE');
    await heldCount(held, 5);
    expect(new Set(held.slice(3).map(laneOf))).toEqual(new Set([lanes[0], lanes[2]]));
    await redis.test.redis.rename(`${setAside}-moved`, setAside);
    expect(await pauses.putBack(10)).toBe(1);
    await heldCount(held, 6);
    for (const { end } of held.slice(3)) end();
  });

  it('that is over sets no job aside, also where a queue has not heard of its end', async () => {
    const backend = await connect();
    const { pauses } = backend;
    await pauses.pause('tool');
    await pauses.putBack(10);
    await pauses.resume('tool');
    await add(backend, lanes[1], 1);
    const { held } = await holdDeliveries(backend, 1);
    await heldCount(held, 1);
    held[0]?.end({ pausedBy: pauseName('tool') });
    // As each worker does once a second.
    await waitUntil(async () => (await pauses.putBack(10), held.length === 2), { description: 'it is delivered again' });
    held[1]?.end();
  });
});
