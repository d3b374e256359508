/**
 * Connections that would hold up the close of a server though nothing is under way on them: those that become
 * idle only after their last answer, which Node closes when it is asked to again, and those on which no
 * request has come yet, which Node does not count among the idle ones. Clients open such in advance.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const SWEEP_MS = 20;

/** Keeps an eye on a server's connections. */
export class IdleConnections {
  readonly #unused = new Set<Socket>();

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#unused.add(socket);
      socket.on('close', () => this.#unused.delete(socket));
    });
    server.on('request', ({ socket }) => this.#unused.delete(socket));
  }

  /** From now on they are closed, until the server is. */
  drop(): void {
    if (!this.server.listening) return;
    const sweep = setInterval(() => {
      this.server.closeIdleConnections();
      for (const socket of this.#unused) if (socket.bytesRead === 0) socket.destroy();
    }, SWEEP_MS);
    this.server.once('close', () => clearInterval(sweep));
  }
}
