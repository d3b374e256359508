/** Starts a Redis Cluster for a run: masters without replicas, each with an equal part of the slots. */
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../free-port.js';
import { type BenchRedis, startRedis } from './processes.js';

const SLOTS = 16_384;

/** How often a new cluster is asked whether it serves. */
const ASK_MS = 50;

/** Starts a cluster. @returns its masters, in the order of their slots */
export async function startRedisCluster(count: number): Promise<readonly BenchRedis[]> {
  const masters: BenchRedis[] = [];
  const busPorts: number[] = [];
  for (let at = 0; at < count; at++) {
    const busPort = await freePort();
    busPorts.push(busPort);
    masters.push(await startRedis(['--cluster-enabled', 'yes', '--cluster-port', String(busPort)]));
  }
  const [greeter] = masters;
  for (const [index, master] of masters.entries()) {
    const first = Math.ceil((index * SLOTS) / count);
    await master.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
    await master.call('CLUSTER', 'ADDSLOTSRANGE', first, Math.ceil(((index + 1) * SLOTS) / count) - 1);
    if (master !== greeter) await greeter?.call('CLUSTER', 'MEET', '127.0.0.1', new URL(master.url).port, busPorts[index] ?? 0);
  }
  for (const master of masters) while (!(await serves(master, count))) await wait(ASK_MS);
  return masters;
}

async function serves(master: BenchRedis, count: number): Promise<boolean> {
  const info = String(await master.call('CLUSTER', 'INFO'));
  return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${count}`);
}
