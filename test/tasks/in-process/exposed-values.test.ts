/** Tests that a value that a tool shows is there for clients of both protocol versions and for operators, on every store. */
import { connect, type TaskStatus } from '@longhaul/client';
import { createFeatureRegistry, defineTool } from '@longhaul/mcp-features';
import { createOperatorService, type TaskId } from '@longhaul/tasks';
import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { gatewaysForTests } from '../../support/gateway/gateways.js';
import { post } from '../../support/gateway/rpc.js';
import { modernClient, type ModernClient } from '../../support/gateway-2026/modern-client.js';
import { getTask, startTask, untilStatus } from '../../support/gateway-2026/task-client.js';
import { waitUntil } from '../../support/wait-until.js';

const copies = defineTool({
  name: 'copies',
  description: 'Shows how far it is, and waits.',
  input: z.object({}),
  task: 'optional',
  async run(_args, context) {
    context.expose({ copied: 1, text: '\ud83d\ude80 \ud800' });
    await context.waitFor('more');
    await context.step('copy', () => context.expose({ copied: 2 }));
    return 'done';
  },
});

const gateways = gatewaysForTests({ isStateless: true }, { features: createFeatureRegistry([copies]) });
let client: ModernClient;
beforeAll(() => {
  client = modernClient(gateways.second);
});

const META = 'longhaul/exposed';

const metaIn2026 = async (taskId: string): Promise<unknown> => (await getTask(client, taskId))['_meta'];

async function metaIn2025(taskId: string): Promise<unknown> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { taskId } };
  const answer = await post(gateways.first.app, body, { 'mcp-protocol-version': '2025-11-25' });
  return answer.json<{ result: { _meta?: unknown } }>().result._meta;
}

it('is in the metadata of tasks/get at once, and stays when the task has ended', async () => {
  const { taskId } = await startTask(client, 'copies');
  // Half of a character leaves no process.
  const shown = { copied: 1, text: '\ud83d\ude80 \ufffd' };
  await waitUntil(async () => JSON.stringify(await metaIn2026(taskId)).includes(META), { description: 'the value is shown' });
  expect(await metaIn2026(taskId)).toMatchObject({ [META]: shown });
  expect(await metaIn2025(taskId)).toEqual({ [META]: shown });

  const operators = createOperatorService(gateways.first.store, { onError: () => undefined });
  expect((await operators.get(taskId)).view.exposed).toEqual({ value: { ...shown, text: '\ud83d\ude80 \ud800' } });

  await operators.signal(taskId, { name: 'more', value: null, via: 'test' });
  await untilStatus(client, taskId, 'completed');
  expect(await metaIn2026(taskId)).toMatchObject({ [META]: { copied: 2 } });
  expect(await metaIn2025(taskId)).toEqual({ [META]: { copied: 2 } });
});

it.each(['2025-11-25', '2026-07-28'] as const)('is in the status that the client library reports, in %s', async (generation) => {
  const library = await connect(gateways.first.url, { generation });
  const seen: TaskStatus[] = [];
  const ended = library.callTool('copies', {}, { onStatus: (status) => void seen.push(status) });
  await waitUntil(() => seen.some(({ exposed }) => exposed !== undefined), { description: 'the value has come' });
  expect(seen.at(-1)?.exposed).toEqual({ copied: 1, text: '\ud83d\ude80 \ufffd' });
  const operators = createOperatorService(gateways.first.store, { onError: () => undefined });
  await operators.signal(seen[0]?.taskId as TaskId, { name: 'more', value: null, via: 'test' });
  await ended;
  await library.close();
});
