import { gzipSync } from 'node:zlib';
import { LocalServers, type RequestListener } from '@longhaul/runtime/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { extractionHere, internet, LIMITS, read } from './internet.fixture.js';
import { PageReader } from './page-reader.js';

const servers = new LocalServers();
afterEach(() => servers.stop());

const serve = async (listener: RequestListener): Promise<string> => `http://localhost.test:${await servers.start(listener)}`;
const page =
  (contentType: string | undefined, body: string): RequestListener =>
  (_request, response) =>
    response.writeHead(200, contentType === undefined ? {} : { 'content-type': contentType }).end(body);

const HTML = '<html><body><article><h2>Title</h2><p>Some text, <b>bold</b>.</p></article></body></html>';
const MARKDOWN = '## Title\n\nSome text, **bold**.';
const rawPrefix = (type: string): string => `Content type ${type} cannot be simplified to markdown, but here is the raw content:\n`;

describe('a page', () => {
  it.each([
    ['of the type text/html', 'text/html; charset=utf-8', HTML],
    ['of no type', undefined, HTML],
    ['that begins like HTML, of any type', 'application/octet-stream', HTML],
    ['of the type text/html, with any beginning', 'text/html', HTML.replace(/<html>|<\/html>/g, '')],
  ])('becomes Markdown %s', async (_what, type, body) => {
    expect(await read(await serve(page(type, body)))).toEqual({ prefix: '', text: MARKDOWN });
  });

  it('is returned as it is when it is no HTML', async () => {
    const url = await serve(page('application/json', '{"key": "value"}'));
    expect(await read(url)).toEqual({ prefix: rawPrefix('application/json'), text: '{"key": "value"}' });
  });

  it('is returned as it is when the caller asks for that', async () => {
    expect(await read(await serve(page('text/html', HTML)), { raw: true })).toEqual({ prefix: rawPrefix('text/html'), text: HTML });
  });

  it('is cut and returned as it is when it has more HTML than is simplified', async () => {
    const html = `<html><body>${'é'.repeat(500)}`;
    const url = await serve(page('text/html', html));
    const whole = { prefix: '', text: 'é'.repeat(500) };
    expect(await read(url, { maxHtmlBytes: Buffer.byteLength(html) })).toEqual(whole);
    const prefix =
      'This page has 1012 bytes of HTML. At most 101 bytes are simplified to markdown, ' +
      'so here is the beginning of its raw content, cut at that size:\n';
    // The 101st byte is the first half of a character.
    expect(await read(url, { maxHtmlBytes: 101 })).toEqual({ prefix, text: html.slice(0, 12 + 44) });
    expect((await read(url, { maxHtmlBytes: 101, raw: true })).text).toBe(html);
    expect((await read(await serve(page('text/plain', 'x'.repeat(500))), { maxHtmlBytes: 101 })).text).toHaveLength(500);
  });

  it('says so when there is nothing to read', async () => {
    const { text } = await read(await serve(page('text/html', '<html><body></body></html>')));
    expect(text).toBe('<error>Page failed to be simplified from HTML</error>');
  });

  it('says so when it is the whole body, because an article would have lost most of it', async () => {
    const { prefix, text } = await read(
      await serve(page('text/html', '<html><body><div hidden>Uncovered by a script</div></body></html>')),
    );
    expect(prefix).toBe('Simplification would have lost most of this page, so here is the content of its whole body:\n');
    expect(text).toBe('Uncovered by a script');
  });

  it('is where redirects lead, and its links are relative to that', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/a') response.writeHead(302, { location: '/b/c' }).end();
      else page('text/html', '<html><body><p><a href="d">on</a></p></body></html>')(request, response);
    });
    expect((await read(`${url}/a`)).text).toBe(`[on](${url}/b/d)`);
  });

  it.each([
    ['in UTF-8', 'utf8', '/caf%C3%A9%20%F0%9F%8E%89/a%20b?q=%C3%A9#top'],
    ['in latin1', 'latin1', '/caf%E9%20%3C/a%20b?q=%E9#top'],
  ] as const)('is where a redirect leads that is written raw %s, which is encoded once', async (_how, encoding, expected) => {
    const raw = encoding === 'utf8' ? '/café%20🎉/a b?q=é#top' : '/café%20%3C/a b?q=é#top';
    const url = await serve(({ url: path = '' }, response) => {
      if (path === '/') response.writeHead(302, { location: Buffer.from(raw, encoding).toString('latin1') }).end();
      else response.writeHead(200, { 'content-type': 'text/plain' }).end(path);
    });
    expect(`${(await read(url)).text}#top`).toBe(expected);
  });

  it('is asked for with the user agent of the caller, and nothing that identifies more', async () => {
    const url = await serve(({ headers }, response) =>
      response.writeHead(200, { 'content-type': 'text/plain' }).end(JSON.stringify(headers)),
    );
    const headers = JSON.parse((await read(url, { userAgent: 'MyBot' })).text) as Record<string, string>;
    expect(headers).toMatchObject({ 'user-agent': 'MyBot', accept: '*/*' });
    expect(headers).not.toHaveProperty('cookie');
  });

  it('says how many bytes have come, and how many there are if the server says so', async () => {
    const reported: (number | undefined)[][] = [];
    const onProgress = (bytes: number, total: number | undefined): unknown => reported.push([bytes, total]);
    const body = 'x'.repeat(200_000);
    const url = await serve(({ url: path }, response) => {
      if (path === '/plain') response.writeHead(200, { 'content-length': body.length }).end(body);
      else response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(body));
    });
    await read(`${url}/plain`, { onProgress, raw: true });
    expect(reported.at(-1)).toEqual([200_000, 200_000]);
    expect(reported.length).toBeGreaterThan(1);
    await read(`${url}/zipped`, { onProgress, raw: true });
    expect(reported.at(-1)).toEqual([200_000, undefined]);
  });
});

describe('a page that cannot be had', () => {
  it.each([400, 404, 500, 503])('names the status %d', async (status) => {
    const url = await serve((_request, response) => response.writeHead(status).end('nope'));
    await expect(read(`${url}/x`)).rejects.toThrow(`Failed to fetch ${url}/x - status code ${status}`);
  });

  it('names what is wrong with the connection', async () => {
    await expect(read('http://127.0.0.1:2/')).rejects.toThrow(/^Failed to fetch http:\/\/127.0.0.1:2\/: connect ECONNREFUSED/);
    await expect(read('http://a.test/', { network: internet([]) })).rejects.toThrow('Failed to fetch http://a.test/: no such name: a.test');
  });

  it.each([
    ['ftp://a.test/', 'ftp: is not supported, only http: and https: are'],
    ['file:///etc/passwd', 'file: is not supported'],
    ['http://ada:hush@a.test/', 'a URL must not have a user name or a password'],
  ])('is one at %s', async (url, reason) => {
    await expect(read(url)).rejects.toThrow(`Failed to fetch ${url}: ${reason}`);
    const from = await serve((_request, response) => response.writeHead(302, { location: url }).end());
    await expect(read(from)).rejects.toThrow(`Failed to fetch ${from}/: ${reason}`);
  });

  it.each([
    ['image/png', 'image/png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
    ['Application/PDF', 'application/pdf', '%PDF-1.7'],
    ['text/html', 'application/pdf', '%PDF-1.7'],
    ['application/octet-stream', 'application/zip', 'PK\x03\x04\x14\0\0\0\x08\0'],
  ])('is binary data of the type %s, also raw: it is %s', async (type, name, body) => {
    const url = await serve((_request, response) => response.writeHead(200, { 'content-type': type }).end(body, 'latin1'));
    for (const raw of [false, true])
      await expect(read(url, { raw })).rejects.toThrow(`Failed to fetch ${url}/: it is binary data (${name}), which has no text to show`);
  });

  it('is one of more than 20 redirects', async () => {
    const url = await serve(({ url: path = '' }, response) => {
      const left = Number(path.slice(1));
      if (left === 0) page('text/plain', 'there')({} as never, response);
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    expect((await read(`${url}/20`)).text).toBe('there');
    await expect(read(`${url}/21`)).rejects.toThrow(`Failed to fetch ${url}/21: there were more than 20 redirects`);
  });

  it('ends with the reason of the caller when the caller aborts, also while it comes', async () => {
    for (const begin of [() => undefined, ((_request, response) => response.write('x')) satisfies RequestListener]) {
      const caller = new AbortController();
      const closed = Promise.withResolvers<void>();
      const url = await serve((request, response) => {
        request.on('close', closed.resolve);
        begin(request, response);
        caller.abort(new Error('cancelled'));
      });
      await expect(read(url, { signal: caller.signal })).rejects.toThrow(/^cancelled$/);
      await closed.promise;
    }
  });
});

describe('pages that come at the same time', () => {
  it('have a limit of bytes for each caller and together, and make room for others when they have come', async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).write('x'.repeat(900));
      void mayEnd.then(() => response.end());
    });
    const reader = new PageReader({ network: internet(), limits: LIMITS, maxBytes: 1_000 }, extractionHere, 1_000);
    const request = { url: new URL(url), raw: true, userAgent: 'x', obeysRobots: false, signal: new AbortController().signal };
    const begin = async (owner: string) => {
      const { promise: begun, resolve: onProgress } = Promise.withResolvers<number>();
      const page = reader.read({ ...request, owner, onProgress });
      await begun;
      return { page };
    };
    const begun = await Promise.all(Array.from({ length: 4 }, () => begin('ada')));
    const fifth = reader.read({ ...request, owner: 'ada' });
    const note = 'Pages of more than 4000 bytes in all are being fetched for this caller at the moment. Try again later.';
    await expect(fifth).rejects.toThrow(note);
    await expect(fifth).rejects.toMatchObject({ name: 'NotNow' });
    begun.push(...(await Promise.all(Array.from({ length: 4 }, () => begin('bob')))));
    const ninth = reader.read({ ...request, owner: 'carol' });
    await expect(ninth).rejects.toThrow('Pages of more than 8000 bytes in all are being fetched at the moment. Try again later.');
    end();
    await Promise.all(begun.map(({ page: coming }) => coming));
    expect((await reader.read({ ...request, owner: 'ada' })).text).toHaveLength(900);
  });
});

describe('a proxy', () => {
  it('is asked for every page, and for none that is at a private address', async () => {
    const asked: string[] = [];
    const proxy = await servers.start(({ url = '' }, response) => {
      asked.push(url);
      response.writeHead(200, { 'content-type': 'text/plain' }).end('through the proxy');
    });
    const proxyUrl = `http://127.0.0.1:${proxy}`;
    expect((await read('http://page.test/a', { proxyUrl })).text).toBe('through the proxy');
    await expect(read('http://inside.test/', { proxyUrl, network: internet([{ address: '10.0.0.1', family: 4 }]) })).rejects.toThrow(
      'Refused to fetch http://inside.test/',
    );
    await expect(read('http://[::1]/', { proxyUrl })).rejects.toThrow('Refused to fetch http://[::1]/: ::1 resolves to ::1');
    expect((await read('http://only-the-proxy-knows.test/', { proxyUrl, network: internet([]) })).text).toBe('through the proxy');
    expect(asked).toEqual(['http://page.test/a', 'http://only-the-proxy-knows.test/']);
  });
});
