/** Tests the limit of passes that wait for workers, as a client sees it. */
import { createFeatureRegistry, defineTool } from '@longhaul/mcp-features';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { waitUntil } from '../../support/wait-until.js';
import { startGateways, type TestGateways } from '../../support/gateway/gateways.js';
import { HEADERS, type RpcResponse, type RpcSession, rpcSession } from '../../support/gateway/rpc.js';
import { testTools } from '../../support/gateway/tools.js';

/** Of the worker of the tests. */
const SLOTS = 10;
const MOST = 2;

let goOn: () => void;
let gateways: TestGateways;
let session: RpcSession;
beforeEach(async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  goOn = () => resolve('done');
  const held = defineTool({
    name: 'held',
    description: 'Keeps its slot until the test goes on',
    input: z.object({}),
    task: 'required',
    run: () => promise,
  });
  gateways = await startGateways({ maxQueued: MOST }, { features: createFeatureRegistry([...testTools.features, held]) });
  session = await rpcSession(gateways.first.app);
});
afterEach(async () => {
  goOn();
  await gateways.close();
});

const call = async (key?: string): Promise<RpcResponse> => {
  const meta = key === undefined ? {} : { _meta: { 'longhaul/idempotencyKey': key } };
  const response = await gateways.first.app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { ...HEADERS, 'mcp-session-id': session.id },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'held', task: {}, ...meta } },
  });
  return response.json<RpcResponse>();
};

it('refuses what is new while as many wait as may, knows what there is, and takes new ones when there is room', async () => {
  const { store } = gateways.first;
  // Tasks that were created within the last moments count as waiting.
  const begun = async (): Promise<boolean> => (await call()).error === undefined;
  for (let running = 0; running < SLOTS; running++) await waitUntil(begun, { description: `slot ${running} is asked for` });
  await waitUntil(async () => (await store.load.queue()).running === SLOTS, { description: 'all slots are taken' });
  const first = async () => (await call('the first that waits')).result;
  const waiting = await waitUntil(first, { description: 'the first one that waits' });
  await waitUntil(begun, { description: 'the second one that waits' });
  await waitUntil(async () => (await store.load.queue()).waiting === MOST, { description: 'the others wait' });

  expect((await call()).error).toEqual({
    code: -32000,
    message: `As many calls wait for a worker as may (${MOST}, LONGHAUL_MAX_QUEUED). Nothing was begun; try again later.`,
    data: { limit: 'queued', most: MOST, retryable: true, retryAfterMs: 1_000 },
  });
  expect(await first()).toMatchObject({ task: { taskId: (waiting as { task: { taskId: string } }).task.taskId } });
  goOn();
  await waitUntil(begun, { description: 'there is room' });
});
