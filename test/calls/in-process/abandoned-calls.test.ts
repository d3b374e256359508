/** Tests calls of clients that have hung up for good: they continue for a client that may come back, but not for ever. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { waitUntil } from '../../support/wait-until.js';
import { askingFeatures, rejections } from '../../support/gateway/asking-features.js';
import { startService, type TestService } from '../../support/gateway/gateway.js';
import { HEADERS, post, rpcSession, type RpcSession } from '../../support/gateway/rpc.js';
import { openStream } from '../../support/gateway/stream.js';

/** As long as an unfinished stream is kept. */
const KEPT_MS = 5 * 60_000;

let service: TestService;
let session: RpcSession;
let url: string;

beforeEach(async () => {
  // Sockets still use the real time.
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  service = await startService({ features: askingFeatures, settings: { keepAliveMs: 15_000 } });
  url = await service.listen();
  session = await rpcSession(service.app);
});
afterEach(async () => {
  await service.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const connections = (): Promise<number> =>
  new Promise((resolve, reject) => {
    service.app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });

async function ask(label: string) {
  const { host: _host, ...headers } = HEADERS;
  const params = { name: 'asking', arguments: { question: 'roots', label } };
  const stream = await openStream(url, {
    method: 'POST',
    headers: { ...headers, ...session.headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: label, method: 'tools/call', params }),
  });
  return { stream, asked: await stream.message('the client is asked', ({ method }) => method === 'roots/list') };
}

describe('a call that waits for its client', () => {
  it('goes on while the connection is open, however long that is', async () => {
    const { stream, asked } = await ask('patient');
    await vi.advanceTimersByTimeAsync(3 * KEPT_MS);
    await post(service.app, { jsonrpc: '2.0', id: asked['id'], result: { roots: [] } }, session.headers);
    await stream.ended();

    expect(stream.messages().at(-1)).toMatchObject({ id: 'patient', result: { content: [{ text: '[]' }] } });
  });

  it('is given up when the client has not come back for as long as its stream is kept', async () => {
    const { stream } = await ask('gone');
    stream.hangUp();
    await waitUntil(async () => (await connections()) === 0, { description: 'the hang-up is noticed' });
    await vi.advanceTimersByTimeAsync(KEPT_MS / 2);
    expect(rejections.has('gone')).toBe(false);
    await vi.advanceTimersByTimeAsync(2 * KEPT_MS);

    await waitUntil(() => rejections.has('gone'), { description: 'the feature has heard of it' });
    expect(rejections.get('gone')).toMatchObject({ name: 'AbortError' });
  });
});
