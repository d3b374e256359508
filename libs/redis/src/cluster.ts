/**
 * Connections to a Redis Cluster: the same kinds as to one server, with the same promises. A node whose connection ends leaves the pool,
 * and the next command for its slots asks another node, which knows the new owner of the slots; so the first command after a failover
 * notices it. Two cases need extra work: the slots are asked for every few seconds, because a host may vanish without closing its
 * connections, and commands have a time limit while no node can be reached.
 */
import { Cluster, type ClusterOptions, Redis } from 'ioredis';
import type { ClusterAddress } from './address.js';
import { announceCommands } from './commands.js';
import {
  COMMAND_TIMEOUT_MS,
  CONNECT_TIMEOUT_MS,
  type ConnectionOptions,
  forJobs,
  forSubscriptions,
  reconnectDelay,
  type RedisRole,
} from './connection.js';
import { readTlsFiles } from './tls.js';
import { letScriptsFit } from './when-full.js';
import { coalesceWrites } from './write-coalescing.js';

type Options = Omit<ClusterOptions, 'redisOptions'> & { readonly redisOptions: ConnectionOptions };

const SLOTS_REFRESH_MS = 5_000;

/** Pause before a retry if the node is unreachable or says that the cluster is down. */
const RETRY_DELAY_MS = 250;

const patience = { retryDelayOnFailover: RETRY_DELAY_MS, retryDelayOnClusterDown: RETRY_DELAY_MS } satisfies ClusterOptions;

/** How commands behave if their node is unreachable. */
const WHEN_AWAY: Readonly<Record<RedisRole | 'jobs', ClusterOptions>> = {
  gateway: { retryDelayOnFailover: 0, retryDelayOnClusterDown: 0 },
  // An attempt takes up to two redirections, so this lasts about as long as the role's timeout.
  worker: { ...patience, maxRedirections: (2 * COMMAND_TIMEOUT_MS.worker) / RETRY_DELAY_MS },
  // Without a limit: a job must be taken and ended when Redis is back.
  jobs: { ...patience, maxRedirections: Number.MAX_SAFE_INTEGER },
};

/** A cluster client whose commands end at their timeout, also while no node can be reached. */
class BoundedCluster extends Cluster {
  constructor(
    address: ClusterAddress,
    options: Options,
    private readonly user: RedisRole,
  ) {
    super([...address.seeds], options);
  }

  override sendCommand(...args: Parameters<Cluster['sendCommand']>): unknown {
    const [command] = args;
    // The command timed out during the wait: it must not be written after its caller has continued.
    if (command.isSettled) return command.promise;
    if (this.status !== 'ready') {
      if (this.user === 'gateway') {
        command.reject(new Error("Cluster isn't ready"));
        return command.promise;
      }
      command.setTimeout(COMMAND_TIMEOUT_MS.worker);
    }
    return super.sendCommand(...args);
  }
}

/** The connections that the store, the index, the agenda and the queue's producer share. */
export function commandCluster(address: ClusterAddress, role: RedisRole): Cluster {
  const connection = { commandTimeout: COMMAND_TIMEOUT_MS[role], connectionName: `longhaul-${role}` };
  const cluster = new BoundedCluster(address, clusterOptions(address, role, connection), role);
  letScriptsFit(cluster);
  cluster.on('+node', coalesceWrites);
  cluster.on('+node', announceCommands);
  return cluster;
}

/** The connections that a BullMQ worker starts from; the worker duplicates them for its blocking commands. */
export function jobsCluster(address: ClusterAddress): Cluster {
  const cluster = new Cluster([...address.seeds], clusterOptions(address, 'jobs', forJobs));
  letScriptsFit(cluster);
  cluster.on('+node', coalesceWrites);
  cluster.on('+node', announceCommands);
  return cluster;
}

/**
 * The connection of all subscriptions: to one node, because nodes forward messages to each other. Each time it breaks, another node is
 * tried. (The subscriber in ioredis' cluster client moves as well, but reports it nowhere, and a listener must know that it may have missed
 * something.)
 *
 * @param cluster knows the nodes
 */
export function clusterSubscriber(cluster: Cluster, address: ClusterAddress, role: RedisRole): Redis {
  const subscriber = new Redis({
    ...nodeOptions(address),
    ...forSubscriptions,
    ...anyNode(cluster),
    connectionName: `longhaul-${role}-subscriber`,
    lazyConnect: true,
    retryStrategy: (attempt) => {
      Object.assign(subscriber.options, anyNode(cluster));
      return reconnectDelay(attempt);
    },
  });
  coalesceWrites(subscriber);
  // Without this check, a host that vanished would leave the subscriber deaf for the kernel's TCP timeout of minutes.
  cluster.on('-node', ({ options: { host, port } }: Redis) => {
    const isOurs = subscriber.options.host === host && subscriber.options.port === port;
    if (isOurs && subscriber.status === 'ready') subscriber.disconnect(true);
  });
  return subscriber;
}

/** A connection to the first seed alone, tried once: its error says more than the cluster's error. */
export function seedConnection(address: ClusterAddress): Redis {
  return new Redis({ ...nodeOptions(address), ...address.seeds[0], retryStrategy: () => null, lazyConnect: true });
}

/** A master, preferably one that answers; nothing when no master is known. */
function anyNode(cluster: Cluster): Partial<ClusterAddress['seeds'][number]> {
  const masters = cluster.nodes('master');
  const ready = masters.filter(({ status }) => status === 'ready');
  const candidates = ready.length > 0 ? ready : masters;
  const { host, port } = candidates[Math.floor(Math.random() * candidates.length)]?.options ?? {};
  return host === undefined || port === undefined ? {} : { host, port };
}

function clusterOptions(address: ClusterAddress, user: RedisRole | 'jobs', connection: ConnectionOptions): Options {
  return {
    ...WHEN_AWAY[user],
    redisOptions: { ...nodeOptions(address), ...connection },
    clusterRetryStrategy: reconnectDelay,
    slotsRefreshInterval: SLOTS_REFRESH_MS,
    // Whether the cluster serves is checked at the start and by each command; ioredis would wait silently.
    enableReadyCheck: false,
    // Host names are not resolved here, because a node's certificate is for its name.
    dnsLookup: (host, done) => done(null, host),
    lazyConnect: true,
  };
}

function nodeOptions({ username, password, tls, tlsFiles }: ClusterAddress): ConnectionOptions {
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls && { tls: tlsFiles === undefined ? {} : { ...readTlsFiles(tlsFiles) } }),
    connectTimeout: CONNECT_TIMEOUT_MS,
  };
}
