/** Tests attacks by pages and servers on their fetchers. */
import { isIP } from 'node:net';
import { gzipSync } from 'node:zlib';
import { LocalServers, type RequestListener } from '@longhaul/runtime/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { internet, LOCAL, PRIVATE, read } from './internet.fixture.js';

const servers = new LocalServers();
afterEach(() => servers.stop());

const serve = async (listener: RequestListener): Promise<string> => `http://localhost.test:${await servers.start(listener)}`;

const PUBLIC_NOT_HERE = { address: '203.0.113.7', family: 4 };

const refused = (url: string, host: string): string =>
  `Refused to fetch ${url}: ${host} resolves to ${isIP(host) ? `${host}, which is not a public address` : 'an address that is not public'}. ` +
  'Set LONGHAUL_FETCH_ALLOW_PRIVATE=1 to allow private, loopback and link-local addresses.';

describe('a redirect to a private address', () => {
  it.each([
    ['http://169.254.169.254/latest/meta-data/', '169.254.169.254'],
    ['http://[fd12::1]/', 'fd12::1'],
    ['http://[::ffff:a00:1]/', '::ffff:a00:1'],
    ['http://0x7f.1.test/', '0x7f.1.test'],
  ])('is not followed: %s', async (location, host) => {
    const url = await serve((_request, response) => response.writeHead(302, { location }).end());
    await expect(read(url, { network: internet([LOCAL], [PRIVATE]) })).rejects.toThrow(refused(location, host));
  });

  it('is not followed for robots.txt, and the page is not asked for', async () => {
    const paths: string[] = [];
    const url = await serve(({ url: path = '' }, response) => {
      paths.push(path);
      response.writeHead(302, { location: 'http://10.0.0.1/robots.txt' }).end();
    });
    await expect(read(url, { obeysRobots: true })).rejects.toThrow(refused('http://10.0.0.1/robots.txt', '10.0.0.1'));
    expect(paths).toEqual(['/robots.txt']);
  });

  it('is not followed by a name, and the refusal does not say what that resolves to', async () => {
    const url = await serve((_request, response) => response.writeHead(302, { location: 'http://inside.test/' }).end());
    const reading = read(url, { network: internet([LOCAL], [PRIVATE]) });
    await expect(reading).rejects.toThrow(refused('http://inside.test/', 'inside.test'));
    await expect(reading).rejects.not.toThrow('10.0.0.1');
  });
});

describe('DNS that changes between check and connect', () => {
  it('leads nowhere else: the address that was checked is the one that is connected to', async () => {
    const network = internet([LOCAL], [PRIVATE], [PRIVATE]);
    const url = await serve((_request, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('here'));
    expect((await read(url, { network })).text).toBe('here');
    expect(network.looked).toEqual(['localhost.test']);
  });

  it('is refused at the next connection', async () => {
    const url = await serve((_request, response) => response.writeHead(302, { location: '/again', connection: 'close' }).end());
    await expect(read(url, { network: internet([LOCAL], [PRIVATE]) })).rejects.toThrow(refused(`${url}/again`, 'localhost.test'));
  });

  it('is refused between robots.txt and the page', async () => {
    const url = await serve((_request, response) => response.writeHead(404, { connection: 'close' }).end());
    await expect(read(url, { obeysRobots: true, network: internet([LOCAL], [PRIVATE]) })).rejects.toThrow(
      refused(`${url}/`, 'localhost.test'),
    );
  });
});

describe('mixed answers of DNS', () => {
  it.each([
    ['first', [PRIVATE, LOCAL]],
    ['last', [LOCAL, PRIVATE]],
    ['among others', [LOCAL, PRIVATE, PUBLIC_NOT_HERE]],
  ])('are refused when one address is private, the %s', async (_which, addresses) => {
    let requests = 0;
    const url = await serve((_request, response) => response.end(`${++requests}`));
    await expect(read(url, { network: internet(addresses) })).rejects.toThrow(refused(`${url}/`, 'localhost.test'));
    expect(requests).toBe(0);
  });
});

describe('a slow server', () => {
  it('has a limit until there is a connection', async () => {
    // A name server that does not answer counts, too.
    const network = { ...internet(), lookup: () => undefined };
    await expect(read('http://slow.test/', { network, limits: { connectMs: 50 } })).rejects.toThrow(
      'Failed to fetch http://slow.test/: there was no connection within 50 ms, which is the limit',
    );
  });

  it('has a limit for headers', async () => {
    const url = await serve(() => undefined);
    await expect(read(url, { limits: { connectMs: 0, headersMs: 100 } })).rejects.toThrow(
      `Failed to fetch ${url}/: it has not answered within 100 ms, which is the limit`,
    );
  });

  it('has a limit for a slow body, although something comes all the time', async () => {
    const url = await serve((_request, response) => {
      const timer = setInterval(() => response.write('x'), 10);
      response.on('close', () => clearInterval(timer));
    });
    await expect(read(url, { limits: { bodyMs: 200 } })).rejects.toThrow(
      `Failed to fetch ${url}/: its body has not ended within 200 ms, which is the limit`,
    );
  });
});

describe('a large body', () => {
  const tooLarge = 'it is larger than 100000 bytes, which is the limit';

  it('is cut off when it is a zip bomb', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const url = await serve((_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    let bytes = 0;
    const reading = read(url, { maxBytes: 100_000, onProgress: (soFar) => void (bytes = soFar) });
    await expect(reading).rejects.toThrow(`Failed to fetch ${url}/: ${tooLarge}`);
    expect(bytes).toBeLessThanOrEqual(100_000);
  });

  it('is cut off when it never ends', async () => {
    const url = await serve((_request, response) => {
      const more = (): void => {
        while (response.write('x'.repeat(1_000)));
      };
      response.on('drain', more);
      more();
    });
    await expect(read(url, { maxBytes: 100_000 })).rejects.toThrow(tooLarge);
  });

  it('may be just the limit', async () => {
    const url = await serve((_request, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('x'.repeat(100_000)));
    expect((await read(url, { maxBytes: 100_000 })).text).toHaveLength(100_000);
  });
});
