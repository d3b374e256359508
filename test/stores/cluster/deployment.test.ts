/** Tests real gateways and workers on a Redis Cluster, from outside. */
import type { TaskId } from '@longhaul/tasks';
import { gatewayKeys, RedisKeys } from '@longhaul/store-redis';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CallToolResultSchema, CreateTaskResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ChaosRedis } from '../../support/chaos-redis.js';
import { Deployment } from '../../support/deployment.js';
import { RedisCluster } from '../../support/redis-cluster.js';
import { waitUntil } from '../../support/wait-until.js';

const STAGES = ['Gathering sources', 'Analyzing content', 'Synthesizing findings', 'Generating report'];
const SLOW = { LONGHAUL_RESEARCH_STAGE_MS: '1000' };

let cluster: RedisCluster;
let deployment: Deployment;

beforeAll(async () => {
  cluster = await RedisCluster.start();
});
beforeEach(() => {
  deployment = // An account is at one master: while that is away, the number of its callers' requests is unknown.
    deployment = Deployment.create({ LONGHAUL_RESEARCH_STAGE_MS: '100', LONGHAUL_MAX_REQUESTS_PER_SECOND: '0' }, cluster.location);
});
afterEach(() => deployment.close());
afterAll(() => cluster.close());

async function startResearch(client: Client, args: { topic: string; ambiguous?: boolean }): Promise<TaskId> {
  const params = { name: 'simulate-research-query', arguments: args, task: {} };
  const { task } = await client.request({ method: 'tools/call', params }, CreateTaskResultSchema);
  return task.taskId as TaskId;
}

async function reportOf(client: Client, taskId: TaskId): Promise<string> {
  const result = await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
  return result.content.map((item) => (item.type === 'text' ? item.text : '')).join('');
}

/** The stages that are recorded, in order. */
async function stagesOf(taskId: TaskId): Promise<unknown[]> {
  const { redis, prefix } = deployment.redis;
  const entries = await redis.xrange(new RedisKeys(prefix).events(taskId), '-', '+');
  const completed = entries.filter(([, fields]) => fields[1] === 'StepCompleted');
  return completed.map(([, fields]) => (JSON.parse(fields[3] ?? '{}') as { key?: unknown }).key);
}

/** The status of an answer to a request of the client's session, sent without the client. */
async function ping(url: string, { transport }: Client): Promise<{ status: number; retryAfter: string | null }> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'mcp-session-id': transport?.sessionId ?? '' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
  await response.arrayBuffer();
  return { status: response.status, retryAfter: response.headers.get('retry-after') };
}

describe('a deployment on a Redis Cluster', () => {
  it('runs a task that asks its user to its report, over a worker that is killed in the middle of a stage', async () => {
    const gateway = await deployment.gateway();
    const doomed = await deployment.worker(SLOW);
    const answer = { action: 'accept', content: { interpretation: 'snake' } } as const;
    const client = await deployment.client(gateway.url, { elicitation: {} }, (prepared) =>
      prepared.setRequestHandler(ElicitRequestSchema, () => answer),
    );
    const taskId = await startResearch(client, { topic: 'python', ambiguous: true });
    const report = reportOf(client, taskId);
    await waitUntil(async () => (await stagesOf(taskId)).length === 2, { description: 'two stages are recorded' });
    await doomed.kill();
    await deployment.worker();
    expect(await report).toContain('(snake)');
    expect(await stagesOf(taskId)).toEqual(STAGES);
    expect(await deployment.redis.keysWithoutTtl()).toEqual([]);
  });

  it('lists the tasks of a session, and stops the work of a cancelled one', async () => {
    const gateway = await deployment.gateway();
    // Without that, its worker would not end before the stage does.
    const worker = await deployment.worker({ LONGHAUL_RESEARCH_STAGE_MS: '3600000', LONGHAUL_DRAIN_MS: '3600000' });
    const client = await deployment.client(gateway.url);
    const started: TaskId[] = [];
    for (const topic of ['tides', 'moons', 'stars']) started.unshift(await startResearch(client, { topic }));
    const { tasks } = await client.experimental.tasks.listTasks();
    expect(tasks.map(({ taskId }) => taskId)).toEqual(started);
    for (const taskId of started) expect(await client.experimental.tasks.cancelTask(taskId)).toMatchObject({ status: 'cancelled' });
    expect(await worker.stop()).toBe(0);
    expect(await gateway.stop()).toBe(0);
  });

  it('answers 503 to the sessions of a master that is away, serves the others, and serves all when it is back', async () => {
    const gateway = await deployment.gateway({ LOG_LEVEL: 'silent' });
    const keys = gatewayKeys(deployment.redis.prefix);
    const byMaster = new Map<ChaosRedis, Client>();
    while (byMaster.size < cluster.masters.length) {
      const client = await deployment.client(gateway.url);
      byMaster.set(await cluster.masterOf(keys.session(client.transport?.sessionId ?? '')), client);
    }
    const [[lost, ofLost], ...others] = [...byMaster] as [[ChaosRedis, Client], ...[ChaosRedis, Client][]];
    await lost.kill();
    // A gateway keeps a session for a second.
    await waitUntil(async () => (await ping(gateway.url, ofLost)).status === 503, { description: 'the session is read again' });
    for (let round = 0; round < 20; round++) {
      expect(await ping(gateway.url, ofLost)).toEqual({ status: 503, retryAfter: '1' });
      for (const [, client] of others) expect(await ping(gateway.url, client)).toMatchObject({ status: 200 });
    }
    expect((await fetch(new URL('/readyz', gateway.url))).status).toBe(200);
    await lost.up();
    await waitUntil(async () => (await ping(gateway.url, ofLost)).status === 200, {
      description: 'all are served again',
    });
    await deployment.worker();
    expect(await reportOf(ofLost, await startResearch(ofLost, { topic: 'tides' }))).toContain('# Research Report: tides');
  });
});
