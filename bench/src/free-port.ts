import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port of this machine that was free a moment ago, for servers that cannot choose one themselves. The tests use it too. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port could be had.');
  return address.port;
}
