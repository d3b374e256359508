import { afterAll, beforeAll } from 'vitest';
import { checkContracts, redisAt } from '../support/stores.js';
import { RedisCluster } from '../../support/redis-cluster.js';

let cluster: RedisCluster;

beforeAll(async () => {
  cluster = await RedisCluster.start();
});
afterAll(() => cluster.close());

checkContracts(redisAt('a Redis Cluster', () => cluster.location));
