import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { namedHostPost } from './named-host-fetch.js';

const TEXT = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: 'Grüße 🎉' } });
const LARGE = 'ä'.repeat(300_000);
const never = new AbortController().signal;

let server: Server;
let url: URL;
let answer: (request: IncomingMessage, response: ServerResponse, body: string) => void;
beforeEach(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => answer(request, response, body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp?x=1`);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const post = (body = '{}', signal: AbortSignal | null = never): Promise<Response> =>
  namedHostPost(url, { body, headers: new Headers({ 'content-type': 'application/json', 'x-key': 'k' }), signal });

describe('a text that is posted', () => {
  it('comes with its headers, and what a server answers is the response', async () => {
    answer = ({ url: path, method, headers }, response, body) =>
      response
        .writeHead(400, { 'mcp-session-id': 's', 'set-cookie': ['a=1', 'b=2'] })
        .end(JSON.stringify([path, method, headers['x-key'], headers['content-type'], headers['accept-encoding'], body]));
    const response = await post('"Grüße"');
    expect([response.status, response.ok, response.headers.get('mcp-session-id'), response.headers.getSetCookie()]).toEqual([
      400,
      false,
      's',
      ['a=1', 'b=2'],
    ]);
    expect(await response.json()).toEqual(['/mcp?x=1', 'POST', 'k', 'application/json', 'gzip, deflate, br', '"Grüße"']);
  });

  it.each([TEXT, LARGE, ''])('is answered with any text, with and without its length', async (text) => {
    answer = (_request, response) => void response.writeHead(200, { 'content-length': Buffer.byteLength(text) }).end(text);
    expect(await (await post()).text()).toBe(text);
    answer = (_request, response) => void response.writeHead(200).write(text, () => response.end());
    expect(await (await post()).text()).toBe(text);
  });

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('is answered in %s', async (encoding, encode) => {
    const encoded = encode(LARGE);
    answer = (_request, response) =>
      void response.writeHead(200, { 'content-encoding': encoding, 'content-length': encoded.length }).end(encoded);
    expect(await (await post()).text()).toBe(LARGE);
  });

  it('is answered without a body', async () => {
    answer = (_request, response) => void response.writeHead(204).end();
    const response = await post();
    expect([response.status, response.body]).toEqual([204, null]);
    answer = (_request, response) => void response.writeHead(202).end();
    expect(await (await post()).text()).toBe('');
  });

  it('follows no redirect', async () => {
    answer = (_request, response) => void response.writeHead(307, { location: '/other' }).end();
    const response = await post();
    expect([response.status, response.headers.get('location')]).toEqual([307, '/other']);
  });
});

describe('a stream that answers a text', () => {
  let sent: ServerResponse | undefined;
  beforeEach(() => {
    answer = (_request, response) => {
      sent = response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
    };
  });

  it('is read part by part', async () => {
    const reader = (await post()).body?.getReader();
    const next = async (): Promise<string> => Buffer.from((await reader?.read())?.value ?? []).toString();
    expect(await next()).toBe('data: 1\n\n');
    sent?.write('data: 2\n\n');
    expect(await next()).toBe('data: 2\n\n');
    sent?.end();
    expect(await reader?.read()).toEqual({ done: true, value: undefined });
  });

  it('fails when it breaks, with the reason as the cause', async () => {
    const response = await post();
    sent?.destroy();
    const error = await response.text().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'TypeError', message: 'terminated', cause: { code: 'UND_ERR_SOCKET' } });
  });

  it.each(['cancelled', 'aborted'])('ends at the server when it is %s', async (how) => {
    const abort = new AbortController();
    const response = await post('{}', abort.signal);
    const closed = new Promise((resolve) => sent?.on('close', resolve));
    if (how === 'cancelled') await response.body?.cancel();
    else {
      const read = response.text();
      abort.abort(new Error('not needed'));
      await expect(read).rejects.toThrow('not needed');
    }
    await closed;
  });
});

describe('a text that cannot be posted', () => {
  it('fails as with fetch, with the reason as the cause', async () => {
    server.close();
    server.closeAllConnections();
    expect(await post().catch((thrown: unknown) => thrown)).toMatchObject({
      name: 'TypeError',
      message: 'fetch failed',
      cause: { code: 'ECONNREFUSED' },
    });
  });

  it('fails with the reason of its signal, before and while it waits', async () => {
    const abort = new AbortController();
    answer = () => abort.abort(new Error('not needed'));
    await expect(post('{}', abort.signal)).rejects.toThrow('not needed');
    await expect(post('{}', abort.signal)).rejects.toThrow('not needed');
  });
});
