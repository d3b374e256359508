import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { SlowConnections } from './slow-connections.js';

it('are over with all of their requests when the client hangs up, those that wait for their turn too', async () => {
  const server = createServer();
  const connections = new SlowConnections(server, { unreadMs: 60_000, heldBytes: Infinity }, () => undefined);
  const answers: ServerResponse[] = [];
  const closed = new Set<ServerResponse>();
  server.on('request', (request, response) => {
    connections.bodyBegins(request, response);
    answers.push(response);
    response.once('close', () => closed.add(response));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(3));
    await waitUntil(() => answers.length === 3, { description: 'all requests are there' });
    socket.destroy();
    await waitUntil(() => closed.size === 3, { description: 'all of them are over' });
    expect(answers.map(({ destroyed }) => destroyed)).toEqual([true, true, true]);
  } finally {
    server.close();
  }
});
