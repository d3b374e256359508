/** Connects a process to Redis: one server or a cluster. */
import type { Redis } from 'ioredis';
import { redactedUrl, type RedisUrl } from './address.js';
import { commandConnection, connected, jobsConnection, type RedisRole, subscriberConnection } from './connection.js';
import { type RedisClient } from './client.js';
import { serverProblem } from './server-check.js';

/** The options of a connection to Redis. */
export interface RedisAccessOptions {
  readonly url: RedisUrl;
  readonly role: RedisRole;
  /** Called with errors of the connections. */
  readonly onError: (error: unknown) => void;
}

/** One server, and the connection to it for commands. */
export interface RedisServer {
  /** The same in every process, if there are several servers. */
  readonly name: string;
  readonly redis: Redis;
}

/** A checked connection to Redis. The process that opens a connection closes it, the connection for commands last. */
export interface RedisAccess {
  /** The connection for commands. */
  readonly redis: RedisClient;
  /** Whether one script may use any keys together. */
  readonly isOneServer: boolean;
  /** The server that has the key now: undefined while no master of its slot is known. */
  serverOf(key: string): RedisServer | undefined;
  /** Another connection for commands, which do not wait behind the first one's. */
  another(): Promise<RedisClient>;
  /** A connection for subscriptions and nothing else. */
  subscriber(): Promise<Redis>;
  /** A connection for a BullMQ worker. */
  jobs(): Promise<RedisClient>;
  /** Replies of `INFO memory`, one for each master that answers. */
  memory(): Promise<readonly string[]>;
  /** Rejects when Redis cannot serve. */
  ping(): Promise<void>;
}

/**
 * Reaches a single server.
 *
 * @throws Error with one line that says what to do: it does not answer, refuses, is too old, may evict keys, or is a cluster's node
 */
export async function accessServer({ url, role, onError }: RedisAccessOptions): Promise<RedisAccess> {
  const redis = await connected(commandConnection(url, role), url, onError);
  try {
    const info = await redis.info();
    if (/^cluster_enabled:1/m.test(info))
      throw new Error(`Redis at ${redactedUrl(url)} is a node of a Redis Cluster: set LONGHAUL_REDIS_CLUSTER=1.`);
    const problem = serverProblem(info);
    if (problem !== undefined) throw new Error(problem);
  } catch (error) {
    redis.disconnect();
    throw error;
  }
  return {
    redis,
    isOneServer: true,
    serverOf: () => ({ name: '', redis }),
    another: () => connected(commandConnection(url, role), url, onError),
    subscriber: () => connected(subscriberConnection(url, role), url, onError),
    jobs: () => connected(jobsConnection(url), url, onError),
    memory: async () => [await redis.info('memory')],
    ping: async () => {
      await redis.ping();
    },
  };
}
