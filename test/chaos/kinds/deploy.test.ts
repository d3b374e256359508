/** Tests rolling restarts back and forth between two versions of the features, while tasks of both run. */
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Blow } from '../attack.js';
import type { Cluster } from '../cluster.js';
import { type PlannedTask, planTasks, plainTask, type Scale } from '../plan.js';
import type { Random } from '../random.js';
import { spread } from '../report.js';
import { type ChaosRun, describeChaos } from '../run.js';

const VERSIONS = ['old', 'new'] as const;
const PAUSE_MS = { least: 200, most: 1_500 };
/** From the creation of a task to the start of its first pass. */
const FOUND_MS = 2_000;
const scale = { tasks: 400, seconds: 60, limitSeconds: 150 };

const pathOf = (version: (typeof VERSIONS)[number]): string =>
  fileURLToPath(new URL(`../../fixtures/deploys/${version}.mjs`, import.meta.url));
const CHAOS = fileURLToPath(new URL('../features.ts', import.meta.url));
const featuresOf = (version: (typeof VERSIONS)[number]) => ({ LONGHAUL_FEATURES: [CHAOS, pathOf(version)].join(',') });

/** Every second task is of a tool that both versions have, or only the new one. */
function plan(random: Random, size: Scale): readonly PlannedTask[] {
  return planTasks(random, size).map((task) => {
    const { args, at } = task;
    if (args.n % 4 === 1) return plainTask('grown', args, { at, ends: [...VERSIONS] });
    if (args.n % 4 === 3) return plainTask('fresh', args, { at, ends: ['fresh'] });
    return task;
  });
}

/** The gateways and one worker keep the new version. */
async function attack(cluster: Cluster, random: Random, seconds: number, signal: AbortSignal): Promise<readonly Blow[]> {
  const blows: Blow[] = [];
  const end = Date.now() + seconds * 1_000;
  const [, ...rolled] = cluster.targets('worker');
  while (!signal.aborted && Date.now() < end)
    for (const slot of random.shuffled(rolled)) {
      await wait(random.between(PAUSE_MS.least, PAUSE_MS.most));
      const at = Date.now();
      const pid = await cluster.roll(slot, featuresOf(random.pick(VERSIONS)));
      blows.push({ kind: 'worker roll', at, until: Date.now(), pid });
    }
  return blows;
}

/** How long each task waited for a worker that fits. */
function waitsOf({ stored }: ChaosRun): readonly number[] {
  return [...stored.values()].flatMap(({ stream }) => {
    const created = stream[0]?.event.at;
    const started = stream.find(({ event }) => event.type === 'PassStarted')?.event.at;
    return created === undefined || started === undefined ? [] : [started - created];
  });
}

describeChaos(
  { name: 'Deploy', scale, cluster: { features: [pathOf('new')] }, plan, attack, more: (run) => [['found', spread(waitsOf(run))]] },
  (run) => {
    it('finds a worker for every task in time', () => {
      expect(Math.max(...waitsOf(run()))).toBeLessThanOrEqual(FOUND_MS);
    });

    it('ends tasks of both versions', () => {
      const ends = new Set(run().driven.tasks.map(({ end }) => end));
      for (const end of [...VERSIONS, 'fresh']) expect(ends).toContain(end);
    });
  },
);
