import { newTaskId, type SoughtJob } from '@longhaul/tasks/testing';
import type { RedisClient } from '@longhaul/redis';
import { expect, it } from 'vitest';
import { JobLookup } from './job-lookup.js';
import { RedisKeys } from './keys.js';

const keys = new RedisKeys('lh');
const AWAY = new Error('Connection is closed.');

/** Queues 0 and 1, which are the lanes `0` and `1`, of which one fails. */
function lookup({ queues = [0, 1], fails = 1, error = AWAY, present = [] as readonly string[] }) {
  const exists = async (...asked: string[]): Promise<number> => {
    if (asked[0]?.startsWith(`${keys.queuePrefix(fails)}:`)) throw error;
    return asked.filter((key) => present.some((id) => key.endsWith(id))).length;
  };
  const redis = { exists } as Pick<RedisClient, 'exists'>;
  return new JobLookup({ redis, keys, queues: { all: queues, of: (lane) => Number(lane) } });
}

const job = (lane: number): SoughtJob => ({ taskId: newTaskId(), pass: 1, lane: String(lane), mayBeDelayed: false });

it('counts a job as there while the queue that may have it is away, and only then', async () => {
  const [found, elsewhere, unknown] = [job(0), job(0), job(1)];
  const away = lookup({ present: [`${found.taskId}-1`] });
  // One that is not in its own queue may be in the one that is away.
  expect(await away.has([found, elsewhere, unknown])).toEqual([true, true, true]);
  const back = lookup({ fails: 2, present: [`${found.taskId}-1`] });
  expect(await back.has([found, elsewhere, unknown])).toEqual([true, false, false]);
});

it('says so when its only queue is away, or something else is wrong', async () => {
  await expect(lookup({ queues: [0], fails: 0 }).has([job(0)])).rejects.toBe(AWAY);
  const error = new TypeError('x is undefined');
  await expect(lookup({ error }).has([job(1)])).rejects.toBe(error);
});
