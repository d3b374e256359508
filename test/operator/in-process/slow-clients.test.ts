/** Tests that a client without a token cannot take the memory or the connections of the operator API for long. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { OperatorParts } from '@longhaul/operator';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { stores } from '../../stores/support/stores.js';
import { waitUntil } from '../../support/wait-until.js';
import { operated, type Operated } from '../support/operated.js';

const LONG: NonNullable<OperatorParts['connections']> = { headersMs: 60_000, requestMs: 60_000, maxConnections: 100 };

let api: Operated | undefined;
let opened: Awaited<ReturnType<(typeof stores)[number]['open']>>;
const sockets: Socket[] = [];
beforeEach(async () => {
  opened = await stores[0]!.open();
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await api?.operator.close();
  await opened.close();
});

async function start(limits: Partial<typeof LONG> = {}, env: NodeJS.ProcessEnv = {}): Promise<number> {
  api = await operated(opened.store, env, [], { connections: { ...LONG, ...limits } });
  return Number(new URL(await api.operator.app.listen({ host: '127.0.0.1', port: 0 })).port);
}

async function open(port: number): Promise<{ readonly socket: Socket; readonly received: () => string }> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return { socket, received: () => text };
}

const headOf = (path: string, length: number): string =>
  [`POST ${path} HTTP/1.1`, 'host: 127.0.0.1', 'content-type: application/json', `content-length: ${length}`, '', ''].join('\r\n');

it.each(['/login', '/logout'])('who sends a large body to %s is answered before it is read', async (path) => {
  const client = await open(await start());
  client.socket.write(headOf(path, 900_000));
  await waitUntil(() => client.received().includes('\r\n\r\n'), { description: 'there is an answer' });
  expect(client.received()).toMatch(/^HTTP\/1\.1 413 /);
});

it.each([
  ['its headers', { headersMs: 300 }, 'POST /login HTTP/1.1\r\nhost: 127'],
  ['its body', { headersMs: 300, requestMs: 500 }, `${headOf('/login', 100)}{"token":`],
])('who is slow to send %s gets 408, and the connection is closed', async (_what, limits, text) => {
  const client = await open(await start(limits));
  client.socket.write(text);
  await waitUntil(() => client.socket.closed, { description: 'the connection is closed' });
  expect(client.received()).toMatch(/^HTTP\/1\.1 408 /);
});

it('who opens too many connections has the next one closed', async () => {
  const port = await start({ maxConnections: 3 }, { LONGHAUL_OPS_PROXY_HOPS: '1' });
  const held = await Promise.all([open(port), open(port), open(port)]);
  const next = await open(port);
  await waitUntil(() => next.socket.closed, { description: 'the next one is closed' });
  expect(held.map(({ socket }) => socket.closed)).toEqual([false, false, false]);
});

it('one address has at most half of the connections', async () => {
  const port = await start({ maxConnections: 4 });
  const held = await Promise.all([open(port), open(port)]);
  const next = await open(port);
  await waitUntil(() => next.socket.closed, { description: 'the third one is closed' });
  expect(held.map(({ socket }) => socket.closed)).toEqual([false, false]);
});
