import type { LookupAddress } from 'node:dns';
import { gzipSync } from 'node:zlib';
import { isPublicAddress, type Network } from '@longhaul/runtime/guarded-agent';
import { afterEach, describe, expect, it } from 'vitest';
import { LocalServers, type RequestListener } from '@longhaul/runtime/testing';
import { type DownloadLimits, DEFAULT_DOWNLOAD_LIMITS } from './download-limits.js';
import { download } from './download.js';

const LOCAL: LookupAddress = { address: '127.0.0.1', family: 4 };
const PRIVATE: LookupAddress = { address: '10.0.0.1', family: 4 };

const servers = new LocalServers();

afterEach(() => servers.stop());

const serve = async (listener: RequestListener): Promise<string> => `localhost.test:${await servers.start(listener)}`;

/** An Internet that has this machine in it; names are at the given addresses, one after the other, and then here. */
function internet(...addresses: readonly LookupAddress[][]): Network & { readonly looked: string[] } {
  const looked: string[] = [];
  return {
    looked,
    lookup(hostname, _options, callback) {
      callback(null, addresses[looked.push(hostname) - 1] ?? [LOCAL]);
    },
    isAllowed: (address) => address === LOCAL.address || isPublicAddress(address),
  };
}

async function get(url: string, limits: Partial<DownloadLimits> = {}, network: Network = internet()): Promise<string> {
  const { signal } = new AbortController();
  const bytes = await download(url, { limits: { ...DEFAULT_DOWNLOAD_LIMITS, ...limits }, signal, network });
  return Buffer.from(bytes).toString();
}

describe('a file', () => {
  it.each([
    ['data:,hello', 'hello'],
    ['data:text/plain;base64,aGVsbG8=', 'hello'],
    ['data:,', ''],
  ])('can be in the URL %s', async (url, text) => {
    expect(await get(url)).toBe(text);
  });

  it('can be at a server, compressed on its way or not', async () => {
    const host = await serve(({ url }, response) => {
      if (url === '/plain') response.end('plain');
      else response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('zipped'));
    });
    expect(await get(`http://${host}/plain`)).toBe('plain');
    expect(await get(`http://${host}/zipped`)).toBe('zipped');
  });

  it('can be where redirects lead', async () => {
    const host = await serve(({ url = '' }, response) => {
      const hop = Number(url.slice(1));
      if (hop === 0) response.end('there');
      else response.writeHead(302, { location: `/${hop - 1}` }).end('on');
    });
    expect(await get(`http://${host}/5`)).toBe('there');
    await expect(get(`http://${host}/6`)).rejects.toThrow('There were more than 5 redirects.');
  });

  it('is none when the server says so', async () => {
    const host = await serve((_request, response) => response.writeHead(404).end('an error page'));
    await expect(get(`http://${host}/`)).rejects.toThrow('The server answered with status 404.');
  });

  it('is none when the server is not there', async () => {
    await expect(get('http://127.0.0.1:2/')).rejects.toThrow('ECONNREFUSED');
    const lookup: Network['lookup'] = (_hostname, _options, callback) => callback(new Error('no such name'), []);
    await expect(get('http://a.test/', {}, { ...internet(), lookup })).rejects.toThrow('no such name');
  });
});

describe('the size of a file', () => {
  it('is judged by what is declared', async () => {
    const host = await serve((_request, response) => response.writeHead(200, { 'content-length': '11' }).write('x'));
    await expect(get(`http://${host}/`, { maxBytes: 10 })).rejects.toThrow('It is larger than 10 bytes, which is the limit.');
  });

  it('is judged by what comes, when nothing is declared and it never ends', async () => {
    const host = await serve((_request, response) => {
      const more = (): void => {
        while (response.write('x'.repeat(1_000)));
      };
      response.on('drain', more);
      more();
    });
    await expect(get(`http://${host}/`, { maxBytes: 100_000 })).rejects.toThrow('It is larger than 100000 bytes');
  });

  it('is judged after it was decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(1_000_000));
    const host = await serve((_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    await expect(get(`http://${host}/`, { maxBytes: 100_000 })).rejects.toThrow('It is larger than 100000 bytes');
  });

  it('may be just the limit', async () => {
    expect(await get('data:,hello', { maxBytes: 5 })).toBe('hello');
    await expect(get('data:,hello', { maxBytes: 4 })).rejects.toThrow('It is larger than 4 bytes');
  });
});

describe('the time of a download', () => {
  it.each([
    ['a server that does not answer', () => undefined],
    ['a body that does not end', ((_request, response) => response.write('x')) satisfies RequestListener],
  ])('is limited for %s', async (_what, listener) => {
    const host = await serve(listener);
    await expect(get(`http://${host}/`, { maxMs: 50 })).rejects.toThrow('It took longer than 50 ms, which is the limit.');
  });

  it('ends when the caller aborts', async () => {
    const caller = new AbortController();
    const host = await serve(() => caller.abort(new Error('cancelled')));
    const options = { limits: DEFAULT_DOWNLOAD_LIMITS, signal: caller.signal, network: internet() };
    await expect(download(`http://${host}/`, options)).rejects.toThrow('cancelled');
  });
});

describe('a download from a private address', () => {
  const refusal = /is not at a public address/;

  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'https://169.254.169.254/latest/meta-data',
    'http://localhost/',
  ])('is refused by default: %s', async (url) => {
    const { signal } = new AbortController();
    await expect(download(url, { limits: DEFAULT_DOWNLOAD_LIMITS, signal })).rejects.toThrow(refusal);
  });

  it('is made when it is allowed', async () => {
    const host = await serve((_request, response) => response.end('inside'));
    const url = `http://${host.replace('localhost.test', '127.0.0.1')}/`;
    const limits = { ...DEFAULT_DOWNLOAD_LIMITS, allowPrivateAddresses: true };
    expect(Buffer.from(await download(url, { limits, signal: new AbortController().signal })).toString()).toBe('inside');
  });

  it('is refused when the name of a host leads there, and the error does not say where', async () => {
    const network = internet([PRIVATE]);
    const refused = get('http://inside.test/', {}, network);
    await expect(refused).rejects.toThrow('inside.test is not at a public address');
    await expect(refused).rejects.not.toThrow('10.0.0.1');
    expect(network.looked).toEqual(['inside.test']);
  });

  it.each([
    ['first', [PRIVATE, LOCAL]],
    ['last', [LOCAL, PRIVATE]],
  ])('is refused when one of several addresses of a host is private, the %s', async (_which, addresses) => {
    let requests = 0;
    const host = await serve((_request, response) => response.end(`${++requests}`));
    await expect(get(`http://${host}/`, {}, internet(addresses))).rejects.toThrow(refusal);
    expect(requests).toBe(0);
    expect(await get(`http://${host}/`, {}, internet([LOCAL, LOCAL]))).toBe('1');
  });

  it.each(['http://10.0.0.1/', 'http://[fd12::1]/', 'http://[::ffff:a00:1]/'])('is refused after a redirect to %s', async (location) => {
    const host = await serve((_request, response) => response.writeHead(307, { location }).end());
    await expect(get(`http://${host}/`)).rejects.toThrow(refusal);
  });

  it('is refused when a name leads there the second time', async () => {
    const host = await serve((_request, response) => {
      response.writeHead(302, { location: '/again', connection: 'close' }).end();
    });
    const network = internet([LOCAL], [PRIVATE]);
    await expect(get(`http://${host}/`, {}, network)).rejects.toThrow(refusal);
    expect(network.looked).toHaveLength(2);
  });
});

describe('the domain of a file', () => {
  it('is one of the list, or below one', async () => {
    const host = await serve((_request, response) => response.end('ok'));
    const inList = (url: string, ...allowedDomains: string[]) => get(url, { allowedDomains });
    expect(await inList(`http://${host}/`, 'a.test', 'Localhost.test')).toBe('ok');
    expect(await inList(`http://x.${host}/`, 'localhost.test')).toBe('ok');
    expect(await inList(`http://${host.replace('test:', 'test.:')}/`, 'localhost.test')).toBe('ok');
    expect(await inList(`http://xn--bcher-kva.test:${host.split(':')[1]}/`, 'bücher.test')).toBe('ok');
    await expect(inList(`http://${host}/`, 'host.test')).rejects.toThrow('Domain localhost.test is not in the allowed domains list.');
    await expect(inList(`http://localhost.test.evil/`, 'localhost.test')).rejects.toThrow('Domain localhost.test.evil is not');
    expect(await inList('data:,x', 'localhost.test')).toBe('x');
  });

  it('is judged after a redirect too', async () => {
    const host = await serve((_request, response) => response.writeHead(301, { location: 'http://other.test/' }).end());
    await expect(get(`http://${host}/`, { allowedDomains: ['localhost.test'] })).rejects.toThrow('Domain other.test is not');
  });
});

describe('a URL that is not followed', () => {
  it.each([
    ['data:,x', 'A redirect to a data: URL is not followed.'],
    ['file:///etc/passwd', 'A redirect to a file: URL is not followed.'],
    ['http://ada:hush@a.test/', 'A URL must not have a user name or a password.'],
  ])('after a redirect is %s', async (location, message) => {
    const host = await serve((_request, response) => response.writeHead(302, { location }).end());
    await expect(get(`http://${host}/`)).rejects.toThrow(message);
  });
});
