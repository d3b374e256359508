/** Runs a TCP proxy in front of a server of the test, such as Redis. Its connection can be cut: an outage for one test only. */
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

export interface TcpProxy {
  /** The address to give to what is tested. */
  readonly url: string;
  /** Breaks every connection, and new ones at once. */
  cut(): void;
  /** Lets connections through again. */
  restore(): void;
  /** Keeps what the server answers to itself from now on, until the line is cut. */
  swallowReplies(): void;
  /** How often the server was asked something that it had answered by then, over all connections. */
  roundTrips(): number;
  /** Leads new connections to another server. */
  redirect(url: string): void;
  close(): Promise<void>;
}

/** Opens a proxy before `redis://host:port` or `http://host:port`. */
export async function openTcpProxy(serverUrl: string): Promise<TcpProxy> {
  let target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let open = true;
  let swallowing = false;
  let roundTrips = 0;

  const server = createServer((client) => {
    if (!open) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(target.port || 6379), target.hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    let isAsked = false;
    client.on('data', (data) => {
      isAsked = true;
      upstream.write(data);
    });
    upstream.on('data', (data) => {
      if (isAsked) roundTrips += 1;
      isAsked = false;
      if (!swallowing) client.write(data);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const cut = (): void => {
    open = false;
    swallowing = false;
    for (const socket of sockets) socket.destroy();
  };
  const address = new URL(serverUrl);
  address.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: address.href,
    cut,
    restore: () => {
      open = true;
    },
    roundTrips: () => roundTrips,
    redirect: (url) => {
      target = new URL(url);
    },
    swallowReplies: () => {
      swallowing = true;
    },
    close: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
