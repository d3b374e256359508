import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { serveWeb, type WebHandler } from './web-exchange.js';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(handler: WebHandler): Promise<string> {
  const logger = pino({ level: 'silent' });
  server = createServer((request, response) => void serveWeb(handler, request, response, { parsed: true }, logger)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a web-standard handler', () => {
  it('reads the method, the headers and the body', async () => {
    const url = await serve((request, { parsedBody }) =>
      Promise.resolve(
        Response.json([
          request.method,
          request.standard.headers.get('X-One'),
          request.standard.headers.get('x-none'),
          request.signal.aborted,
          parsedBody,
        ]),
      ),
    );

    const response = await fetch(url, { method: 'POST', headers: { 'x-one': ' 1 ' } });
    expect(await response.json()).toEqual(['POST', '1', null, false, { parsed: true }]);
    expect(response.headers.get('content-length')).toBe(String('["POST","1",null,false,{"parsed":true}]'.length));
  });

  it('answers with its status and headers, and nothing where it has nothing', async () => {
    const url = await serve(() => Promise.resolve(new Response(null, { status: 202, headers: { 'x-two': '2' } })));

    const response = await fetch(url, { method: 'POST' });
    expect([response.status, response.headers.get('x-two'), await response.text()]).toEqual([202, '2', '']);
  });

  it('that throws is answered with 500', async () => {
    const url = await serve(() => Promise.reject(new Error('broken')));

    const response = await fetch(url, { method: 'POST' });
    expect([response.status, await response.json()]).toEqual([
      500,
      { jsonrpc: '2.0', id: null, error: { code: -32_603, message: 'Internal error' } },
    ]);
  });
});

describe('a stream', () => {
  const headers = { 'content-type': 'text/event-stream' };

  it('begins before its first message, and goes out as it comes', async () => {
    let write: (text: string) => void = () => undefined;
    let end: () => void = () => undefined;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        write = (text) => controller.enqueue(new TextEncoder().encode(text));
        end = () => controller.close();
      },
    });
    const url = await serve(() => Promise.resolve(new Response(body, { headers })));

    const reader = (await fetch(url, { method: 'POST' })).body?.pipeThrough(new TextDecoderStream()).getReader();
    write('one');
    expect((await reader?.read())?.value).toBe('one');
    write('two');
    expect((await reader?.read())?.value).toBe('two');
    end();
    expect((await reader?.read())?.done).toBe(true);
  });

  it('of a slow client waits for room, and brings all of it', async () => {
    const chunk = new Uint8Array(256 * 1024).fill(0x61);
    let left = 64;
    const body = new ReadableStream<Uint8Array>({ pull: (controller) => (left-- > 0 ? controller.enqueue(chunk) : controller.close()) });
    const url = await serve(() => Promise.resolve(new Response(body, { headers })));

    expect((await (await fetch(url, { method: 'POST' })).arrayBuffer()).byteLength).toBe(64 * chunk.length);
  });

  it('tells that its client has hung up, and only then', async () => {
    const gone = Promise.withResolvers<boolean>();
    const url = await serve(({ signal }) => {
      signal.addEventListener('abort', () => gone.resolve(true));
      return Promise.resolve(new Response(new ReadableStream(), { headers }));
    });
    const leaving = new AbortController();
    await fetch(url, { method: 'POST', signal: leaving.signal });
    leaving.abort();

    expect(await gone.promise).toBe(true);
  });
});
