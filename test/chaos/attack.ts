/** Kills, stops and restarts for a given time, in the order that the seed says. */
import { setTimeout as wait } from 'node:timers/promises';
import type { ChaosRedis } from '../support/chaos-redis.js';
import type { Cluster } from './cluster.js';
import type { Random } from './random.js';

/** Something that was done to a process; times are epoch milliseconds. */
export interface Blow {
  readonly kind:
    | 'worker kill'
    | 'gateway kill'
    | 'worker stop'
    | 'worker roll'
    | 'Redis restart'
    | 'Redis stop'
    | 'Redis full'
    | 'server kill'
    | 'connection cut';
  readonly at: number;
  /** When a stopped worker went on, or Redis served again. */
  readonly until: number;
  /** Process id of the one that was hit; 0 for Redis. A server is one behind the proxy. */
  readonly pid: number;
}

/** Each round has these, in a new order. A Redis has a rhythm of its own, which leaves time to see workers die while it is up. */
const ROUND = [
  'worker kill',
  'worker kill',
  'worker kill',
  'worker kill',
  'gateway kill',
  'gateway kill',
  'gateway kill',
  'worker stop',
  'worker stop',
] as const;

const PAUSE_MS = { least: 400, most: 1_200 };
/** A Redis is away for half of the time, in which nothing else is hit: without one, as much rest lies between the blows. */
const PAUSE_WITHOUT_REDIS_MS = { least: 800, most: 2_400 };
/** Longer than the silence after which others take the tasks. */
const STOP_SECONDS = { least: 6, most: 9 };
const RESTART_EVERY_MS = { least: 10_000, most: 15_000 };
const OUTAGE_MS = { least: 0, most: 1_500 };

/** Attacks until the time is over or `signal` aborts; resolves when everything is up again. */
export async function attack(cluster: Cluster, random: Random, seconds: number, signal: AbortSignal): Promise<readonly Blow[]> {
  const blows: Blow[] = [];
  const end = Date.now() + seconds * 1_000;
  let round: (typeof ROUND)[number][] = [];
  const redis = cluster.hasRedis ? cluster.redis : undefined;
  let restartAt = Date.now() + random.between(RESTART_EVERY_MS.least, RESTART_EVERY_MS.most);
  const pause = redis === undefined ? PAUSE_WITHOUT_REDIS_MS : PAUSE_MS;
  while (!signal.aborted && Date.now() < end) {
    await wait(random.between(pause.least, pause.most));
    if (redis !== undefined && Date.now() >= restartAt) {
      blows.push(await restartRedis(redis, random));
      restartAt += random.between(RESTART_EVERY_MS.least, RESTART_EVERY_MS.most);
      continue;
    }
    if (round.length === 0) round = random.shuffled(ROUND);
    const blow = strike(cluster, random, round.pop() ?? 'worker kill');
    if (blow !== undefined) blows.push(blow);
  }
  await cluster.whole();
  return blows;
}

function strike(cluster: Cluster, random: Random, kind: (typeof ROUND)[number]): Blow | undefined {
  const targets = cluster.targets(kind === 'gateway kill' ? 'gateway' : 'worker');
  // One is left alive: with none, it would be the start of a process that is measured.
  if (targets.length < 2) return undefined;
  const target = random.pick(targets);
  const at = Date.now();
  if (kind !== 'worker stop') return { kind, at, until: at, pid: cluster.killAndReplace(target) };
  const seconds = random.between(STOP_SECONDS.least, STOP_SECONDS.most);
  return { kind, at, until: at + seconds * 1_000, pid: cluster.freeze(target, seconds) };
}

async function restartRedis(redis: ChaosRedis, random: Random): Promise<Blow> {
  const at = Date.now();
  await redis.kill();
  await wait(random.between(OUTAGE_MS.least, OUTAGE_MS.most));
  await redis.up();
  return { kind: 'Redis restart', at, until: Date.now(), pid: 0 };
}
