/**
 * Connections to Redis, one kind for each use. All of them try to reconnect for ever, at most one
 * second apart; they differ in what happens to commands meanwhile.
 */
import { type Cluster, Redis, type RedisOptions } from 'ioredis';

import { coalesceWrites } from './write-coalescing.js';

/** A connection, or a set of them to a Redis Cluster. */
export type RedisClient = Redis | Cluster;

/** Who uses the connections: a gateway answers people, a worker would rather wait than run a step again. */
export type RedisRole = 'gateway' | 'worker';

/** Where Redis is: `redis://`, `rediss://` (TLS), `unix:///path` or a plain path of a socket. */
export type RedisUrl = string;

/** Replies keep their RESP2 shape, which is what `Redis` without a type argument stands for. */
type Options = Omit<RedisOptions, 'replyMapping'>;

const MAX_RECONNECT_DELAY_MS = 1000;

const common: Options = {
  // The default of ioredis grows to 5 s and BullMQ's own to 20 s: a worker stood idle for 18 s after
  // Redis had come back (measured); with this cap it was 0.5 s.
  retryStrategy: (attempt) => Math.min(50 * 2 ** (attempt - 1), MAX_RECONNECT_DELAY_MS),
  // After a failover this address may be a replica: connect again to find the new primary.
  reconnectOnError: (error) => error.message.startsWith('READONLY'),
  connectTimeout: 5000,
  lazyConnect: true,
};

/** A gateway fails fast: the client gets an error that it can retry, not a request that hangs. */
const failFast: Options = {
  enableOfflineQueue: false,
  // Commands in flight when the connection breaks are rejected, not sent again.
  maxRetriesPerRequest: 0,
  commandTimeout: 2000,
};

/** A worker sits out a short interruption, because giving up means to run the pass and its open step again. */
const patient: Options = {
  // About 4.5 s with the delays above. Finite, so that no append is sent long after its caller gave up.
  maxRetriesPerRequest: 8,
  commandTimeout: 5000,
};

const forJobs: Options = {
  // BullMQ refuses blocking connections with another value: a job must be taken and ended whenever Redis is back.
  maxRetriesPerRequest: null,
  // Without it a half-open connection (host gone, no FIN) stalls the worker for the kernel's TCP timeout of
  // minutes. Longer than BullMQ's longest blocking command, 10 s.
  socketTimeout: 20_000,
};

/** The connection that the store, the index, the intents and the queue's producer share. */
export function commandConnection(url: RedisUrl, role: RedisRole): Redis {
  return connection(url, { ...(role === 'gateway' ? failFast : patient), connectionName: `longhaul-${role}` });
}

/** The connection of all subscriptions. `RedisSubscriptions` subscribes again itself, because it must know when that is done. */
export function subscriberConnection(url: RedisUrl, role: RedisRole): Redis {
  return connection(url, { ...failFast, autoResubscribe: false, connectionName: `longhaul-${role}-subscriber` });
}

/** The connection that a BullMQ worker starts from; the worker duplicates it for its blocking commands. */
export function jobsConnection(url: RedisUrl): Redis {
  return connection(url, { ...forJobs, connectionName: 'longhaul-worker-jobs' });
}

/** The address without user, password and query, for messages. */
export function redactedUrl(url: RedisUrl): string {
  if (!URL.canParse(url)) return url.split('?', 1)[0] ?? url;
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

/** Ends the connection after the commands that were sent, or at once when it is down. */
export async function closeConnection(client: RedisClient): Promise<void> {
  if (client.status !== 'ready') {
    client.disconnect();
    return;
  }
  await client.quit().catch(() => client.disconnect());
}

function connection(url: RedisUrl, options: Options): Redis {
  const path = url.startsWith('unix://') ? url.slice('unix://'.length) : url;
  const redis = new Redis(path, { ...common, ...options });
  coalesceWrites(redis);
  return redis;
}
