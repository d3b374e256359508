/** Tests workers that stand still for a time, and tasks that compute without a break: none of them is ended or blamed for it. */
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Blow } from '../attack.js';
import type { Cluster } from '../cluster.js';
import { type PlannedTask, planTasks, plainTask, type Scale } from '../plan.js';
import type { Random } from '../random.js';
import { describeChaos } from '../run.js';
import { endOfSlow } from './features.js';

const MAX_BLOCK_MS = 4_000;
/** Several may compute one after the other before the thread is free. */
const COMPUTE_MS = { least: 100, most: 800 };
const PAUSE_MS = { least: 300, most: 2_000 };
/** Shorter and longer than the silence after which others take the tasks, and than what a thread may be blocked. */
const STOP_SECONDS = { least: 1, most: 9 };
const scale = { tasks: 360, seconds: 60, limitSeconds: 180 };

/** One task of six computes. */
function plan(random: Random, { tasks, ...times }: Scale): readonly PlannedTask[] {
  return planTasks(random, { tasks, ...times }).map((task) => {
    const { n } = task.args;
    if (n % 6 !== 0) return task;
    return plainTask('compute', { n, ms: random.between(COMPUTE_MS.least, COMPUTE_MS.most) }, { at: task.at, ends: [endOfSlow(n)] });
  });
}

async function attack(cluster: Cluster, random: Random, seconds: number, signal: AbortSignal): Promise<readonly Blow[]> {
  const blows: Blow[] = [];
  const end = Date.now() + seconds * 1_000;
  while (!signal.aborted && Date.now() < end) {
    await wait(random.between(PAUSE_MS.least, PAUSE_MS.most));
    const targets = cluster.targets('worker');
    if (targets.length < 2) continue;
    const stop = random.between(STOP_SECONDS.least, STOP_SECONDS.most);
    const at = Date.now();
    blows.push({ kind: 'worker stop', at, until: at + stop * 1_000, pid: cluster.freeze(random.pick(targets), stop) });
  }
  await cluster.whole();
  return blows;
}

describeChaos(
  {
    name: 'Liveness',
    scale,
    cluster: {
      features: [fileURLToPath(new URL('./features.ts', import.meta.url))],
      workerEnv: { LONGHAUL_MAX_BLOCK_MS: String(MAX_BLOCK_MS) },
    },
    plan,
    attack,
  },
  (run) => {
    it('stops workers', () => {
      expect(run().blows).not.toEqual([]);
    });
  },
);
