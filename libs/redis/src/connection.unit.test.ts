import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { connected } from './connection.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Connects once to a server that does this with each connection. */
async function connectTo(protocol: string, handle: (socket: Socket) => void): Promise<unknown> {
  const server = createServer((socket) => handle(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const url = `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 50 });
  return connected(client, url, () => undefined);
}

describe('a connection that cannot be made', () => {
  it('suggests an address without TLS when a server says nothing to it', async () => {
    const silent = connectTo('rediss', (socket) => socket.once('data', () => socket.setTimeout(200, () => socket.destroy())));
    await expect(silent).rejects.toThrow(/ does not answer: connect ETIMEDOUT \(if it has no TLS, its address begins with redis:\/\/\)$/);
  });

  it('suggests an address with TLS when the connection is cut', async () => {
    const cut = connectTo('redis', (socket) => socket.resetAndDestroy());
    await expect(cut).rejects.toThrow(/ does not answer: .+ \(if it wants TLS, its address begins with rediss:\/\/\)$/);
  });
});
