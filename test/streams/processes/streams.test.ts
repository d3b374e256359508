/** Tests the stock client of the SDK behind a proxy without stickiness, and gateways that die or are stopped. */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  type CallToolResult,
  CallToolResultSchema,
  CreateTaskResultSchema,
  ElicitRequestSchema,
  TaskStatusNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Deployment, type Process } from '../../support/deployment.js';
import { type RoundRobin, startRoundRobin } from '../../support/round-robin.js';
import { waitUntil } from '../../support/wait-until.js';

let deployment: Deployment;
let gateways: Process[];
let proxy: RoundRobin;

let worker: Process;

beforeAll(async () => {
  deployment = Deployment.create({ LONGHAUL_RESEARCH_STAGE_MS: '50' });
  [worker, ...gateways] = await Promise.all([deployment.worker(), deployment.gateway(), deployment.gateway()]);
  proxy = await startRoundRobin([]);
});
beforeEach(async () => {
  // The processes that the previous test has ended.
  gateways = await Promise.all(gateways.map(async (gateway) => (gateway.runs() ? gateway : deployment.gateway())));
  proxy.targets = gateways.map(({ url }) => url);
});
afterEach(async () => {
  await deployment.closeClients();
  expect(await deployment.store.leftForEver()).toEqual([]);
});
afterAll(async () => {
  await proxy.close();
  await deployment.close();
});

const textOf = ({ content }: CallToolResult): string => content.map((item) => (item.type === 'text' ? item.text : '')).join('');

/** Starts an ambiguous research, which will ask. */
async function startResearch(client: Client): Promise<string> {
  const { task } = await client.request(
    { method: 'tools/call', params: { name: 'simulate-research-query', arguments: { topic: 'tides', ambiguous: true }, task: {} } },
    CreateTaskResultSchema,
  );
  return task.taskId;
}

/** The gateway that holds the stream of the question: its end breaks the stream. */
async function claimantOf(taskId: string): Promise<Process> {
  const pid = await deployment.store.askedBy(taskId);
  const found = gateways.find(({ child }) => child.pid === pid);
  if (found === undefined) throw new Error('no gateway has asked');
  return found;
}

describe('a client that waits for a result with a question pending', () => {
  it('gets the rest from another gateway when its own is killed, and is asked once', async () => {
    const asked: string[] = [];
    const answer = Promise.withResolvers<void>();
    const client = await deployment.client(proxy.url, { elicitation: {} }, (prepared) =>
      prepared.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
        asked.push(params.message);
        await answer.promise;
        return { action: 'accept', content: { interpretation: 'historical' } };
      }),
    );
    const taskId = await startResearch(client);
    const result = client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
    await waitUntil(() => asked.length === 1, { description: 'the client is asked' });
    const dead = await claimantOf(taskId);
    await dead.kill();
    answer.resolve();

    expect(textOf(await result)).toContain('(historical)');
    expect(asked).toHaveLength(1);
  });

  it('is asked by the other gateway when the first one is killed before the task asks', async () => {
    await worker.stop();
    const asked: string[] = [];
    const client = await deployment.client(proxy.url, { elicitation: {} }, (prepared) =>
      prepared.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        asked.push(params.message);
        return { action: 'accept', content: { interpretation: 'current' } };
      }),
    );
    const taskId = await startResearch(client);
    const events: string[] = [];
    const result = client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema, {
      onresumptiontoken: (eventId) => void events.push(eventId),
    });
    // A client that has not yet seen an event has nothing to resume after.
    await waitUntil(() => events.length > 0, { description: 'the client can resume' });
    const pid = await waitUntil(() => deployment.store.servedBy(taskId), { description: 'the waiting request is on a stream' });
    await gateways.find(({ child }) => child.pid === pid)?.kill();
    worker = await deployment.worker();

    expect(textOf(await result)).toContain('(current)');
    expect(asked).toHaveLength(1);
  });
});

describe('gateways that are replaced one after the other', () => {
  it('lose no waiting request and no notification of a stock client', async () => {
    // Their ends come when all gateways are others.
    await worker.stop();
    const statuses: string[] = [];
    const client = await deployment.client(proxy.url, {}, (prepared) =>
      prepared.setNotificationHandler(TaskStatusNotificationSchema, ({ params }) => void statuses.push(params.status)),
    );
    await client.listTools();
    const call = client.callTool({ name: 'trigger-long-running-operation', arguments: { duration: 4, steps: 8 } });
    const taskId = (
      await client.request(
        { method: 'tools/call', params: { name: 'simulate-research-query', arguments: { topic: 'tides' }, task: {} } },
        CreateTaskResultSchema,
      )
    ).task.taskId;
    const result = client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
    for (const old of gateways.slice()) {
      const replacement = await deployment.gateway();
      proxy.targets = [...proxy.targets.filter((url) => url !== old.url), replacement.url];
      expect(await old.stop()).toBe(0);
      gateways = [...gateways.filter((gateway) => gateway !== old), replacement];
    }
    worker = await deployment.worker();

    expect(textOf(await result)).toContain('# Research Report: tides');
    expect(textOf((await call) as CallToolResult)).toContain('completed');
    await waitUntil(() => statuses.includes('completed'), { description: 'the end has come on the standalone stream' });
    expect(await client.ping()).toEqual({});
  });

  it('end at a second SIGTERM, whatever they wait for', async () => {
    await worker.stop();
    const gateway = await deployment.gateway({ LONGHAUL_DRAIN_MS: '3600000' });
    const client = await deployment.client(gateway.url);
    const lives = async (): Promise<boolean> => (await deployment.store.views()).some(({ ending }) => ending === undefined);
    client.callTool({ name: 'trigger-long-running-operation', arguments: { duration: 2, steps: 1 } }).catch(() => undefined);
    await waitUntil(lives, { description: 'the task of the call is created' });
    // No worker runs it, so it cannot end.
    const stopped = gateway.stop();
    gateway.child.kill('SIGTERM');
    await stopped;

    worker = await deployment.worker();
    await waitUntil(async () => !(await lives()), { description: 'the task ends without its gateway' });
  });
});
