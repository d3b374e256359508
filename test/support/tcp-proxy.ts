/** A TCP proxy before a server of the test, such as Redis, whose line can be cut: an outage for one test, and for nobody else. */
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
  /** Has what the server answers arrive later by so many milliseconds from now on, as over a long line. */
  delayReplies(ms: number): void;
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
  let delayMs = 0;

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
    client.on('data', (data) => upstream.write(data));
    upstream.on('data', (data) => {
      if (swallowing) return;
      if (delayMs === 0) client.write(data);
      else setTimeout(() => client.write(data), delayMs);
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
    delayReplies: (ms) => {
      delayMs = ms;
    },
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
