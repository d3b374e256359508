import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '@longhaul/runtime/network-of';

/** Closes connections of one network beyond its share of a server's connections. @param onRefused called for each closed one */
export function shareConnections(server: Server, share: number, onRefused: (network: string) => void): void {
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
