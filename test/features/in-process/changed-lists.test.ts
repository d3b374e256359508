/** Tests a deployment that changes the lists: clients with open sessions and subscriptions receive a notification. */
import { createFeatureRegistry, definePrompt, defineResource, defineTool, type FeatureRegistry } from '@longhaul/mcp-features';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { waitUntil } from '../../support/wait-until.js';
import { listen } from '../../support/gateway-2026/listener.js';
import { startGateways, type TestGateway, type TestGateways } from '../../support/gateway/gateways.js';
import { rpcSession } from '../../support/gateway/rpc.js';
import type { OpenStream } from '../../support/gateway/stream.js';

const PROTOCOL = { tools: 'notifications/tools/list_changed', prompts: 'notifications/prompts/list_changed' };

/** Identical except for the descriptions of the tool and the prompt. */
function features({ tool = 'a tool', prompt = 'a prompt' } = {}): FeatureRegistry {
  return createFeatureRegistry([
    defineTool({ name: 'tool', description: tool, input: z.object({}), run: () => 'done' }),
    definePrompt({ name: 'prompt', description: prompt, run: () => 'said' }),
    defineResource({ name: 'resource', uri: 'test://resource', read: () => 'read' }),
  ]);
}

let gateways: TestGateways;
const open: OpenStream[] = [];
const started: TestGateway[] = [];

beforeEach(async () => {
  gateways = await startGateways({ keepAliveMs: 50 }, { features: features() });
});
afterEach(async () => {
  for (const stream of open.splice(0)) stream.hangUp();
  for (const gateway of started.splice(0)) await close(gateway);
  expect(await gateways.store.leftForEver()).toEqual([]);
  await gateways.close();
});

async function close(gateway: TestGateway): Promise<void> {
  await gateway.app.close();
  await gateway.store.close();
}

async function start(of: FeatureRegistry): Promise<TestGateway> {
  const gateway = await gateways.another(of);
  started.push(gateway);
  return gateway;
}

/** A session's standalone stream at one gateway, and a subscription of the other protocol version at the other one. */
async function listeners(): Promise<readonly OpenStream[]> {
  const session = await rpcSession(gateways.first.app);
  const stream = await gateways.first.get(session);
  const subscription = await listen(gateways.second, { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true });
  open.push(stream, subscription);
  await stream.lastEventId();
  await subscription.message('it is acknowledged', ({ method }) => method === 'notifications/subscriptions/acknowledged');
  return [stream, subscription];
}

const changes = (stream: OpenStream): unknown[] =>
  stream
    .messages()
    .map(({ method }) => method)
    .filter((method) => typeof method === 'string' && method.endsWith('list_changed'));
const heard = (streams: readonly OpenStream[], name: string): Promise<unknown> =>
  Promise.all(streams.map((stream) => stream.message(`${name} is heard`, ({ method }) => method === name)));

describe('a gateway that starts with other features', () => {
  it('makes the lists known that differ, and only those, to the clients of all gateways', async () => {
    const streams = await listeners();
    await start(features({ tool: 'a better tool' }));
    await heard(streams, PROTOCOL.tools);
    // Earlier messages arrive before this one.
    await start(features({ tool: 'a better tool', prompt: 'a better prompt' }));
    await heard(streams, PROTOCOL.prompts);
    for (const stream of streams) expect(changes(stream)).toEqual([PROTOCOL.tools, PROTOCOL.prompts]);
  });

  it('says nothing when what is listed is the same', async () => {
    const streams = await listeners();
    await start(features());
    await start(features({ prompt: 'a better prompt' }));
    await heard(streams, PROTOCOL.prompts);
    for (const stream of streams) expect(changes(stream)).toEqual([PROTOCOL.prompts]);
  });
});

describe('a gateway that ends', () => {
  it('makes the lists known that differed, because clients may have read them there after the others had changed', async () => {
    const streams = await listeners();
    const last = await start(features({ tool: 'a worse tool' }));
    await heard(streams, PROTOCOL.tools);
    await start(features({ prompt: 'a better prompt' }));
    await heard(streams, PROTOCOL.prompts);
    for (const stream of streams) expect(changes(stream)).toEqual([PROTOCOL.tools, PROTOCOL.tools, PROTOCOL.prompts]);
    started.splice(started.indexOf(last), 1);
    await close(last);
    for (const stream of streams) {
      await waitUntil(() => changes(stream).length > 4, { description: 'the end is heard' });
      expect(changes(stream).slice(3)).toEqual([PROTOCOL.tools, PROTOCOL.prompts]);
    }
  });
});
