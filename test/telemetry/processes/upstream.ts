/** A service that tools call: notes the headers that come, and holds its answers as long as a test wants. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What came. */
export interface UpstreamRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export interface Upstream {
  readonly url: string;
  readonly requests: readonly UpstreamRequest[];
  /** Answers what it holds, and everything from now on. */
  release(): void;
  close(): Promise<void>;
}

/** @param held the path whose requests are held until `release` */
export async function openUpstream(held?: string): Promise<Upstream> {
  const requests: UpstreamRequest[] = [];
  const waiting: ServerResponse[] = [];
  let isReleased = false;
  const server = createServer(({ url: path = '', headers }, response) => {
    requests.push({ path, headers });
    if (path === held && !isReleased) waiting.push(response);
    else response.end('done');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    release() {
      isReleased = true;
      for (const response of waiting.splice(0)) response.end('done');
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
