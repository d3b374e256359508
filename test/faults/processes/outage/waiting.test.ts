/** Tests requests that wait for a task while Redis is away, over real processes and with the SDKs' own clients. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freeze } from '../../../support/chaos-process.js';
import { ChaosRedis } from '../../../support/chaos-redis.js';
import { Deployment, type Process } from '../../../support/deployment.js';
import { scaled } from '../../../support/scale.js';
import { waitUntil } from '../../../support/wait-until.js';
import { KINDS } from '../../support/waiting-requests.js';

/** Waiting requests of each kind at each gateway. */
const EACH = 3;

let redis: ChaosRedis;
let deployment: Deployment;
let gateways: readonly Process[];
let notes: string;

beforeAll(async () => {
  redis = await ChaosRedis.start();
  notes = join(redis.folder, 'notes');
  const env = { LONGHAUL_FEATURES: fileURLToPath(new URL('./features.ts', import.meta.url)), OUTAGE_NOTES: notes, LOG_LEVEL: 'fatal' };
  deployment = Deployment.create(env, { url: redis.url, cluster: false });
  gateways = await Promise.all([deployment.gateway(), deployment.gateway()]);
  await deployment.worker();
});
afterAll(async () => {
  await deployment.close();
  await redis.close();
});

const noted = async (): Promise<readonly string[]> =>
  (await readFile(notes, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');

interface Outage {
  readonly title: string;
  readonly awayMs: number;
  readonly outage: (ms: number) => Promise<void>;
}

const OUTAGES: readonly Outage[] = [
  { title: 'is killed and started 8 s later', awayMs: 8_000, outage: killed },
  ...scaled<Outage[]>(
    [],
    [
      { title: 'is killed and started 30 s later', awayMs: 30_000, outage: killed },
      { title: 'stands still for 30 s', awayMs: 30_000, outage: (ms) => freeze({ pid: redis.pid }, ms / 1_000) },
    ],
  ),
];

async function killed(ms: number): Promise<void> {
  await redis.kill();
  await pause(ms);
  await redis.up();
}

describe.each(OUTAGES)('while Redis $title', ({ title, awayMs, outage }) => {
  it('24 waiting requests of both protocol versions wait, and get their results when it is back', async () => {
    const results: { readonly id: string; readonly text: string; readonly at: number }[] = [];
    const wanted: string[] = [];
    const waiting = gateways.flatMap((gateway, place) =>
      KINDS.flatMap((wait, kind) =>
        Array.from({ length: EACH }, async (_, index) => {
          const id = `${title} ${place} ${kind} ${index}`;
          wanted.push(id);
          // They wake up while Redis is away: their rest must run when it is back.
          const text = await wait(gateway, { id, ms: awayMs - 2_000 }).catch(String);
          results.push({ id, text, at: performance.now() });
        }),
      ),
    );
    await waitUntil(
      async () =>
        wanted.length > 0 && (await noted()).filter((line) => line.startsWith(title) && line.endsWith(' before')).length === wanted.length,
      {
        description: 'every task has begun',
      },
    );
    await pause(1_000); // Every response has become a stream.
    await outage(awayMs);
    const backAt = performance.now();
    await Promise.all(waiting);

    expect(results.map(({ id, text }) => `${id}: ${text}`).toSorted()).toEqual(wanted.map((id) => `${id}: done ${id}`).toSorted());
    expect((await noted()).filter((line) => line.startsWith(title)).toSorted()).toEqual(
      wanted.flatMap((id) => [`${id} after`, `${id} before`]).toSorted(),
    );
    const lastMs = Math.max(...results.map(({ at }) => at)) - backAt;
    process.stdout.write(`waiting requests: all had their results ${lastMs.toFixed(0)} ms after the return of Redis, which ${title}\n`);
  });
});
