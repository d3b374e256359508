/** Tests that the question of a proxied server outlives every process but that server. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { textOf } from '../../client/support/clients.js';
import { type ScriptedServer, startScriptedServer } from '../../client/support/scripted-server.js';
import { Deployment, type Process } from '../../support/deployment.js';
import { waitUntil } from '../../support/wait-until.js';
import { connectClient } from '../../support/gateway/client.js';

const NAME = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
let upstream: ScriptedServer;
let deployment: Deployment;

beforeAll(async () => {
  const modern = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
  upstream = await startScriptedServer(({ method, params, result }) => {
    if (method === 'server/discover') return result({ ...modern, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } });
    if (method === 'tools/list') return result({ ...modern, tools: [{ name: 'work', inputSchema: { type: 'object' } }] });
    if (method !== 'tools/call') return false;
    const { inputResponses, requestState } = params;
    const ask = { method: 'elicitation/create', params: { mode: 'form', message: 'Name?', requestedSchema: NAME } };
    if (inputResponses === undefined) return result({ resultType: 'input_required', inputRequests: { q: ask }, requestState: 'theirs' });
    return result({ ...modern, content: [{ type: 'text', text: JSON.stringify({ inputResponses, requestState }) }] });
  });
  deployment = Deployment.create({
    LONGHAUL_FEATURES: '@longhaul/proxy/feature',
    LONGHAUL_SERVERS: JSON.stringify({ mcpServers: { theirs: { url: upstream.url } } }),
    LONGHAUL_PUBLIC_URL: 'http://localhost:3000/mcp',
  });
});
afterAll(async () => {
  await deployment.close();
  await upstream.close();
});

const start = (): Promise<[Process, Process]> => Promise.all([deployment.gateway(), deployment.worker()]);

it('is answered by its link when all has been killed, and the server gets the answer with what it wanted back', async () => {
  const before = await start();
  const { client } = await connectClient(before[0].url);
  const told = String(textOf((await client.callTool({ name: 'work', arguments: {} })) as never));
  await Promise.all([...before.map((each) => each.kill()), client.close()]);
  const [, path = ''] = /http:\/\/localhost:3000(\/tasks\/[\w.-]+)/.exec(told) ?? [];
  const [, taskId = ''] = /task_result with {"taskId":"([^"]+)"}/.exec(told) ?? [];
  const [gateway] = await start();
  const body = new URLSearchParams({ action: 'accept', 'field-0': 'Ada' });
  expect((await fetch(new URL(path, gateway.url), { method: 'POST', body })).status).toBe(200);
  const ended = await waitUntil(
    async () =>
      (await deployment.store.tasks()).find((task) => task.taskId === taskId)?.events.find(({ type }) => type === 'TaskCompleted'),
    { description: 'the task has ended' },
  );
  expect(JSON.stringify(ended)).toContain('Ada');
  // The call was made again after the question, and not more often than that.
  const calls = upstream.requests('tools/call');
  expect(calls.filter(({ params }) => params['requestState'] === 'theirs')).toHaveLength(1);
});
