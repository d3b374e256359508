/** Tests servers at URLs that are odd in ways in which servers of other people are. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rejection, textOf } from '../client/support/clients.js';
import { greeting2025, type Script, startScriptedServer } from '../client/support/scripted-server.js';
import { waitUntil } from '../support/wait-until.js';
import { ServersPlace } from './support/servers.js';
import { startSseServer } from './support/sse-server.js';

let place: ServersPlace;
const open: { close(): Promise<void> }[] = [];
beforeEach(() => {
  place = new ServersPlace();
});
afterEach(async () => {
  await place.close();
  await Promise.all(open.splice(0).map((server) => server.close()));
});

const started = async <T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
  const server = await starting;
  open.push(server);
  return server;
};

describe('a server that has HTTP+SSE only', () => {
  it.each([400, 404, 405])('is found when it answers a message with %i, and is sent its headers', async (refusal) => {
    const { url, headers } = await started(startSseServer({ refusal }));
    const server = await place.one({ url, headers: { Authorization: 'Bearer own' } });
    expect(textOf(await server.callTool('work', {}))).toBe('done');
    expect(headers.length).toBeGreaterThan(2);
    for (const sent of headers) expect(sent.authorization).toBe('Bearer own');
    expect(headers.at(-1)?.['mcp-protocol-version']).toBe('2024-11-05');
  });

  it('is asked at once by its transport where the file says so', async () => {
    const { url } = await started(startSseServer({ refusal: 500 }));
    const server = await place.one({ url, type: 'sse' });
    expect(textOf(await server.callTool('work', {}))).toBe('done');
  });

  it('is not asked where the file says the newer transport', async () => {
    const server = await started(startSseServer());
    expect(await rejection(place.one({ url: server.url, type: 'http' }))).toMatchObject({ name: 'ServerStartError' });
    expect(server.streams).toBe(0);
  });

  it('is gone when its stream ends, also for a call that runs', async () => {
    const sse = await started(startSseServer());
    const server = await place.one({ url: sse.url });
    sse.drop();
    const lost = await waitUntil(
      async () => {
        const outcome = await rejection(server.callTool('work', {}));
        return outcome instanceof Error ? outcome : undefined;
      },
      { description: 'the loss is noticed' },
    );
    expect(lost).toMatchObject({ name: 'ConnectionLostError' });
  });

  it('is sent no message where it names another server for them', async () => {
    const other = await started(startSseServer());
    const { url } = await started(startSseServer({ endpoint: other.url.replace('/sse', '/messages') }));
    const error = await rejection(place.one({ url, type: 'sse' }));
    expect(String(error)).toContain('which is another server');
    expect(other.headers).toEqual([]);
  });
});

const REFUSED: ReadonlySet<string> = new Set(['2025-11-25', '2025-06-18']);

describe('a server at a URL', () => {
  it('that refuses the header of a version which it has agreed on is offered older ones', async () => {
    const script: Script = (exchange) => {
      const { method, params, result, status } = exchange;
      if (method === 'initialize')
        return result({
          protocolVersion: params['protocolVersion'],
          capabilities: { tools: {} },
          serverInfo: { name: 's', version: '1' },
        });
      return method === 'server/discover' ? status(400) : greeting2025(exchange);
    };
    const { url } = await started(
      startScriptedServer(script, { statusOfSent: (headers) => (REFUSED.has(String(headers['mcp-protocol-version'])) ? 400 : 202) }),
    );
    const server = await place.one({ url });
    expect(server.client.client.getNegotiatedProtocolVersion()).toBe('2025-03-26');
    expect(server.tools.map(({ name }) => name)).toEqual(['work']);
  });
});
