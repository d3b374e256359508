/**
 * Measures how long a search takes in a large graph, and the work of Redis for it. It runs with the long tests because it is a measurement.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChaosRedis } from '../../support/chaos-redis.js';
import { Deployment } from '../../support/deployment.js';

const SEARCHES = 40;
const ROUNDS = 5;
const AT_ONCE = 1_000;
/** Far enough below 10 ms. */
const USUAL_COMMAND_US = 5_000;

describe.each([
  { entities: 10_000, p95Ms: 50 },
  { entities: 100_000, p95Ms: 500 },
])('a graph of $entities entities and as many relations', ({ entities: count, p95Ms }) => {
  let redis: ChaosRedis;
  let deployment: Deployment;
  let client: Client;

  beforeAll(async () => {
    redis = await ChaosRedis.start();
    await redis.client.config('SET', 'slowlog-log-slower-than', 0);
    await redis.client.config('SET', 'slowlog-max-len', 10_000);
    const env = {
      LONGHAUL_FEATURES: '@longhaul/reference-servers/memory',
      LONGHAUL_TOKENS: 'ada:token-of-ada-00001',
      LONGHAUL_MEMORY_MAX_BYTES: String(256 * 1024 * 1024),
    };
    deployment = Deployment.create(env, { url: redis.url, cluster: false });
  });
  afterAll(async () => {
    await client.close();
    await deployment.close();
    await redis.close();
  });

  const connect = async (): Promise<void> => {
    const { url } = await deployment.gateway();
    client = new Client({ name: 'test', version: '1' });
    const headers = { authorization: 'Bearer token-of-ada-00001' };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  };
  const call = async (name: string, args: Record<string, unknown>): Promise<number> => {
    const startedAt = performance.now();
    const { isError, content } = await client.callTool({ name, arguments: args });
    expect(isError, JSON.stringify(content).slice(0, 200)).toBeUndefined();
    return performance.now() - startedAt;
  };

  it(`is searched within ${p95Ms} ms (p95), and the commands of Redis for it are short`, { timeout: 300_000 }, async () => {
    await connect();
    for (let from = 0; from < count; from += AT_ONCE) {
      const numbers = Array.from({ length: AT_ONCE }, (_, index) => from + index);
      const observations = (number: number) => [`The ${number}. one was noted on a day in autumn`, `It lives near number ${number % 977}`];
      const entities = numbers.map((number) => ({ name: `entity ${number}`, entityType: 'thing', observations: observations(number) }));
      await call('create_entities', { entities });
      const relations = numbers.map((number) => ({ from: `entity ${number}`, to: `entity ${number % 100}`, relationType: 'knows' }));
      await call('create_relations', { relations });
    }
    await client.close();
    await connect(); // A gateway that knows nothing of the graph.
    await redis.client.slowlog('RESET');
    await call('search_nodes', { query: 'no such thing' });
    const entries = (await redis.client.slowlog('GET', 10_000)) as [number, number, number, string[]][];
    const scriptsUs = entries.filter(([, , , [name = '']]) => name.toLowerCase() === 'evalsha').map(([, , us]) => us);
    const usual = scriptsUs.toSorted((a, b) => a - b)[Math.floor(scriptsUs.length / 2)] ?? Infinity;
    const p95s: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const searchesMs: number[] = [];
      for (let index = 0; index < SEARCHES; index++) searchesMs.push(await call('search_nodes', { query: `NUMBER ${900 + index}` }));
      p95s.push(searchesMs.toSorted((a, b) => a - b)[Math.floor(SEARCHES * 0.95)] ?? Infinity);
    }
    // Other work of the machine can make a round slower, never faster.
    const p95 = Math.min(...p95s);
    // Of a single one nothing can be said: the server may have had to wait for the processor.
    expect(usual).toBeLessThan(USUAL_COMMAND_US);
    expect(p95).toBeLessThan(p95Ms);
  });
});
