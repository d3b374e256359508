import { afterAll, beforeAll } from 'vitest';
import { redisAt } from '../contract/backends.js';
import { checkContracts } from '../contract/contracts.js';
import { RedisCluster } from '../support/redis-cluster.js';

let cluster: RedisCluster;

beforeAll(async () => {
  cluster = await RedisCluster.start();
});
afterAll(() => cluster.close());

checkContracts(redisAt('a Redis Cluster', () => cluster.location));
