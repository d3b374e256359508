import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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
        type: 'at+jwt',
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
