/** A TCP proxy before the test's Redis, whose line can be cut: an outage for one test, and for nobody else. */
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

export interface RedisProxy {
  /** The address to give to what is tested. */
  readonly url: string;
  /** Breaks every connection and refuses new ones. */
  cut(): void;
  /** Lets connections through again. */
  restore(): void;
  /** Keeps what Redis answers to itself from now on, until the line is cut. */
  swallowReplies(): void;
  close(): Promise<void>;
}

/** Opens a proxy before `redis://host:port`. */
export async function openRedisProxy(redisUrl: string): Promise<RedisProxy> {
  const target = new URL(redisUrl);
  const sockets = new Set<Socket>();
  let open = true;
  let swallowing = false;

  const server = createServer((client) => {
    if (!open) {
      client.destroy();
      return;
    }
    const redis = connect(Number(target.port || 6379), target.hostname);
    for (const [socket, other] of [
      [client, redis],
      [redis, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.on('data', (data) => redis.write(data));
    redis.on('data', (data) => void (swallowing || client.write(data)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const cut = (): void => {
    open = false;
    swallowing = false;
    for (const socket of sockets) socket.destroy();
  };
  const address = new URL(redisUrl);
  address.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: address.href,
    cut,
    restore: () => {
      open = true;
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
