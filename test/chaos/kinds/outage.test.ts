/** Tests that Redis may be killed for 8 s and stopped for 30 s while clients of both protocol versions wait. */
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { KINDS } from '../../faults/support/waiting-requests.js';
import { waitUntil } from '../../support/wait-until.js';
import { freeze } from '../../support/chaos-process.js';
import type { Blow } from '../attack.js';
import type { Cluster } from '../cluster.js';
import { planTasks } from '../plan.js';
import type { Random } from '../random.js';
import { spread } from '../report.js';
import { describeChaos } from '../run.js';

const KILLED_MS = 8_000;
const STOPPED_MS = 30_000;
const PAUSE_MS = { least: 4_000, most: 8_000 };
/** Waiting requests of each kind at each gateway, for each outage. */
const EACH = 2;
/** How long after the return of Redis all of them have their results at the latest. */
const GO_ON_MS = 2_000;
const NOTES = join(tmpdir(), `longhaul-outage-notes-${process.pid}`);
const scale = { tasks: 300, seconds: 65, limitSeconds: 180 };

/** The result of a waiting request; times are epoch milliseconds. */
interface Waited {
  readonly id: string;
  readonly text: string;
  readonly at: number;
  /** When Redis was back. */
  readonly backAt: number;
}
const waited: Waited[] = [];

const noted = async (): Promise<readonly string[]> =>
  (await readFile(NOTES, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');

async function killed({ redis }: Cluster): Promise<void> {
  await redis.kill();
  await wait(KILLED_MS);
  await redis.up();
}

const OUTAGES = [
  { kind: 'Redis restart', ms: KILLED_MS, begin: killed },
  { kind: 'Redis stop', ms: STOPPED_MS, begin: ({ redis: { pid } }: Cluster) => freeze({ pid }, STOPPED_MS / 1_000) },
] as const;

async function attack(cluster: Cluster, random: Random): Promise<readonly Blow[]> {
  const blows: Blow[] = [];
  for (const { kind, ms, begin } of random.shuffled(OUTAGES)) {
    await wait(random.between(PAUSE_MS.least, PAUSE_MS.most));
    // They wake up while Redis is away: their rest must run when it is back.
    const requests = cluster.urls.flatMap((url, place) =>
      KINDS.flatMap((ask, of) =>
        Array.from({ length: EACH }, async (_, index) => {
          const id = `${kind} ${place} ${of} ${index}`;
          const text = await ask({ url }, { id, ms: random.between(4_000, ms - 1_000) }).catch(String);
          return { id, text, at: Date.now() };
        }),
      ),
    );
    const begun = async (): Promise<boolean> =>
      (await noted()).filter((line) => line.startsWith(kind) && line.endsWith('before')).length === requests.length;
    await waitUntil(begun, { timeoutMs: 30_000, description: 'every task sleeps' });
    await wait(1_000); // Every response has become a stream.
    const at = Date.now();
    await begin(cluster);
    const backAt = Date.now();
    blows.push({ kind, at, until: backAt, pid: 0 });
    for (const request of requests) waited.push({ ...(await request), backAt });
  }
  return blows;
}

const goneOn = (): readonly number[] => waited.map(({ at, backAt }) => Math.max(0, at - backAt));

afterAll(() => rm(NOTES, { force: true }));

describeChaos(
  {
    name: 'Outage',
    scale,
    patienceMs: 60_000,
    cluster: {
      features: [fileURLToPath(new URL('../../faults/processes/outage/features.ts', import.meta.url))],
      env: { OUTAGE_NOTES: NOTES, LOG_LEVEL: 'fatal' },
    },
    plan: planTasks,
    attack,
    more: () => [['waiting requests', `${spread(goneOn())}, from the return of Redis`]],
  },
  () => {
    it('has every waiting request of both protocol versions get its result, soon after the return', () => {
      expect(waited.map(({ id, text }) => `${id}: ${text}`)).toEqual(waited.map(({ id }) => `${id}: done ${id}`));
      expect(Math.max(...goneOn())).toBeLessThanOrEqual(GO_ON_MS);
    });

    it('runs each of their steps once', async () => {
      expect((await noted()).toSorted()).toEqual(waited.flatMap(({ id }) => [`${id} after`, `${id} before`]).toSorted());
    });
  },
);
