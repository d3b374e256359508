/**
 * Closes connections that would delay the close of a server although they carry no request. Some become idle only after their last answer;
 * Node closes these when it is asked again. Others have not carried a request yet; Node does not count these as idle. Clients open such
 * connections in advance.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const SWEEP_MS = 20;

/** Observes a server's connections. */
export class IdleConnections {
  readonly #unused = new Set<Socket>();

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#unused.add(socket);
      socket.on('close', () => this.#unused.delete(socket));
    });
    server.on('request', ({ socket }) => this.#unused.delete(socket));
  }

  /** From now on they are closed, until the server is closed. */
  drop(): void {
    if (!this.server.listening) return;
    const sweep = setInterval(() => {
      this.server.closeIdleConnections();
      for (const socket of this.#unused) if (socket.bytesRead === 0) socket.destroy();
    }, SWEEP_MS);
    this.server.once('close', () => clearInterval(sweep));
  }
}
