/** Tests a deployment while something else repeatedly fills its Redis, to the watermark, to its reserve or to the last byte. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import type { Blow } from '../attack.js';
import type { Cluster } from '../cluster.js';
import { planTasks } from '../plan.js';
import type { Random } from '../random.js';
import { describeChaos } from '../run.js';

const MAX_MIB = 64;
const MIB = 1_048_576;
const VALUE_BYTES = 100_000;
/** Values that are written at the same time. */
const WRITERS = 16;
/** The watermark, the reserve, and all of it. */
const SHARES = [0.87, 0.94, 1] as const;
const PAUSE_MS = { least: 1_000, most: 4_000 };
const HOLD_MS = { least: 2_000, most: 6_000 };
const scale = { tasks: 400, seconds: 45, limitSeconds: 180 };

async function usedShare(redis: Redis): Promise<number> {
  return Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1]) / (MAX_MIB * MIB);
}

/** Writes until that share is used, or nothing more is taken. @returns the keys */
async function fill(redis: Redis, share: number): Promise<readonly string[]> {
  const keys: string[] = [];
  const isFull = async (): Promise<boolean> => share < 1 && (await usedShare(redis)) >= share;
  while (!(await isFull())) {
    const batch = Array.from({ length: WRITERS }, (_, index) => `foreign:${keys.length + index}`);
    const written = await Promise.all(batch.map((key) => redis.set(key, 'x'.repeat(VALUE_BYTES)).catch(() => undefined)));
    keys.push(...batch.filter((_, index) => written[index] !== undefined));
    if (written.includes(undefined)) break;
  }
  return keys;
}

async function attack({ redis }: Cluster, random: Random, seconds: number, signal: AbortSignal): Promise<readonly Blow[]> {
  const blows: Blow[] = [];
  const end = Date.now() + seconds * 1_000;
  for (let shares: number[] = []; !signal.aborted && Date.now() < end;) {
    await wait(random.between(PAUSE_MS.least, PAUSE_MS.most));
    if (shares.length === 0) shares = random.shuffled(SHARES);
    const keys = await fill(redis.client, shares.pop() ?? 1);
    const at = Date.now();
    await wait(random.between(HOLD_MS.least, HOLD_MS.most));
    await redis.client.unlink(...keys);
    blows.push({ kind: 'Redis full', at, until: Date.now(), pid: 0 });
  }
  return blows;
}

describeChaos(
  {
    name: 'Full Redis',
    scale,
    cluster: { redis: ['--maxmemory', `${MAX_MIB}mb`], env: { LOG_LEVEL: 'fatal' } },
    plan: planTasks,
    attack,
  },
  (run) => {
    it('has requests refused meanwhile, all of which are taken in the end', () => {
      expect(run().blows.length).toBeGreaterThanOrEqual(SHARES.length);
      expect(run().driven.retries).toBeGreaterThan(0);
      expect(run().driven.tasks).toHaveLength(scale.tasks);
    });
  },
);
