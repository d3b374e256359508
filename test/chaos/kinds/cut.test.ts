/** Tests workers whose connections to Redis are cut again and again: none of them is taken for dead, because each connects again. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Blow } from '../attack.js';
import type { Cluster } from '../cluster.js';
import { planTasks } from '../plan.js';
import type { Random } from '../random.js';
import { type ChaosRun, describeChaos } from '../run.js';

const PAUSE_MS = { least: 100, most: 2_000 };
const minutes = Number(process.env['CHAOS_MINUTES'] ?? 1);
const scale = { tasks: 300 * minutes, seconds: 60 * minutes, limitSeconds: 60 * minutes + 120 };

/** Has Redis close all connections, or one of a worker. */
async function attack(cluster: Cluster, random: Random, seconds: number, signal: AbortSignal): Promise<readonly Blow[]> {
  const blows: Blow[] = [];
  const end = Date.now() + seconds * 1_000;
  const { client } = cluster.redis;
  while (!signal.aborted && Date.now() < end) {
    await wait(random.between(PAUSE_MS.least, PAUSE_MS.most));
    const listed = String(await client.call('CLIENT', 'LIST', 'TYPE', 'normal'));
    const ids = Array.from(listed.matchAll(/^id=(\d+) .*name=longhaul-worker /gm), ([, id]) => id ?? '');
    const at = Date.now();
    if (ids.length === 0 || random.next() < 0.5) await client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    else await client.call('CLIENT', 'KILL', 'ID', random.pick(ids));
    blows.push({ kind: 'connection cut', at, until: at, pid: 0 });
  }
  return blows;
}

/** Workers that others took for dead: none has died. */
function takenOver({ cluster }: ChaosRun): number {
  const logs = [0, 1, 2].map((worker) => readFileSync(join(cluster.folder.path, `worker-${worker}.log`), 'utf8'));
  return logs.join('').split('a worker is gone').length - 1;
}

describeChaos(
  { name: 'Cut connections', scale, plan: planTasks, attack, more: (run) => [['living workers taken over', String(takenOver(run))]] },
  (run) => {
    it('cuts connections, and no living worker is taken over', () => {
      expect(run().blows.length).toBeGreaterThan(scale.seconds / 4);
      expect(takenOver(run())).toBe(0);
    });
  },
);
