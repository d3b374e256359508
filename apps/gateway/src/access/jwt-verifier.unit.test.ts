import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../config.js';
import { NO_SCOPES } from '../rpc/request-scopes.js';
import { createJwtVerifier, type VerifyToken } from './jwt-verifier.js';
import { FRESH_MS, SigningKeys } from './signing-keys.js';
import { TokenRejected } from './token-rejected.js';

const ISSUER = 'https://issuer.example';
const AUDIENCE = 'https://mcp.example/mcp';
const LIFE_S = 3_600;

describe('a signed token that is shown again and again', () => {
  let sign: () => Promise<string>;
  let keySet: { keys: object[] };
  let elapsedMs: number;
  /** How often a signature was verified. */
  let verified: number;
  let verify: VerifyToken;
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    keySet = { keys: [{ ...(await exportJWK(publicKey)), kid: 'first' }] };
    elapsedMs = 0;
    verified = 0;
    const keys = new SigningKeys({
      issuer: ISSUER,
      staleMs: 0,
      fetchKeys: async () => keySet,
      onError: () => undefined,
      now: () => elapsedMs,
    });
    verify = createJwtVerifier({
      settings: {
        issuer: ISSUER,
        algorithms: ['ES256'],
        leewayMs: 2_000,
        dpop: 'accepted',
        claims: { subject: 'sub', client: 'client_id', scopes: 'scope', pass: [] },
      },
      audiences: [AUDIENCE],
      scopes: NO_SCOPES,
      keys: {
        keyFor: (...of) => {
          verified += 1;
          return keys.keyFor(...of);
        },
        get fresh() {
          return keys.fresh;
        },
      },
    });
    sign = () =>
      new SignJWT({})
        .setProtectedHeader({ alg: 'ES256', kid: 'first', typ: 'at+jwt' })
        .setIssuer(ISSUER)
        .setSubject('ada')
        .setAudience(AUDIENCE)
        .setExpirationTime(Math.floor(Date.now() / 1_000) + LIFE_S)
        .sign(privateKey);
  });
  afterEach(() => void vi.useRealTimers());

  const shown = async (token: string, times: number): Promise<void> => {
    for (let time = 0; time < times; time++) expect(await verify(token)).toMatchObject({ subject: 'ada' });
  };

  it('is verified once the keys are known, and not again', async () => {
    const token = await sign();
    await shown(token, 1);
    verified = 0;
    await shown(token, 5);
    expect(verified).toBe(1);
  });

  it('is refused when it has expired', async () => {
    const token = await sign();
    await shown(token, 3);
    vi.setSystemTime(Date.now() + (LIFE_S + 10) * 1_000);
    await expect(verify(token)).rejects.toThrow(TokenRejected);
  });

  it('is refused when its issuer has its key no more, as soon as that is known', async () => {
    const token = await sign();
    await shown(token, 3);
    keySet = { keys: [] };
    elapsedMs = FRESH_MS;
    await expect(verify(token)).rejects.toThrow(TokenRejected);
  });

  it('is another one with another character', async () => {
    const token = await sign();
    await shown(token, 3);
    const at = token.length - 20;
    const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
    await expect(verify(changed)).rejects.toThrow(TokenRejected);
  });
});

describe('a token of an issuer', () => {
  const { issuers } = readConfig({ LONGHAUL_ISSUERS: JSON.stringify([{ issuer: ISSUER }]), LONGHAUL_PUBLIC_URL: AUDIENCE });
  const nowS = (): number => Math.floor(Date.now() / 1_000);
  const claims = { iss: ISSUER, sub: 'ada', aud: AUDIENCE, azp: 'app', scope: 'openid mcp' };

  /** Verifies a token with this header and these claims, under the given settings. */
  async function verified(header: object, more: object, settings: object = {}): Promise<unknown> {
    const [defaults] = issuers ?? [];
    if (defaults === undefined) throw new Error('There is no issuer.');
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const keys = { keyFor: async () => publicKey, fresh: undefined };
    const token = await new SignJWT({ exp: nowS() + 60, ...claims, ...more })
      .setProtectedHeader({ alg: 'ES256', ...header })
      .sign(privateKey);
    return createJwtVerifier({ settings: { ...defaults, ...settings }, audiences: [AUDIENCE], scopes: NO_SCOPES, keys })(token);
  }

  it.each<[string, object, object]>([
    ['Keycloak', { typ: 'JWT' }, { aud: [AUDIENCE, 'account'], typ: 'Bearer', preferred_username: 'ada' }],
    ['Auth0', { typ: 'JWT' }, { aud: [AUDIENCE, 'https://tenant.example/userinfo'] }],
    ['RFC 9068', { typ: 'at+jwt' }, { azp: undefined, client_id: 'app', scope: undefined }],
    ['RFC 7515, with the whole type', { typ: 'application/AT+JWT' }, {}],
  ])('is taken as those of %s are by default', async (_whose, header, more) => {
    expect(await verified(header, more)).toMatchObject({ subject: 'ada', client: 'app' });
  });

  it.each<[string, object, object, string]>([
    ['is an ID token by its nonce', { typ: 'JWT' }, { nonce: 'n' }, 'nonce'],
    ['is an ID token by a hash', { typ: 'JWT' }, { at_hash: 'h' }, 'at_hash'],
    ['is an ID token of Keycloak', { typ: 'JWT' }, { typ: 'ID' }, 'typ'],
    ['is a refresh token of Keycloak', { typ: 'JWT' }, { typ: 'Refresh' }, 'typ'],
    ['is for its client alone', { typ: 'JWT' }, { azp: AUDIENCE }, 'aud'],
    ['has no scopes', { typ: 'JWT' }, { scope: undefined }, 'scope'],
    ['has no type', {}, {}, 'typ'],
    ['is a proof', { typ: 'dpop+jwt' }, {}, 'typ'],
    ['is for others', { typ: 'JWT' }, { aud: 'https://other.example' }, 'aud'],
    ['is of others', { typ: 'JWT' }, { iss: 'https://other.example' }, 'iss'],
    ['has expired', { typ: 'at+jwt' }, { exp: nowS() - 40 }, 'exp'],
    ['is for later', { typ: 'at+jwt' }, { nbf: nowS() + 40 }, 'nbf'],
  ])('that %s is refused, with the claim and what was wanted of it', async (_what, header, more, claim) => {
    const misfit = { claim, wanted: expect.stringMatching(/./) as string };
    await expect(verified(header, more)).rejects.toMatchObject({ name: 'TokenRejected', misfit });
  });

  it('may be off by the clocks, as far as is set', async () => {
    for (const more of [{ exp: nowS() - 20 }, { nbf: nowS() + 20 }]) {
      expect(await verified({ typ: 'at+jwt' }, more)).toMatchObject({ subject: 'ada' });
      await expect(verified({ typ: 'at+jwt' }, more, { leewayMs: 5_000 })).rejects.toThrow(TokenRejected);
    }
  });

  it('has the type that is set, and no other', async () => {
    await expect(verified({ typ: 'JWT' }, {}, { type: 'at+jwt' })).rejects.toMatchObject({ misfit: { claim: 'typ', wanted: 'at+jwt' } });
    await expect(verified({ typ: 'at+jwt' }, {}, { type: 'JWT' })).rejects.toThrow(TokenRejected);
    expect(await verified({ typ: 'JWT' }, {}, { type: 'JWT' })).toMatchObject({ subject: 'ada' });
  });
});
