/** Tests session jobs over real processes: a job continues after the death of the gateway that started it. */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  type CallToolResult,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Deployment, type Process } from '../../support/deployment.js';
import { type RoundRobin, startRoundRobin } from '../../support/round-robin.js';
import { waitUntil } from '../../support/wait-until.js';

const EVERY_MS = 100;
const URIS = ['demo://resource/dynamic/text/1', 'demo://resource/static/document/features.md'];

let deployment: Deployment;
let first: Process;
let second: Process;
let worker: Process;
let proxy: RoundRobin;
/** The messages to the client, oldest first. */
let updates: string[];
let logs: string[];

beforeAll(async () => {
  deployment = Deployment.create({ LONGHAUL_SIMULATED_UPDATES_MS: String(EVERY_MS) });
  [first, second, worker] = await Promise.all([deployment.gateway(), deployment.gateway(), deployment.worker()]);
  proxy = await startRoundRobin([first.url]);
});
beforeEach(async () => {
  updates = [];
  logs = [];
  // The processes that the previous test has killed.
  [first, worker] = await Promise.all([first.runs() ? first : deployment.gateway(), worker.runs() ? worker : deployment.worker()]);
  // All requests go to the first gateway, until it is dead.
  proxy.targets = [first.url];
});
afterEach(async () => {
  await deployment.closeClients();
  expect(await deployment.store.leftForEver()).toEqual([]);
});
afterAll(async () => {
  await proxy.close();
  await deployment.close();
});

const connect = (): Promise<Client> =>
  deployment.client(proxy.url, {}, (client) => {
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updates.push(params.uri));
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logs.push(String(params.data)));
  });

async function textOf(client: Client, name: string): Promise<string> {
  const { content } = (await client.callTool({ name })) as CallToolResult;
  return content.map((item) => (item.type === 'text' ? item.text : '')).join('');
}

const toggleUpdates = (client: Client) => textOf(client, 'toggle-subscriber-updates');
const toggleLogging = (client: Client) => textOf(client, 'toggle-simulated-logging');
const sessionOf = (client: Client) => client.transport as StreamableHTTPClientTransport;

/** Starts both session jobs, and waits until the client hears of them. */
async function startBoth(client: Client): Promise<void> {
  await client.setLoggingLevel('debug');
  for (const uri of URIS) await client.subscribeResource({ uri });
  expect(await toggleUpdates(client)).toContain('Started');
  expect(await toggleLogging(client)).toContain('Started');
  await more();
}

/** Resolves when both kinds of notifications have come again, of both resources. */
async function more(): Promise<void> {
  const seen = { updates: updates.length, logs: simulated().length };
  await waitUntil(() => URIS.every((uri) => updates.slice(seen.updates).includes(uri)), { description: 'both resources are updated' });
  await waitUntil(() => simulated().length > seen.logs, { description: 'something is logged' });
}

const simulated = (): string[] => logs.filter((text) => /level[- ]message - SessionId /.test(text));

const untilNoJobIsLeft = () => waitUntil(async () => (await deployment.store.queuedJobs()) === 0, { description: 'no job is left' });

/** Kills the first gateway; all later requests of the client go to the second one. */
async function killFirst(): Promise<void> {
  proxy.targets = [second.url];
  await first.kill();
}

describe('simulated updates and logging', () => {
  it('go on when the gateway is killed that started them, until they are toggled off', async () => {
    const client = await connect();
    await startBoth(client);
    expect(await deployment.store.queuedJobs()).toBeGreaterThan(0);
    await killFirst();
    await more();
    expect(new Set(updates)).toEqual(new Set(URIS));

    expect(await toggleUpdates(client)).toContain('Stopped');
    expect(await toggleLogging(client)).toContain('Stopped');
    await untilNoJobIsLeft();
    const seen = updates.length;
    expect(await toggleUpdates(client)).toContain('Started');
    await waitUntil(() => updates.length > seen, { description: 'updates come again' });
  });

  it('go on when the worker is killed that runs them', async () => {
    const client = await connect();
    await startBoth(client);
    await worker.kill();
    worker = await deployment.worker();
    await more();

    expect(await toggleUpdates(client)).toContain('Stopped');
    expect(await toggleLogging(client)).toContain('Stopped');
    await untilNoJobIsLeft();
  });

  it('end with the session', async () => {
    const client = await connect();
    await startBoth(client);
    await killFirst();
    await more();
    await sessionOf(client).terminateSession();
    await untilNoJobIsLeft();
  });

  it('end with a session that the other gateway deletes', async () => {
    const client = await connect();
    await startBoth(client);
    const { sessionId } = sessionOf(client);
    const response = await fetch(second.url, { method: 'DELETE', headers: { 'mcp-session-id': sessionId ?? '' } });
    expect(response.ok).toBe(true);
    await untilNoJobIsLeft();
  });

  it('are of the session that started them, and no other', async () => {
    const [mine, others] = [await connect(), await connect()];
    await startBoth(mine);
    const { sessionId } = sessionOf(mine);
    expect(new Set(simulated())).toEqual(new Set(simulated().filter((text) => text.endsWith(String(sessionId)))));
    expect(await toggleLogging(others)).toContain('Started');
    expect(await toggleLogging(mine)).toContain('Stopped');
  });
});
