/** Tests which tokens a listening gateway accepts, and the answers to other tokens. */
import { request } from 'node:http';
import { exportSPKI, generateKeyPair } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { protectedForTests, startProtected } from '../support/protected-service.js';
import { bearer, client2026, initialize, send } from '../support/requests.js';
import { PUBLIC_URL, type TestIssuer, issuerForTests } from '../support/test-issuer.js';

const METADATA = 'http://127.0.0.1:3000/.well-known/oauth-protected-resource/mcp';
const env = { LONGHAUL_TOKENS: 'ada:token-of-ada-0001', LONGHAUL_SCOPES: '{"required":["mcp"]}' };

const started = protectedForTests({ env });
const stranger = issuerForTests();
let issuer: TestIssuer;
let url: string;

beforeAll(() => {
  ({ issuer, url } = started);
});

const nowS = (): number => Math.floor(Date.now() / 1_000);
const good = { scope: 'mcp' };

/** The parts of a token, put together again. */
const unsigned = (header: object, claims: object): string =>
  `${[header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`;

describe('a good token', () => {
  it('is taken in both protocol versions', async () => {
    const token = await issuer.token({ claims: good });
    expect((await send(url, initialize, bearer(token))).status).toBe(200);
    expect(await client2026(url, token).call('tools/list')).toMatchObject({ status: 200, error: undefined });
  });

  it.each(['/', ''])('may name the endpoint with %j at its end, or among others', async (end) => {
    const token = await issuer.token({ claims: { ...good, aud: ['https://other.example', `${PUBLIC_URL}${end}`] } });
    expect((await client2026(url, token).call('tools/list')).status).toBe(200);
  });

  it('may be called JWT, as Keycloak and Auth0 do', async () => {
    const token = await issuer.token({ claims: { ...good, azp: 'app' }, header: { typ: 'JWT' } });
    expect((await client2026(url, token).call('tools/list')).status).toBe(200);
  });

  it('may be one of the static ones, which needs no scope', async () => {
    expect((await client2026(url, 'token-of-ada-0001').call('tools/list')).status).toBe(200);
  });

  it('may be signed with a key that its issuer has had for a moment only', async () => {
    const { issuer: other, url: at, close } = await startProtected();
    try {
      await other.addKey();
      expect((await client2026(at, await other.token()).call('tools/list')).status).toBe(200);
      expect(other.keyFetches).toBe(1);
    } finally {
      await close();
    }
  });
});

describe('a request without a token', () => {
  it('is answered with where to get one and what for, and with no error', async () => {
    const { status, challenge, error } = await send(url, initialize);
    expect(status).toBe(401);
    expect(challenge).toBe(`Bearer scope="mcp", resource_metadata="${METADATA}"`);
    expect(error).toMatchObject({ code: -32000, message: 'Unauthorized: a bearer token is required' });
  });

  it('has none when it stands in the query', async () => {
    const { status, challenge } = await send(`${url}?access_token=${await issuer.token({ claims: good })}`, initialize);
    expect(status).toBe(401);
    expect(challenge).not.toContain('error');
  });

  it.each(['GET', 'DELETE'])('is refused as a %s too', async (method) => {
    const response = await fetch(url, { method, headers: { accept: 'text/event-stream', 'mcp-session-id': 'any' } });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('resource_metadata=');
  });
});

/** Tokens that are not taken. */
const BAD: Readonly<Record<string, () => Promise<string>>> = {
  'is malformed': async () => 'not.a-token',
  'is of three parts that say nothing': async () => 'a.b.c',
  'is very long': async () => `a.${'b'.repeat(10_000)}.c`,
  'has expired': () => issuer.token({ claims: { ...good, exp: nowS() - 10 } }),
  'is for later': () => issuer.token({ claims: { ...good, nbf: nowS() + 60 } }),
  'has no end': () => issuer.token({ claims: { ...good, exp: undefined } as never }),
  'is for another audience': () => issuer.token({ claims: { ...good, aud: 'https://other.example/mcp' } }),
  'is for an endpoint below this one': () => issuer.token({ claims: { ...good, aud: `${PUBLIC_URL}/more` } }),
  'is for no audience': () => issuer.token({ claims: { ...good, aud: undefined } as never }),
  'is an ID token': () => issuer.token({ claims: { ...good, aud: 'app', nonce: 'n' }, header: { typ: 'JWT' } }),
  'is an ID token that is for this endpoint': () => issuer.token({ claims: { ...good, nonce: 'n' }, header: { typ: 'JWT' } }),
  'is called JWT and has no scopes': () => issuer.token({ claims: { scope: undefined }, header: { typ: 'JWT' } }),
  'is of a wrong type': () => issuer.token({ claims: good, header: { typ: 'logout+jwt' } }),
  'is of no type': () => issuer.token({ claims: good, header: { typ: undefined } as never }),
  'has the algorithm none': async () =>
    unsigned({ alg: 'none', typ: 'at+jwt' }, { iss: issuer.url, sub: 'ada', aud: PUBLIC_URL, exp: nowS() + 60, ...good }),
  'is signed with HS256 and the public key': async () =>
    issuer.token({
      claims: good,
      header: { alg: 'HS256' },
      key: new TextEncoder().encode(await exportSPKI(issuer.key.publicKey)),
    }),
  'names a key that its issuer does not have': () => issuer.token({ claims: good, header: { kid: 'unknown' } }),
  'is signed with another key of the same name': async () =>
    issuer.token({ claims: good, key: (await generateKeyPair('ES256')).privateKey }),
  'is of another issuer': () => stranger.token({ claims: good }),
  'is of another issuer, and names this one': () => stranger.token({ claims: { ...good, iss: issuer.url } }),
  'says where its key is': () =>
    stranger.token({ claims: { ...good, iss: issuer.url }, header: { jku: `${stranger.url}/keys`, kid: stranger.key.kid } }),
  'names nobody': () => issuer.token({ claims: { ...good, sub: undefined, client_id: undefined } as never }),
  'names nobody in a way that could be confused': () => issuer.token({ claims: { ...good, sub: 'ada\u0000eve' } }),
  'is bound to a certificate': () => issuer.token({ claims: { ...good, cnf: { 'x5t#S256': 'thumbprint' } } }),
  'is bound to a key and a certificate': () => issuer.token({ claims: { ...good, cnf: { jkt: 'one', 'x5t#S256': 'other' } } }),
  'has a critical header that nobody knows': () => issuer.token({ claims: good, header: { crit: ['exp2'], exp2: 1 } }),
};

describe('a token that', () => {
  it.each(Object.entries(BAD))('%s is refused', async (_what, make) => {
    const token = await make();
    const strangerFetches = stranger.keyFetches;
    for (const answer of [await send(url, initialize, bearer(token)), await client2026(url, token).call('tools/list')]) {
      expect(answer.status).toBe(401);
      expect(answer.challenge).toMatch(/^Bearer error="invalid_token", error_description="[^"]+", scope="mcp", resource_metadata="[^"]+"$/);
      expect(JSON.stringify(answer)).not.toContain(token);
    }
    expect(stranger.keyFetches).toBe(strangerFetches);
  });

  it('comes in two headers is refused, though both are good', async () => {
    const token = await issuer.token({ claims: good });
    const { hostname, port, pathname } = new URL(url);
    const status = await new Promise((resolve, reject) => {
      const headers = ['Host', `${hostname}:${port}`, 'Authorization', `Bearer ${token}`, 'authorization', `Bearer ${token}`];
      request({ hostname, port, path: pathname, method: 'GET', headers }, (response) => {
        response.resume();
        resolve([response.statusCode, response.headers['www-authenticate']]);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toEqual([401, expect.stringContaining('invalid_token')]);
  });

  it.each(['Basic', 'DPoP'])('comes by the scheme %s is refused', async (scheme) => {
    const { status, challenge } = await send(url, initialize, { authorization: `${scheme} ${await issuer.token({ claims: good })}` });
    expect(status).toBe(401);
    expect(challenge).toContain('error="invalid_token"');
  });
});

describe('keys that no issuer has', () => {
  it('have the keys fetched once at most, however many tokens name them', async () => {
    const before = issuer.keyFetches;
    const tokens = await Promise.all(
      Array.from({ length: 1_000 }, (_, n) => issuer.token({ claims: good, header: { kid: `unknown-${n}` } })),
    );
    const statuses = new Set<number>();
    for (let from = 0; from < tokens.length; from += 50)
      for (const { status } of await Promise.all(tokens.slice(from, from + 50).map((token) => send(url, initialize, bearer(token)))))
        statuses.add(status);

    // So many come from one address that its limit is reached. Signed tokens are still checked.
    expect([...statuses]).toEqual([401, 429]);
    expect(issuer.keyFetches - before).toBeLessThanOrEqual(1);
  });
});

describe('logs', () => {
  it('have no token, good or bad', async () => {
    const token = await issuer.token({ claims: good });
    const bad = await issuer.token({ claims: { ...good, aud: 'https://other.example' } });
    await client2026(url, token).call('tools/call', { name: 'broken', arguments: {} });
    await send(url, initialize, bearer(bad));
    const logged = JSON.stringify(started.service.logs);
    for (const each of [token, bad, 'token-of-ada-0001']) expect(logged).not.toContain(each);
  });
});
