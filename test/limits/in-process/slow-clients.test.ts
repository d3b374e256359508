/** Tests clients that send or read slowly: they cannot keep a connection, or much memory, for long. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import type { GatewayConfig } from '@longhaul/gateway';
import { waitUntil } from '../../support/wait-until.js';
import { modernHeaders, withEnvelope } from '../../support/gateway-2026/rpc.js';
import { startService, type TestService, type TestServiceOptions } from '../../support/gateway/gateway.js';
import { HEADERS, initializeRequest } from '../../support/gateway/rpc.js';

const MIB = 1024 * 1024;

let service: TestService;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await service.close();
});

/** Each limit so long that it is not met, but for the given ones. */
async function start(limits: Partial<GatewayConfig['connections']>, more: TestServiceOptions = {}): Promise<URL> {
  const times = { headersMs: 60_000, bodySilenceMs: 60_000, requestMs: 60_000, idleMs: 60_000, refusedMs: 60_000, unreadMs: 60_000 };
  const long = { ...times, heldBytes: 64 * MIB, maxConnections: 10_000 };
  service = await startService({ ...more, settings: { ...more.settings, connections: { ...long, ...limits } } });
  return new URL(await service.listen());
}

interface RawClient {
  readonly socket: Socket;
  readonly received: () => string;
}

async function open({ hostname, port }: URL): Promise<RawClient> {
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return { socket, received: () => text };
}

const BODY = JSON.stringify(initializeRequest());
const headOf = (more: Record<string, string> = {}, length = BODY.length): string =>
  [
    'POST /mcp HTTP/1.1',
    ...Object.entries({ ...HEADERS, 'content-length': String(length), ...more }).map(([name, value]) => `${name}: ${value}`),
  ].join('\r\n');
const untilClosed = ({ socket }: RawClient, description: string) => waitUntil(() => socket.closed, { description });

describe('a client that is slow to send', () => {
  it('its headers gets 408, and its connection is closed', async () => {
    const client = await open(await start({ headersMs: 300 }));
    client.socket.write(headOf().slice(0, 40));
    await untilClosed(client, 'the connection is closed');
    expect(client.received()).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('its body gets 408 when nothing comes for a time', async () => {
    const client = await open(await start({ bodySilenceMs: 300 }));
    client.socket.write(`${headOf()}\r\n\r\n${BODY.slice(0, 20)}`);
    await untilClosed(client, 'the connection is closed');
    expect(client.received()).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('a request as a whole gets 408, however steadily it sends', async () => {
    const client = await open(await start({ requestMs: 500 }));
    client.socket.write(`${headOf({}, 60_000)}\r\n\r\n`);
    const drip = setInterval(() => client.socket.write(' '), 20);
    await untilClosed(client, 'the connection is closed').finally(() => clearInterval(drip));
    expect(client.received()).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('its next request is closed without a word', async () => {
    const client = await open(await start({ idleMs: 300 }));
    client.socket.write(`${headOf()}\r\n\r\n${BODY}`);
    await untilClosed(client, 'the connection is closed');
    expect(client.received()).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.each([
    ['a host that is not served', 403, { host: 'evil.example.com' }],
    ['a type that is not taken', 415, { 'content-type': 'text/plain' }],
  ])('a body that was refused is cut off after its answer: %s', async (_title, status, headers) => {
    const client = await open(await start({ refusedMs: 300 }));
    client.socket.write(`${headOf(headers)}\r\n\r\n${BODY.slice(0, 20)}`);
    await waitUntil(() => client.received().includes('\r\n\r\n'), { description: 'there is an answer' });
    await untilClosed(client, 'the connection is closed');
    expect(client.received().startsWith(`HTTP/1.1 ${status} `)).toBe(true);
  });

  it('a body to an address that does not exist is cut off as well', async () => {
    const client = await open(await start({ bodySilenceMs: 300 }));
    client.socket.write(`${headOf().replace('/mcp', '/elsewhere')}\r\n\r\n${BODY.slice(0, 20)}`);
    await untilClosed(client, 'the connection is closed');
  });

  it('but sends on in time is served, also on the same connection', async () => {
    const client = await open(await start({ bodySilenceMs: 2_000, requestMs: 10_000 }));
    for (let n = 1; n <= 2; n++) {
      client.socket.write(`${headOf()}\r\n\r\n${BODY.slice(0, 20)}`);
      client.socket.write(BODY.slice(20));
      await waitUntil(() => client.received().split('HTTP/1.1 200 ').length === n + 1, { description: `answer ${n} has come` });
    }
  });
});

describe('a stream', () => {
  it.each([{}, { 'content-length': '2' }])('lasts longer than a request may take to be sent: %j', async (more) => {
    const url = await start({ headersMs: 200, bodySilenceMs: 200, requestMs: 400, idleMs: 200, unreadMs: 200 });
    const { host: _host, ...headers } = HEADERS;
    const opened = await fetch(url, { method: 'POST', headers, body: BODY });
    await opened.text();
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '', ...more };
    const client = await open(url);
    client.socket.write(
      `${headOf(session)
        .replace('POST', 'GET')
        .replace(/content-length: \d{3}\r\n/, '')}\r\n\r\n`,
    );
    if ('content-length' in more) client.socket.write('{}');
    await waitUntil(() => client.received().includes('retry:'), { description: 'the stream is open' });
    const startedAt = performance.now();
    await waitUntil(() => performance.now() - startedAt > 2_000, { description: 'all limits are over several times' });
    expect(client.socket.closed).toBe(false);
  });
});

describe('a client that does not read', () => {
  /** Its answers are more than the kernel takes in. */
  async function silent(url: URL): Promise<Socket> {
    const socket = connect(Number(url.port), url.hostname).on('error', () => undefined);
    sockets.push(socket);
    const params = { name: 'echo', arguments: { message: 'x'.repeat(6 * MIB) } };
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: withEnvelope(params) });
    for (let n = 0; n < 4; n++) socket.write(`${headOf(modernHeaders('tools/call', params), call.length)}\r\n\r\n${call}`);
    await waitUntil(async () => (await openConnections()) > 0, { description: 'it is connected' });
    return socket;
  }
  const openConnections = (): Promise<number> => promisify(service.app.server.getConnections.bind(service.app.server))();
  const untilNone = () => waitUntil(async () => (await openConnections()) === 0, { description: 'the connection is ended' });
  const settings = { bodyLimitBytes: 8 * MIB };

  it('at first, but in time, gets all of it', async () => {
    const socket = await silent(await start({ unreadMs: 10_000 }, { settings }));
    const startedAt = performance.now();
    await waitUntil(() => performance.now() - startedAt > 1_500, { description: 'it has been looked at several times' });
    let bytes = 0;
    socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
    await waitUntil(() => bytes > 24 * MIB, { description: 'all answers have come' });
  });

  it('its answers loses its connection after a time', async () => {
    await silent(await start({ unreadMs: 500 }, { settings }));
    await untilNone();
  });

  it('answers of more than may be held loses its connection at once', async () => {
    await silent(await start({ heldBytes: 10 * MIB }, { settings }));
    await untilNone();
  });
});

describe('bodies that are not complete', () => {
  it('are refused with 503 when they are too much together, the oldest one first', async () => {
    const url = await start({ heldBytes: 75_000 });
    const [older, newer] = [await open(url), await open(url)];
    const part = BODY.padEnd(50_000);
    for (const { socket } of [older, newer]) {
      socket.write(`${headOf({}, part.length + 1)}\r\n\r\n`);
      await new Promise((resolve) => socket.write(part, resolve));
    }
    await untilClosed(older, 'the older one is closed');
    expect(older.received()).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: 1\r\n/);
    newer.socket.write(' ');
    await waitUntil(() => newer.received().startsWith('HTTP/1.1 200 '), { description: 'the newer one is answered' });
  });
});

describe('connections', () => {
  it('are closed at once beyond their number', async () => {
    const url = await start({ maxConnections: 2 }, { settings: { proxyHops: 1 } });
    const [first, second] = [await open(url), await open(url)];
    const third = await open(url);
    await untilClosed(third, 'the third one is closed');
    expect([first.socket.closed, second.socket.closed]).toEqual([false, false]);
  });

  it('are closed beyond half of their number for one address, which is logged, and another one takes the place of one that ends', async () => {
    const url = await start({ maxConnections: 4 });
    const [first, second] = [await open(url), await open(url)];
    await untilClosed(await open(url), 'the third one is closed');
    expect([first.socket.closed, second.socket.closed]).toEqual([false, false]);
    expect(service.logs).toContainEqual(expect.objectContaining({ level: 40, network: '127.0.0.1' }));
    first.socket.destroy();
    const answered = async (): Promise<boolean> => {
      const client = await open(url);
      client.socket.write(`${headOf()}\r\n\r\n${BODY}`);
      await waitUntil(() => client.socket.closed || client.received() !== '', { description: 'it is closed or answered' });
      return client.received().startsWith('HTTP/1.1 200 ');
    };
    await waitUntil(answered, { description: 'one more is served' });
  });

  it('that are too many are logged, but not one by one', async () => {
    const url = await start({ maxConnections: 1 });
    await open(url);
    for (let n = 0; n < 3; n++) await untilClosed(await open(url), 'it is closed');
    const lines = service.logs.filter(({ msg }) => String(msg).includes('LONGHAUL_MAX_CONNECTIONS'));
    expect(lines).toMatchObject([{ level: 40, network: '127.0.0.1' }]);
  });
});

describe('a body without a known token', () => {
  it('is cut off after the answer', async () => {
    const url = await start({ refusedMs: 300 }, { settings: { tokens: new Map([['token-of-ada-0001', 'ada']]) } });
    const client = await open(url);
    client.socket.write(`${headOf()}\r\n\r\n${BODY.slice(0, 20)}`);
    await untilClosed(client, 'the connection is closed');
    expect(client.received()).toMatch(/^HTTP\/1\.1 401 /);
  });
});
