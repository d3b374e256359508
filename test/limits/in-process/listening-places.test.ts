/** Tests how many streams of `subscriptions/listen` a gateway allows, in all and of one caller. */
import { afterEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../support/wait-until.js';
import { startService, type TestService, type TestServiceOptions } from '../../support/gateway/gateway.js';
import { modernFeatures } from '../../support/gateway-2026/features.js';
import { listen, type Listener } from '../../support/gateway-2026/listener.js';
import { answerOf, modernClient, requestOf } from '../../support/gateway-2026/modern-client.js';
import { startTask } from '../../support/gateway-2026/task-client.js';

let service: TestService | undefined;
afterEach(() => service?.close());

async function start(options: TestServiceOptions): Promise<TestService & { readonly url: string }> {
  service = await startService(options);
  return { ...service, url: await service.listen() };
}

describe('the streams of a gateway', () => {
  it('are at most 1,024 at the same time, and a place is free again when one ends', async () => {
    const { url } = await start({ settings: { listenStreams: 1_024 } });
    const client = modernClient({ url });
    const { taskId } = await startTask(client, 'sleep');
    const streams: Listener[] = [];
    while (streams.length < 1_024)
      streams.push(...(await Promise.all(Array.from({ length: 64 }, () => listen({ url }, { taskIds: [taskId] })))));
    expect(streams.every(({ response }) => response.status === 200)).toBe(true);
    const refused = await listen({ url }, { taskIds: [taskId] });
    expect(refused.response.headers.get('retry-after')).toBe('1');
    expect(await answerOf(refused)).toMatchObject({
      status: 503,
      error: { code: -31000, message: expect.stringContaining('1024') as string },
    });
    streams[0]?.hangUp();
    const next = await waitUntil(
      async () => {
        const stream = await listen({ url }, { taskIds: [taskId] });
        return stream.response.status === 200 && stream;
      },
      { description: 'there is a place' },
    );

    await next.status(taskId, 'working');
    for (const stream of [next, ...streams]) stream.hangUp();
  });
});

describe('the streams of one caller', () => {
  it('have so many places, which are free again when they end', async () => {
    const { url, app } = await start({ features: modernFeatures, settings: { listenStreams: 2 } });
    const open = () => listen({ url }, { toolsListChanged: true });
    const [first] = [await open(), await open()];
    const refused = await fetch(url, requestOf('one too many', 'subscriptions/listen', { notifications: { toolsListChanged: true } }));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await refused.json()).toMatchObject({
      id: 'one too many',
      error: { message: 'At most 2 streams of subscriptions/listen of one caller may be open at one gateway at the same time.' },
    });

    first?.hangUp();
    await waitUntil(
      async () => {
        const again = await fetch(url, requestOf('again', 'subscriptions/listen', { notifications: { toolsListChanged: true } }));
        await again.body?.cancel();
        return again.status === 200;
      },
      { description: 'there is a place again' },
    );
    app.server.closeAllConnections();
  });
});
