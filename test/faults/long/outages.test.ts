/** Tests healthy tasks that cannot reach Redis: no task is blamed for it. */
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { openTestRedis } from '../../support/redis.js';
import { SupervisedWorkers } from '../../support/supervised-workers.js';
import { openTcpProxy } from '../../support/tcp-proxy.js';
import { waitUntil } from '../../support/wait-until.js';

const FEATURES = fileURLToPath(new URL('../processes/poison/features.ts', import.meta.url));
const OUTAGE_MS = 8_000;
const PAUSE_MS = 3_000;
const MAX_MS = 90_000;

const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close();
});

describe('three outages of Redis within one step', () => {
  it('repeat nothing and fail nobody', { timeout: 2 * MAX_MS }, async () => {
    const redis = openTestRedis();
    const proxy = await openTcpProxy(redis.url);
    await redis.cleanUp();
    opened.push(proxy);
    const workers = await SupervisedWorkers.start({ workers: 2, features: FEATURES, redisUrl: proxy.url });
    opened.push(workers);
    const ms = 3 * (OUTAGE_MS + PAUSE_MS) + PAUSE_MS;
    const tasks = await Promise.all(Array.from({ length: 4 }, () => workers.create('steps', { count: 1, ms })));
    await waitUntil(async () => (await workers.noted()).length === 4, { description: 'all steps run' });
    for (let outage = 1; outage <= 3; outage++) {
      proxy.cut();
      await wait(OUTAGE_MS);
      proxy.restore();
      await wait(PAUSE_MS);
    }
    for (const task of tasks) expect(await workers.outcome(task, MAX_MS)).toMatchObject({ kind: 'result' });
    expect(await workers.noted()).toHaveLength(4);
    expect(workers.deaths).toEqual([]);
  });
});
