/** Connects a process to a Redis Cluster. */
import { type Cluster, Command } from 'ioredis';
import type { RedisAccess, RedisAccessOptions, RedisServer } from './access.js';
import { clusterAddress, redactedUrl } from './address.js';
import { clusterSubscriber, commandCluster, jobsCluster, seedConnection } from './cluster.js';
import { connected } from './connection.js';
import { serverProblem } from './server-check.js';
import { isAway } from './fault.js';

/** An unreachable node fails every command for it; one report in this time is enough. */
const NODE_ERROR_INTERVAL_MS = 1_000;

/**
 * Reaches a cluster. It serves as far as it can: an unreachable master fails only the commands for its slots.
 *
 * @throws Error with one line that says what to do: no node answers, the server is not a cluster, the cluster is down, or a master is unfit
 */
export async function accessCluster({ url, role, onError }: RedisAccessOptions): Promise<RedisAccess> {
  const address = clusterAddress(url);
  const cluster = await connected(commandCluster(address, role), url, onError).catch(async (error: unknown) => {
    const seed = await connected(seedConnection(address), url, () => undefined);
    seed.disconnect();
    throw error;
  });
  reportNodeErrors(cluster, onError);
  try {
    await requireFit(cluster, redactedUrl(url));
  } catch (error) {
    cluster.disconnect();
    throw error;
  }
  const reported = async (opening: Promise<Cluster>): Promise<Cluster> => {
    const another = await opening;
    reportNodeErrors(another, onError);
    return another;
  };
  return {
    redis: cluster,
    isOneServer: false,
    serverOf: (key) => masterOf(cluster, key),
    another: () => reported(connected(commandCluster(address, role), url, onError)),
    subscriber: () => connected(clusterSubscriber(cluster, address, role), url, onError),
    jobs: () => reported(connected(jobsCluster(address), url, onError)),
    memory: () => memoryOf(cluster),
    ping: () => requireServing(cluster),
  };
}

function masterOf(cluster: Cluster, key: string): RedisServer | undefined {
  const [name = ''] = cluster.slots[new Command('get', [key]).getSlot()] ?? [];
  const redis = cluster.nodes('master').find(({ options: { host, port } }) => `${host}:${port}` === name);
  return redis && { name, redis };
}

/** Also connects to every master, so that the first commands do not wait for it. */
async function requireFit(cluster: Cluster, shownUrl: string): Promise<void> {
  const masters = cluster.nodes('master');
  if (masters.length === 0)
    throw new Error(
      `The Redis Cluster at ${shownUrl} names no master: make it with redis-cli --cluster create, or set cluster-announce-ip.`,
    );
  await requireServing(cluster).catch((error: unknown) => {
    throw new Error(`The Redis Cluster at ${shownUrl} does not serve: ask redis-cli --cluster check.`, { cause: error });
  });
  await Promise.all(
    masters.map(async (master) => {
      const info = await master.info().catch((error: unknown) => {
        // An unreachable master is not checked when it comes back, and a master that joins later is not checked either.
        if (!isAway(error)) throw error;
      });
      const problem = info === undefined ? undefined : serverProblem(info);
      if (problem !== undefined) throw new Error(`${master.options.host}:${master.options.port}: ${problem}`);
    }),
  );
}

/** Resolves when one master says that the cluster serves. */
async function requireServing(cluster: Cluster): Promise<void> {
  const answers = cluster.nodes('master').map(async (master) => {
    const info = await master.cluster('INFO');
    if (!info.includes('cluster_state:ok')) throw new Error('CLUSTERDOWN The cluster is down');
  });
  try {
    await Promise.any(answers);
  } catch (error) {
    const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
    throw first ?? new Error("Cluster isn't ready");
  }
}

async function memoryOf(cluster: Cluster): Promise<readonly string[]> {
  const answers = await Promise.allSettled(cluster.nodes('master').map((master) => master.info('memory')));
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
}

function reportNodeErrors(cluster: Cluster, onError: (error: unknown) => void): void {
  const reportedAt = new Map<string, number>();
  cluster.on('node error', (error: unknown, node: string) => {
    const now = performance.now();
    if (now - (reportedAt.get(node) ?? Number.NEGATIVE_INFINITY) < NODE_ERROR_INTERVAL_MS) return;
    reportedAt.set(node, now);
    onError(new Error(`Redis node ${node} failed`, { cause: error }));
  });
}
