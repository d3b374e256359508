import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../config.js';
import { createChallenges } from '../rpc/challenges.js';
import { createAuthenticator, DEADLINE_MS } from './authenticator.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a token that nobody can say anything about for long', () => {
  it('is answered with 503, before its client counts as silent', async () => {
    expect(DEADLINE_MS).toBeLessThan(readConfig({}).connections.bodySilenceMs);
    const errors: unknown[] = [];
    const authenticate = createAuthenticator({
      findHolder: () => undefined,
      issuers: new Map(),
      introspect: () => new Promise(() => undefined),
      challenges: createChallenges({ scopes: () => [] }),
      onError: (error) => void errors.push(error),
      onRefused: () => undefined,
    });
    const authorization = 'Bearer opaque-token-0001';
    const found = authenticate({ headers: { authorization }, rawHeaders: ['Authorization', authorization] });
    const refused = expect(found).rejects.toMatchObject({ httpStatus: 503, headers: { 'retry-after': '1' } });
    await vi.advanceTimersByTimeAsync(DEADLINE_MS);
    await refused;
    expect(errors).toHaveLength(1);
  });
});

describe('a token that cannot be found by trying', () => {
  const issuer = 'https://issuer.example';
  const tokenOf = (claims: unknown): string => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;
  const held = tokenOf({ iss: issuer, sub: 'held' });
  const authenticate = createAuthenticator({
    findHolder: (token) => (token === held ? { owner: 'user:3:ada', subject: 'ada' } : undefined),
    issuers: new Map([[issuer, () => Promise.reject(new Error('Nobody looks.'))]]),
    introspect: () => Promise.reject(new Error('Nobody asks.')),
    challenges: createChallenges({ scopes: () => [] }),
    onError: () => undefined,
    onRefused: () => undefined,
  });
  const isSigned = (...shown: string[]): boolean | undefined =>
    authenticate.isSigned?.({
      headers: { authorization: shown[0] },
      rawHeaders: shown.flatMap((authorization) => ['Authorization', authorization]),
    });

  it('names an issuer that is known, however it is shown', () => {
    expect(isSigned(`Bearer ${tokenOf({ iss: issuer })}`)).toBe(true);
    expect(isSigned(`DPoP ${tokenOf({ iss: issuer })}`)).toBe(true);
  });

  it.each<[string, readonly string[]]>([
    ['is of three parts alone', ['Bearer guessme1.guessme2.guessme3']],
    ['names nobody', [`Bearer ${tokenOf({ sub: 'ada' })}`]],
    ['names somebody else', [`Bearer ${tokenOf({ iss: 'https://other.example' })}`]],
    ['is a static one', [`Bearer ${held}`]],
    ['is one of two', [`Bearer ${tokenOf({ iss: issuer })}`, `Bearer ${held}`]],
    ['is shown by another scheme', [`Basic ${tokenOf({ iss: issuer })}`]],
  ])('is none that %s', (_what, shown) => {
    expect(isSigned(...shown)).toBe(false);
  });
});
