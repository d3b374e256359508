import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type { RequestListener };

/** HTTP servers on this machine that run during a test. */
export class LocalServers {
  readonly #servers: Server[] = [];

  /** Starts one. @returns its port on 127.0.0.1 */
  async start(listener: RequestListener): Promise<number> {
    const server = createServer(listener);
    // An idle connection must not end in the moment in which a client uses it again.
    server.keepAliveTimeout = 0;
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  /** Stops all servers and their open connections. */
  async stop(): Promise<void> {
    for (const server of this.#servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }
}
