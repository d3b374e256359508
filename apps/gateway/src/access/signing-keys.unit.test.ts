import { type CryptoKey, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { COOLDOWN_MS, FRESH_MS, IssuerUnavailable, PATIENCE_MS, SigningKeys } from './signing-keys.js';

const STALE_MS = 60_000;

interface Key {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly jwk: object;
}

async function key(kid: string): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid } };
}

let first: Key;
let second: Key;

beforeAll(async () => {
  [first, second] = await Promise.all([key('first'), key('second')]);
});

/** An issuer whose answers and time the test controls. */
function issuer() {
  const state = { now: 0, fetches: 0, isDown: false, isHanging: false, keys: [first] };
  const failures: unknown[] = [];
  const keys = new SigningKeys({
    issuer: 'https://issuer.example',
    staleMs: STALE_MS,
    now: () => state.now,
    onError: (error) => void failures.push(error),
    fetchKeys: async () => {
      state.fetches += 1;
      if (state.isHanging) await new Promise(() => undefined);
      if (state.isDown) throw new Error('down');
      return { keys: state.keys.map(({ jwk }) => jwk) };
    },
  });
  const verify = async ({ kid, privateKey }: Key): Promise<unknown> => {
    const token = await new SignJWT({}).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey);
    return (await jwtVerify(token, keys.keyFor)).protectedHeader.kid;
  };
  return { state, failures, verify };
}

afterEach(() => void vi.useRealTimers());

describe('the keys of an issuer', () => {
  it('are fetched once for all who need them at first', async () => {
    const { state, verify } = issuer();
    expect(await Promise.all([verify(first), verify(first), verify(first)])).toEqual(['first', 'first', 'first']);
    expect(state.fetches).toBe(1);
  });

  it('are fetched again when they are old', async () => {
    const { state, verify } = issuer();
    await verify(first);
    state.now = FRESH_MS - 1;
    await verify(first);
    expect(state.fetches).toBe(1);
    state.now = FRESH_MS;
    state.keys = [second];
    await expect(verify(first)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
    expect(await verify(second)).toBe('second');
    expect(state.fetches).toBe(2);
  });

  it('are fetched again for one that is not known, but not again for a while', async () => {
    const { state, verify } = issuer();
    await verify(first);
    state.keys = [first, second];
    await expect(verify(second)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
    expect(state.fetches).toBe(1);
    state.now = COOLDOWN_MS;
    expect(await verify(second)).toBe('second');
    expect(state.fetches).toBe(2);
    await expect(verify(await key('third'))).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
    expect(state.fetches).toBe(2);
  });

  it('go on being used for the stated time while the issuer does not answer, and no longer', async () => {
    const { state, failures, verify } = issuer();
    await verify(first);
    state.isDown = true;
    state.now = FRESH_MS;
    expect(await verify(first)).toBe('first');
    expect(failures).toHaveLength(1);
    state.now = FRESH_MS + STALE_MS - 1;
    expect(await verify(first)).toBe('first');
    state.now = FRESH_MS + STALE_MS;
    await expect(verify(first)).rejects.toBeInstanceOf(IssuerUnavailable);
    state.isDown = false;
    state.now += COOLDOWN_MS;
    expect(await verify(first)).toBe('first');
  });

  it('are used soon while the issuer takes a request and does not answer', async () => {
    const { state, verify } = issuer();
    await verify(first);
    state.isHanging = true;
    state.now = FRESH_MS;
    vi.useFakeTimers();
    const verified = verify(first);
    await expect.poll(() => state.fetches).toBe(2);
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    expect(await verified).toBe('first');
  });

  it('are asked for again soon while there are none', async () => {
    const { state, verify } = issuer();
    state.isDown = true;
    await expect(verify(first)).rejects.toBeInstanceOf(IssuerUnavailable);
    await expect(verify(first)).rejects.toBeInstanceOf(IssuerUnavailable);
    expect(state.fetches).toBe(1);
    state.isDown = false;
    state.now = 1_000;
    expect(await verify(first)).toBe('first');
  });

  it('are none when the issuer answers something else', async () => {
    const { state, failures, verify } = issuer();
    state.keys = [{ ...first, jwk: 'no key' as never }];
    await expect(verify(first)).rejects.toBeInstanceOf(IssuerUnavailable);
    expect(failures).toHaveLength(1);
  });
});
