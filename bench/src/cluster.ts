/**
 * Measures the work of Redis for a task on one server and on a cluster, and its distribution over the masters: tasks of many owners that do
 * nothing. The machine has few cores, so rates say nothing here; the scripts of a task and the CPU time of each master do.
 */
import { McpClient } from './clients/mcp-client.js';
import { startDeployment, urlOf } from './deployment.js';
import { load } from './measure/load.js';
import { type BenchRedis, startRedis } from './measure/processes.js';
import { startRedisCluster } from './measure/redis-cluster.js';
import { readOptions } from './options.js';
import { machine } from './report.js';

const values = readOptions({ ms: 5_000, masters: 3 });
const MS = values.ms;
const MASTERS = values.masters;
/** Each client is an owner. */
const CLIENTS = 60;
const AT_ONCE = 60;
/** So few that jobs wait, as they do when the queue is the bottleneck. */
const SLOTS = 8;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** The work of a server for one task. */
interface Taken {
  readonly scripts: number;
  readonly micros: number;
}

async function takenOf(servers: readonly BenchRedis[]): Promise<readonly Taken[]> {
  return Promise.all(servers.map(async (server) => ({ scripts: (await server.scripts()).calls, micros: await server.cpu() })));
}

/** The work of each server for one task. */
async function takenOfTask(servers: readonly BenchRedis[], clients: readonly McpClient[]): Promise<readonly Taken[]> {
  let next = 0;
  const run = async (ms: number): Promise<number> => {
    const { count } = await load({ ms, concurrency: AT_ONCE }, async () => {
      const client = clients[(next += 1) % clients.length];
      await client?.resultOf((await client?.createTask('noop')) ?? '');
    });
    return count;
  };
  await run(MS / 4);
  const before = await takenOf(servers);
  const count = await run(MS);
  const after = await takenOf(servers);
  return after.map(({ scripts, micros }, index) => ({
    scripts: (scripts - (before[index]?.scripts ?? 0)) / count,
    micros: (micros - (before[index]?.micros ?? 0)) / count,
  }));
}

/** @param servers one, or the masters of a cluster */
async function measure(name: string, servers: readonly BenchRedis[]): Promise<void> {
  const [first, ...others] = servers as readonly [BenchRedis, ...BenchRedis[]];
  const settings = {
    LONGHAUL_REDIS_CLUSTER: others.length > 0 ? '1' : '0',
    LONGHAUL_WORKER_CONCURRENCY: String(SLOTS),
  };
  const deployment = await startDeployment({ workers: 2, gateways: 1 }, first, settings);
  try {
    const clients = await Promise.all(Array.from({ length: CLIENTS }, () => McpClient.connect(urlOf(deployment.gateways[0]), 2)));
    const each = await takenOfTask(servers, clients);
    const total = (of: keyof Taken): number => each.reduce((sum, taken) => sum + taken[of], 0);
    const shares = each.map(({ micros }) => `${((100 * micros) / total('micros')).toFixed(0)} %`).join(', ');
    say(`| ${name} | ${total('scripts').toFixed(1)} | ${total('micros').toFixed(0)} µs | ${shares} |`);
    for (const client of clients) client.close();
  } finally {
    await deployment.stop();
    for (const server of others) await server.stop();
  }
}

say(`${machine()}; ${AT_ONCE} tasks of ${CLIENTS} owners at once for ${MS} ms, two workers of ${SLOTS} slots\n`);
say('| Redis | scripts of a task | CPU of Redis | of which at each master |');
say('| --- | --- | --- | --- |');
await measure('one server', [await startRedis()]);
await measure(`a cluster of ${MASTERS} masters`, await startRedisCluster(MASTERS));
