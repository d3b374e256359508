/** A server of protocol version 2024-11-05, which has HTTP+SSE only. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SseServerOptions {
  /** With what a POST to the address of the stream is answered. @defaultValue 405 */
  readonly refusal?: number;
  /** The address that the first event names. @defaultValue a path of this server */
  readonly endpoint?: string;
}

export interface SseServer {
  readonly url: string;
  /** How many streams were opened. */
  readonly streams: number;
  /** The headers of each message. */
  readonly headers: IncomingMessage['headers'][];
  /** Breaks all streams. */
  drop(): void;
  close(): Promise<void>;
}

/** Has one tool, `work`, which answers `done`. */
export async function startSseServer({ refusal = 405, endpoint }: SseServerOptions = {}): Promise<SseServer> {
  const streams: ServerResponse[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const answers: Readonly<Record<string, object>> = {
    initialize: { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo: { name: 'sse', version: '1' } },
    'tools/list': { tools: [{ name: 'work', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'done' }] },
  };
  const server = createServer((request, response) => void serve(request, response));

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    if (request.method === 'GET' && pathname === '/sse') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`: hello\n\nevent: endpoint\ndata: ${endpoint ?? `/messages?stream=${streams.length}`}\n\n`);
      return void streams.push(response);
    }
    if (request.method !== 'POST' || pathname !== '/messages') return void response.writeHead(refusal).end();
    let body = '';
    for await (const chunk of request) body += String(chunk);
    headers.push(request.headers);
    response.writeHead(202).end('Accepted');
    const { id, method } = JSON.parse(body) as { readonly id?: unknown; readonly method: string };
    if (id === undefined) return;
    const result = answers[method];
    const answer = result === undefined ? { error: { code: -32_601, message: 'Method not found' } } : { result };
    const stream = streams[Number(searchParams.get('stream'))];
    stream?.write(`event: message\r\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\r\n\r\n`);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`,
    get streams() {
      return streams.length;
    },
    headers,
    drop: () => streams.forEach((stream) => stream.destroy()),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
