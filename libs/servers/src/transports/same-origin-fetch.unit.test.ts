import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sameOriginFetch } from './same-origin-fetch.js';

/** Redirects as its path says, or answers with what it was sent. */
function redirecting(): Promise<Server> {
  const server = createServer(({ url = '', method, headers, socket }, response) => {
    const [, status = '', to = ''] = url.split('/');
    const port = to === 'other' ? 1 : socket.localPort;
    if (status === 'here') response.end(`${method} ${String(headers['x-key'])}`);
    else response.writeHead(Number(status), { location: to === 'round' ? url : `http://127.0.0.1:${port}/here` }).end();
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

describe('a server that redirects', () => {
  let server: Server;
  const get = async (path: string, method = 'GET'): Promise<string> => {
    const { port } = server.address() as AddressInfo;
    const response = await sameOriginFetch(`http://127.0.0.1:${port}/${path}`, {
      method,
      headers: { 'x-key': 'k' },
      ...(method === 'POST' && { body: '{}' }),
    });
    return response.text();
  };
  beforeEach(async () => {
    server = await redirecting();
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('is followed within its origin, where a message stays one', async () => {
    expect(await get('here')).toBe('GET k');
    expect(await get('302/own')).toBe('GET k');
    expect(await get('307/own', 'POST')).toBe('POST k');
    await expect(get('302/own', 'POST')).rejects.toThrow('which is not followed');
  });

  it('is not followed to another one, nor without end', async () => {
    await expect(get('307/other')).rejects.toThrow(
      'the server redirects to http://127.0.0.1:1, which is not followed: use the URL that it leads to',
    );
    await expect(get('307/round')).rejects.toThrow('which is not followed');
  });
});

it.each(['169.254.169.254', '[fd00:ec2::254]', '[::ffff:a9fe:a9fe]'])(
  'a server at %s, where a cloud tells a machine its keys, is not asked',
  async (host) => {
    const error = await sameOriginFetch(`http://${host}/latest`, {}).catch((thrown: unknown) => thrown as Error);
    expect(String((error as Error).cause)).toMatch(/is at an address at which a cloud gives keys to its machines, and is not used/);
  },
);
