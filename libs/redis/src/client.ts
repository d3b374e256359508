import type { Cluster, Redis } from 'ioredis';

/** A connection, or a set of them to a Redis Cluster. */
export type RedisClient = Redis | Cluster;
