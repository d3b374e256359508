import { describe, expect, it } from 'vitest';
import { createBearerTokens } from './bearer-tokens.js';

const authenticate = createBearerTokens(
  new Map([
    ['token-of-ada-0001', 'ada'],
    ['token-of-bob-0001', 'bob'],
  ]),
);

describe('a bearer token', () => {
  it('says who its holder is', () => {
    expect(authenticate('Bearer token-of-ada-0001')).toMatchObject({ clientId: 'ada', token: 'token-of-ada-0001' });
    expect(authenticate('bearer token-of-bob-0001').clientId).toBe('bob');
  });

  it.each([undefined, '', 'Bearer', 'Basic token-of-ada-0001', 'Bearer two words'])('is asked for in place of %j', (authorization) => {
    expect(() => authenticate(authorization)).toThrow(
      expect.objectContaining({ httpStatus: 401, headers: { 'www-authenticate': 'Bearer' } }) as Error,
    );
  });

  it.each(['Bearer token-of-ada-0002', 'Bearer ada'])('that is not known lets nobody in: %s', (authorization) => {
    expect(() => authenticate(authorization)).toThrow(
      expect.objectContaining({ httpStatus: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } }) as Error,
    );
  });
});
