import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  AddressNotAllowed,
  fetch,
  guardedAgent,
  namedNetwork,
  type Network,
  proxyAgent,
  requireAllowedHost,
  rootCause,
  systemNetwork,
} from './guarded-agent.js';
import { isPublicAddress } from './public-address.js';
import { LocalServers } from './testing/local-servers.js';

const LOCAL: LookupAddress = { address: '127.0.0.1', family: 4 };
const PRIVATE: LookupAddress = { address: '10.0.0.1', family: 4 };

const servers = new LocalServers();
afterEach(() => servers.stop());

/** Resolves names to the given addresses, one after the other; every name is known. This machine counts as public. */
function network(...answers: readonly LookupAddress[][]): Network & { readonly looked: string[] } {
  const looked: string[] = [];
  return {
    looked,
    lookup(hostname, _options, callback) {
      const found = answers[looked.push(hostname) - 1];
      if (found === undefined) callback(new Error('no such name'), []);
      else callback(null, found);
    },
    isAllowed: (address) => address === LOCAL.address || isPublicAddress(address),
  };
}

async function get(url: string, through: Network, connectMs?: number): Promise<string> {
  const agent = guardedAgent(through, connectMs);
  try {
    return await (await fetch(url, { dispatcher: agent })).text();
  } catch (error) {
    throw rootCause(error);
  } finally {
    await agent.destroy();
  }
}

describe('a guarded connection', () => {
  it('goes to the address that was judged, also if the name resolves to another one a moment later', async () => {
    const port = await servers.start((_request, response) => response.end('here'));
    const changing = network([LOCAL], [PRIVATE]);
    expect(await get(`http://a.test:${port}/`, changing)).toBe('here');
    expect(changing.looked).toEqual(['a.test']);
    await expect(get(`http://a.test:${port}/`, changing)).rejects.toBeInstanceOf(AddressNotAllowed);
  });

  it.each([
    ['all', [PRIVATE]],
    ['the first', [PRIVATE, LOCAL]],
    ['the last', [LOCAL, PRIVATE]],
    ['an IPv6 one', [LOCAL, { address: '::ffff:10.0.0.1', family: 6 }]],
  ])('is refused when, of the addresses of a name, %s is private', async (_which, addresses) => {
    let requests = 0;
    const port = await servers.start((_request, response) => response.end(`${++requests}`));
    const refused = get(`http://a.test:${port}/`, network(addresses));
    await expect(refused).rejects.toMatchObject({ name: 'AddressNotAllowed', hostname: 'a.test' });
    await expect(refused).rejects.not.toThrow('10.0.0.1');
    expect(requests).toBe(0);
  });

  it.each(['http://10.0.0.1/', 'http://[fd12::1]/', 'http://0xa.1/'])('is refused to the address %s', async (url) => {
    await expect(get(url, network())).rejects.toBeInstanceOf(AddressNotAllowed);
  });

  it('fails when the name is unknown, has no address, or does not resolve in time', async () => {
    await expect(get('http://a.test/', network())).rejects.toThrow('no such name');
    await expect(get('http://a.test/', network([]))).rejects.toBeInstanceOf(AddressNotAllowed);
    await expect(get('http://a.test/', { ...network(), lookup: () => undefined }, 20)).rejects.toMatchObject({
      code: 'UND_ERR_CONNECT_TIMEOUT',
    });
  });

  it('never uses an address of a cloud for its machines, though the host was named by an operator', async () => {
    const metadata: LookupAddress = { address: '169.254.169.254', family: 4 };
    const lookup: Network['lookup'] = (_hostname, _options, callback) => callback(null, [LOCAL, metadata]);
    await expect(get('http://a.test/', { ...namedNetwork, lookup })).rejects.toThrow('a.test is at an address at which a cloud');
  });

  it('goes to this machine only where private addresses are allowed', async () => {
    const port = await servers.start((_request, response) => response.end('here'));
    expect(await get(`http://127.0.0.1:${port}/`, systemNetwork(true))).toBe('here');
    await expect(get(`http://127.0.0.1:${port}/`, systemNetwork(false))).rejects.toBeInstanceOf(AddressNotAllowed);
    await expect(get(`http://localhost:${port}/`, systemNetwork(false))).rejects.toBeInstanceOf(AddressNotAllowed);
  });
});

describe('a host that a proxy connects to', () => {
  const judged = (url: string, ...answers: readonly LookupAddress[][]): Promise<void> =>
    requireAllowedHost(new URL(url), network(...answers));

  it('is refused when one of its addresses is private', async () => {
    await expect(judged('http://a.test/', [LOCAL, PRIVATE])).rejects.toMatchObject({ hostname: 'a.test' });
    await expect(judged('http://10.0.0.1/')).rejects.toMatchObject({ hostname: '10.0.0.1' });
    await expect(judged('http://[::1]/')).rejects.toMatchObject({ hostname: '::1' });
  });

  it('is let through when all of them are public, and when only the proxy knows it', async () => {
    await expect(judged('http://a.test/', [LOCAL])).resolves.toBeUndefined();
    await expect(judged('http://8.8.8.8/')).resolves.toBeUndefined();
    await expect(judged('http://a.test/')).resolves.toBeUndefined();
  });

  it('is not even resolved where every address is allowed', async () => {
    const looked: string[] = [];
    const lookup: Network['lookup'] = (hostname, _options, callback) => {
      looked.push(hostname);
      callback(null, [PRIVATE]);
    };
    await requireAllowedHost(new URL('http://a.test/'), { ...systemNetwork(true), lookup });
    expect(looked).toEqual([]);
  });

  it('is asked for in the words of a proxy, or by a tunnel for https', async () => {
    const asked: string[] = [];
    const proxy = createServer(({ url = '' }, response) => {
      asked.push(url);
      response.end('by the proxy');
    });
    proxy.on('connect', ({ url = '' }, socket) => {
      asked.push(`tunnel to ${url}`);
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const agent = proxyAgent(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    expect(await (await fetch('http://a.test/x', { dispatcher: agent })).text()).toBe('by the proxy');
    await expect(
      fetch('https://a.test/x', { dispatcher: agent }).catch((error: unknown) => Promise.reject(rootCause(error))),
    ).rejects.toThrow('403');
    expect(asked).toEqual(['http://a.test/x', 'tunnel to a.test:443']);
    await agent.destroy();
    proxy.close();
  });
});
