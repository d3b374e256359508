/** Tests calls of other servers whose worker is killed while they run: none is lost silently, and none is made twice that must not be. */
import type { TaskStatus } from '@longhaul/client';
import { createFeatureRegistry, defineTool } from '@longhaul/mcp-features';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Clients, rejection, textOf } from '../../client/support/clients.js';
import {
  type Exchange,
  firstOf,
  greeting2025,
  methods,
  type ScriptedServer,
  startScriptedServer,
} from '../../client/support/scripted-server.js';
import { Deployment, type Process } from '../../support/deployment.js';
import { serviceForTests } from '../../support/gateway/gateway.js';
import { waitUntil } from '../../support/wait-until.js';

const tasks = serviceForTests({
  features: createFeatureRegistry([
    defineTool({
      name: 'rest',
      description: 'Rests as a task',
      input: z.object({ ms: z.number() }),
      task: 'optional',
      run: async ({ ms }, context) => {
        await context.sleep('rest', ms);
        return 'rested';
      },
    }),
  ]),
});
const clients = new Clients();
/** Calls that are held until a test answers them. */
const held: Exchange[] = [];
let upstream: ScriptedServer;
let deployment: Deployment;
let gateway: Process;
let worker: Process;

beforeAll(async () => {
  const object = { type: 'object' };
  upstream = await startScriptedServer(
    firstOf(
      methods({
        'tools/list': ({ result }) =>
          result({
            tools: [
              { name: 'write', inputSchema: object },
              { name: 'read', inputSchema: object, annotations: { readOnlyHint: true } },
            ],
          }),
        'tools/call': (exchange) => held.push(exchange),
      }),
      greeting2025,
    ),
  );
  deployment = Deployment.create({
    LONGHAUL_FEATURES: '@longhaul/proxy/feature',
    LONGHAUL_SERVERS: JSON.stringify({
      mcpServers: { plain: { url: upstream.url, tools: { read: { task: 'optional' } } }, tasks: { url: await tasks.listen() } },
    }),
    LONGHAUL_DRAIN_MS: '1000',
  });
  [gateway, worker] = await Promise.all([deployment.gateway(), deployment.worker()]);
});
afterAll(async () => {
  await clients.close();
  await deployment.close();
  await upstream.close();
});

async function replaceWorker(): Promise<void> {
  await worker.kill();
  worker = await deployment.worker();
}

async function nextCall(): Promise<Exchange> {
  await waitUntil(() => held.length > 0, { description: 'the server is called' });
  return held.shift() as Exchange;
}

const answer = ({ result }: Exchange): void => result({ content: [{ type: 'text', text: 'done' }] });

describe('a call whose worker is killed', () => {
  it('ends as MAY_HAVE_HAPPENED where it may have changed something, and is not made again', async () => {
    const client = await clients.connect(gateway.url, { generation: '2026-07-28' });
    const before = upstream.requests('tools/call').length;
    const called = client.callTool('plain__write', {});
    await nextCall();
    await replaceWorker();
    const outcome = await called.catch((error: unknown) => error);
    expect(JSON.stringify(outcome instanceof Error ? outcome.message : outcome)).toContain('MAY_HAVE_HAPPENED: It is unknown whether');
    expect(upstream.requests('tools/call')).toHaveLength(before + 1);
  });

  it('is made again where it only reads', async () => {
    const client = await clients.connect(gateway.url, { generation: '2025-11-25' });
    const called = client.callTool('plain__read', {});
    await nextCall();
    await replaceWorker();
    answer(await nextCall());
    expect(textOf(await called)).toBe('done');
  });

  it('is followed where it has become a task of its server', async () => {
    const client = await clients.connect(gateway.url, { generation: '2026-07-28' });
    const before = tasks.created.length;
    const messages: (string | undefined)[] = [];
    const called = client.callTool('tasks__rest', { ms: 12_000 }, { onStatus: ({ statusMessage }) => void messages.push(statusMessage) });
    await waitUntil(() => messages.some((text) => text?.startsWith('Waiting for tasks__rest')), { description: 'its task is known' });
    await replaceWorker();
    expect(textOf(await called)).toBe('rested');
    expect(tasks.created).toHaveLength(before + 1);
  });

  it('cancels the task of its server when it is cancelled', async () => {
    const client = await clients.connect(gateway.url, { generation: '2025-11-25' });
    const before = tasks.created.length;
    const abort = new AbortController();
    const messages: (string | undefined)[] = [];
    const options = { signal: abort.signal, onStatus: ({ statusMessage }: TaskStatus) => void messages.push(statusMessage) };
    const called = rejection(client.callTool('tasks__rest', { ms: 3_600_000 }, options));
    await waitUntil(() => messages.some((text) => text?.startsWith('Waiting for tasks__rest')), { description: 'its task is known' });
    expect(tasks.created).toHaveLength(before + 1);
    abort.abort(new Error('not needed'));
    expect(await called).toMatchObject({ message: 'not needed' });
    await waitUntil(
      async () => {
        const created = tasks.created.at(-1);
        return created !== undefined && (await tasks.tasks.get(created.taskId, created)).ending?.kind === 'cancelled';
      },
      { description: 'its task is cancelled' },
    );
  });
});
