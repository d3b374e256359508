import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from './network-of.js';

/** The share of all connections for one network. */
const MAX_SHARE = 0.5;

/**
 * Closes the connections that one network opens beyond half of a server's connections. It is not for a server behind a proxy, whose
 * connections all come from the proxy.
 *
 * @param onRefused called for each one that is closed
 */
export function shareConnections(server: Server, maxConnections: number, onRefused: (network: string) => void): void {
  const share = Math.ceil(maxConnections * MAX_SHARE);
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress);
    const before = open.get(network) ?? 0;
    if (before >= share) {
      socket.destroy();
      return onRefused(network);
    }
    open.set(network, before + 1);
    socket.on('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}
