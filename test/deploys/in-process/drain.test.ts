/** Tests requests of revision 2026-07-28 at a gateway that shuts down. */
import { shutDown } from '@longhaul/gateway';
import { createFeatureRegistry, defineTool } from '@longhaul/mcp-features';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { waitUntil } from '../../support/wait-until.js';
import { startService, type TestService } from '../../support/gateway/gateway.js';
import { connections, halfSent } from '../../support/gateway/half-sent.js';
import type { RpcResponse } from '../../support/gateway/rpc.js';
import { openStream, type OpenStream } from '../../support/gateway/stream.js';
import { rawInit } from '../../support/gateway-2026/raw-request.js';
import { ask, KNOWS_TASKS } from '../../support/gateway-2026/rpc.js';

const TASKS = { clientCapabilities: KNOWS_TASKS };
const logger = pino({ level: 'silent' });

/** Ends the running calls of `hold`. */
let release: (text: string) => void = () => undefined;

const features = createFeatureRegistry([
  defineTool({
    name: 'hold',
    description: 'Answers when the test lets it',
    input: z.object({}),
    run: () =>
      new Promise<string>((resolve) => {
        release = resolve;
      }),
  }),
  defineTool({
    name: 'sleep',
    description: 'Waits for an hour',
    input: z.object({}),
    task: 'optional',
    async run(_args, context) {
      await context.sleep('hour', 3_600_000);
      return 'awake';
    },
  }),
]);

let service: TestService | undefined;
afterEach(async () => {
  release('over');
  await service?.close();
  service = undefined;
});

async function start(): Promise<{ running: TestService; url: string }> {
  const running = await startService({ features });
  service = running;
  return { running, url: await running.listen() };
}

const call = (url: string, name: string): Promise<OpenStream> =>
  openStream(url, rawInit('tools/call', { params: { name, arguments: {} } }));

function answerOf(stream: OpenStream): { readonly result: { readonly content: readonly { readonly text: string }[] } } {
  return JSON.parse(stream.text()) as ReturnType<typeof answerOf>;
}

it('lets calls finish, and sends new requests to other gateways', async () => {
  const { running, url } = await start();
  release = () => undefined;
  const idle = release;
  const held = call(url, 'hold');
  await waitUntil(() => release !== idle, { description: 'the call runs' });

  const late = halfSent(url, rawInit('tools/list'));
  await waitUntil(async () => (await connections(running)) === 2, { description: 'half of the next request has come' });

  let isStopped = false;
  const stopped = shutDown({ app: running.app, drainMs: 10_000, logger }).then(() => (isStopped = true));
  await expect(fetch(url)).rejects.toThrow();
  const refused = await late.finish();
  const { id, error } = (await refused.json()) as RpcResponse;
  expect(isStopped).toBe(false);
  release('finished');
  const stream = await held;
  await stream.ended();
  await stopped;

  expect(answerOf(stream).result.content).toEqual([{ type: 'text', text: 'finished' }]);
  expect([refused.status, refused.headers.get('retry-after'), id, error?.code]).toEqual([503, '1', 'raw', -31_000]);
});

it('ends streams at once, with their result', async () => {
  const { running, url } = await start();
  const created = await ask(running.app, 'tools/call', { name: 'sleep', arguments: {} }, { capabilities: KNOWS_TASKS });
  const listen = (notifications: object): Promise<OpenStream> =>
    openStream(url, rawInit('subscriptions/listen', { params: { notifications }, meta: TASKS }));
  const streams = await Promise.all([
    listen({ toolsListChanged: true }),
    listen({ taskIds: [created.body.result?.['taskId']] }),
    listen({ toolsListChanged: true, taskIds: [created.body.result?.['taskId']] }),
  ]);
  for (const stream of streams)
    await stream.message('the stream is acknowledged', ({ method }) => method === 'notifications/subscriptions/acknowledged');

  await shutDown({ app: running.app, drainMs: 10_000, logger });
  await Promise.all(streams.map((stream) => stream.ended()));

  for (const stream of streams) expect(stream.messages().at(-1)).toMatchObject({ id: 'raw', result: { resultType: 'complete' } });
});
