/** Tests tokens that are bound to a key (RFC 9449): they work with a valid proof, once, and with no other proof. */
import { request } from 'node:http';
import { openGateway, readConfig } from '@longhaul/gateway';
import { openMemoryStore, openSqliteStore } from '@longhaul/store-sqlite';
import { createFeatureRegistry } from '@longhaul/mcp-features';
import { generateKeyPair } from 'jose';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService } from '../../support/gateway/gateway.js';
import { forAllTests } from '../../support/for-all-tests.js';
import { TestFolder } from '../../support/test-folder.js';
import { AuthorizationServer, SERVICE_CLIENT } from '../support/authorization-server.js';
import { protectedForTests } from '../support/protected-service.js';
import { type ClientKey, clientKey, proof, type ProofOptions } from '../support/proofs.js';
import { bearer, client2026, initialize, send, type TokenAnswer } from '../support/requests.js';
import { accessSettings, PUBLIC_URL, TestIssuer } from '../support/test-issuer.js';

const started = protectedForTests();
const strict = protectedForTests({ issuer: { dpop: 'required' } });
const ALGS = 'ES256 ES384 ES512 PS256 RS256 EdDSA Ed25519';

let key: ClientKey;
let other: ClientKey;
let token: string;

beforeAll(async () => {
  [key, other] = await Promise.all([clientKey(), clientKey()]);
  token = await started.issuer.token({ claims: { cnf: { jkt: key.thumbprint } } });
});

const shown = (as: string, dpop: string): Record<string, string> => ({ authorization: `DPoP ${as}`, dpop });
const nowS = (): number => Math.floor(Date.now() / 1_000);

async function sendWith(options?: ProofOptions, by: ClientKey = key): Promise<TokenAnswer> {
  return send(started.url, initialize, shown(token, await proof(by, token, options)));
}

describe('a token that is bound to a key', () => {
  it('is taken with a proof, in each request of a session and of both protocol versions', async () => {
    const { status, session } = await sendWith();
    expect(status).toBe(200);
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const more = { 'mcp-session-id': session ?? '' };
    expect((await send(started.url, ping, { ...shown(token, await proof(key, token)), ...more })).status).toBe(200);
    const list = client2026(started.url, token).headersFor('tools/list');
    const body = { ...initialize, method: 'tools/list' };
    expect((await send(started.url, body, { ...shown(token, await proof(key, token)), ...list })).status).not.toBe(401);
    const get = await fetch(started.url, {
      headers: { accept: 'text/event-stream', ...shown(token, await proof(key, token, { claims: { htm: 'GET' } })), ...more },
    });
    expect(get.status).toBe(200);
    await get.body?.cancel();
  });

  it.each(['/', '?a=1', '#b'])('may have a proof for the URL with %j at its end', async (end) => {
    expect((await sendWith({ claims: { htu: `${PUBLIC_URL}${end}` } })).status).toBe(200);
  });

  const hostile: Readonly<Record<string, () => Promise<string>>> = {
    'is for another method': () => proof(key, token, { claims: { htm: 'GET' } }),
    'is for another URL': () => proof(key, token, { claims: { htu: 'https://other.example/mcp' } }),
    'is for a path below': () => proof(key, token, { claims: { htu: `${PUBLIC_URL}/more` } }),
    'is for no URL': () => proof(key, token, { claims: { htu: undefined } }),
    'is old': () => proof(key, token, { claims: { iat: nowS() - 61 } }),
    'is of the future': () => proof(key, token, { claims: { iat: nowS() + 60 } }),
    'does not say when it was made': () => proof(key, token, { claims: { iat: undefined as never } }),
    'is for another token': () => proof(key, 'another'),
    'is for no token': () => proof(key, token, { claims: { ath: undefined } }),
    'has no id': () => proof(key, token, { claims: { jti: undefined as never } }),
    'has a huge id': () => proof(key, token, { claims: { jti: 'x'.repeat(600) } }),
    'is of another key': () => proof(other, token),
    'names the key, and is signed with another one': () => proof(key, token, { signer: other.privateKey }),
    'is of another type': () => proof(key, token, { header: { typ: 'JWT' } }),
    'names no key': () => proof(key, token, { header: { jwk: undefined } }),
    'shows its private key': () => proof(key, token, { header: { jwk: key.privateJwk } }),
    'is signed with a shared secret': () =>
      proof(key, token, {
        header: { alg: 'HS256', jwk: { kty: 'oct', k: 'c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0MDE' } },
        signer: new TextEncoder().encode('secret-secret-secret-secret01'),
      }),
    'is signed by nobody': async () => {
      const [, claims = ''] = (await proof(key, token)).split('.');
      const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'dpop+jwt', jwk: key.publicJwk })).toString('base64url');
      return `${header}.${claims}.`;
    },
    'is the token itself': async () => token,
    'is no token': async () => 'nonsense',
    'came twice': async () => `${await proof(key, token)}, ${await proof(key, token)}`,
  };

  it.each(Object.entries(hostile))('is refused with a proof that %s', async (_what, make) => {
    const { status, challenge } = await send(started.url, initialize, shown(token, await make()));
    expect(status).toBe(401);
    expect(challenge).toMatch(
      new RegExp(`^DPoP error="invalid_dpop_proof", error_description="[^"]+", algs="${ALGS}", resource_metadata="[^"]+"$`),
    );
  });

  it('is refused in two headers with a proof each', async () => {
    const { hostname, port, pathname } = new URL(started.url);
    const headers = ['Host', `${hostname}:${port}`, 'Content-Type', 'application/json', 'Accept', 'application/json, text/event-stream'];
    headers.push('Authorization', `DPoP ${token}`, 'DPoP', await proof(key, token), 'DPoP', await proof(key, token));
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request({ hostname, port, path: pathname, method: 'POST', headers }, (response) =>
        resolve(response.resume().statusCode),
      );
      sent.on('error', reject).end(JSON.stringify(initialize));
    });
    expect(status).toBe(401);
  });

  it('is refused without a proof, and as a bearer token, be there a proof or not', async () => {
    const withProof = { ...bearer(token), dpop: await proof(key, token) };
    for (const headers of [{ authorization: `DPoP ${token}` }, bearer(token), withProof]) {
      const { status, challenge } = await send(started.url, initialize, headers);
      expect(status).toBe(401);
      expect(challenge).toContain('DPoP error="invalid_dpop_proof"');
    }
  });

  it('is what is shown as one: neither a bearer token nor a static one', async () => {
    const plain = await started.issuer.token();
    const { status, challenge } = await send(started.url, initialize, shown(plain, await proof(key, plain)));
    expect(status).toBe(401);
    expect(challenge).toContain('bound to no key');
    expect((await send(started.url, initialize, bearer(plain))).status).toBe(200);
  });

  it('is no claim that features see', async () => {
    const { issuer, url } = started;
    const bound = await issuer.token({ claims: { cnf: { jkt: key.thumbprint } } });
    const opened = await send(url, initialize, shown(bound, await proof(key, bound)));
    expect(JSON.stringify(opened)).not.toContain(key.thumbprint);
  });
});

describe('an issuer whose tokens have to be bound', () => {
  it('has others refused, and says what clients need', async () => {
    const challenged = await send(strict.url, initialize);
    expect(challenged.challenge).toMatch(new RegExp(`^DPoP algs="${ALGS}", resource_metadata=`));
    const plain = await send(strict.url, initialize, bearer(await strict.issuer.token()));
    expect(plain).toMatchObject({ status: 401, challenge: expect.stringContaining('bound to no key') as string });
    const bound = await strict.issuer.token({ claims: { cnf: { jkt: key.thumbprint } } });
    expect((await send(strict.url, initialize, shown(bound, await proof(key, bound)))).status).toBe(200);
    const metadata = await fetch(new URL('/.well-known/oauth-protected-resource/mcp', strict.url));
    expect(await metadata.json()).toMatchObject({ dpop_bound_access_tokens_required: true });
  });
});

describe.each(['memory', 'SQLite'] as const)('a proof that was shown, with two gateways on %s', (name) => {
  const deployed = forAllTests(
    async () => {
      const issuer = await TestIssuer.start();
      const folder = new TestFolder();
      const onError = (): void => undefined;
      const memory = openMemoryStore({ onError });
      const open = async () => {
        return name === 'memory' ? memory : openSqliteStore({ path: folder.dataFile, onError });
      };
      const first = await open();
      const gateways = await Promise.all(
        [first, name === 'memory' ? first : await open()].map(async (store) => {
          const config = {
            ...readConfig({}),
            secret: 'a secret of the tests',
            port: 0,
            drainMs: 0,
            ...accessSettings(readConfig, [issuer.setting()]),
          };
          const gateway = await openGateway({
            store,
            config,
            features: createFeatureRegistry([]),
            logger: pino({ level: 'silent' }),
          });
          return { gateway, store, url: await gateway.listen() };
        }),
      );
      return { issuer, gateways, folder };
    },
    async ({ issuer, gateways, folder }) => {
      await Promise.all(gateways.map(({ gateway }) => gateway.close()));
      await Promise.all([...new Set(gateways.map(({ store }) => store))].map((store) => store.close()));
      await issuer.close();
      folder.remove();
    },
  );

  it('is good at none of them any more', async () => {
    const { issuer, gateways } = deployed;
    const bound = await issuer.token({ claims: { cnf: { jkt: key.thumbprint } } });
    const headers = shown(bound, await proof(key, bound));
    const statuses = await Promise.all(
      gateways.flatMap(({ url }) => [url, url]).map(async (url) => (await send(url, initialize, headers)).status),
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401]);
    const again = await send(gateways[1]?.url ?? '', initialize, headers);
    expect(again.challenge).toContain('the proof was shown before');
  });
});

describe('a real authorization server', () => {
  let service: Awaited<ReturnType<typeof startService>> | undefined;
  let server: AuthorizationServer | undefined;

  afterAll(async () => {
    await service?.close();
    await server?.close();
  });

  it('binds its tokens to the key of a client, which comes in with them', async () => {
    server = await AuthorizationServer.start({ resource: () => PUBLIC_URL, scopes: ['tools'] });
    service = await startService({ settings: accessSettings(readConfig, [{ issuer: server.issuer, dpop: 'required' }]) });
    const url = await service.listen();
    const { token_endpoint: endpoint } = (await (await fetch(`${server.issuer}/.well-known/openid-configuration`)).json()) as {
      token_endpoint: string;
    };
    const credentials = `${encodeURIComponent(SERVICE_CLIENT.id)}:${encodeURIComponent(SERVICE_CLIENT.secret)}`;
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
        dpop: await proof(key, '', { claims: { htu: endpoint, ath: undefined } }),
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', resource: PUBLIC_URL, scope: 'tools' }),
    });
    const { access_token: bound, token_type: type } = (await response.json()) as { access_token: string; token_type: string };
    expect(type).toBe('DPoP');
    expect((await send(url, initialize, shown(bound, await proof(key, bound)))).status).toBe(200);
    expect((await send(url, initialize, bearer(bound))).status).toBe(401);
    expect((await send(url, initialize, shown(bound, await proof(other, bound)))).status).toBe(401);
    const { privateKey } = await generateKeyPair('ES256');
    expect((await send(url, initialize, shown(bound, await proof(key, bound, { signer: privateKey })))).status).toBe(401);
  });
});
