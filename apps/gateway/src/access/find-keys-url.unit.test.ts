import { describe, expect, it } from 'vitest';
import { findKeysUrl } from './find-keys-url.js';

const ISSUER = 'https://issuer.example/realm';
const PLACES = [
  'https://issuer.example/.well-known/oauth-authorization-server/realm',
  'https://issuer.example/.well-known/openid-configuration/realm',
  'https://issuer.example/realm/.well-known/openid-configuration',
];

describe('where an issuer has its keys', () => {
  it.each(PLACES)('is found at %s while nothing else answers', async (place) => {
    const asked: string[] = [];
    const found = await findKeysUrl(ISSUER, (url) => {
      asked.push(url);
      return url === place ? Promise.resolve({ issuer: ISSUER, jwks_uri: 'https://issuer.example/keys' }) : new Promise(() => undefined);
    });
    expect(found).toBe('https://issuer.example/keys');
    expect(asked).toEqual(PLACES);
  });

  it('is not what another issuer says, nor what could be read on the way', async () => {
    const [first, second, third] = PLACES;
    const answers = new Map<string | undefined, object>([
      [first, { issuer: 'https://other.example', jwks_uri: 'https://other.example/keys' }],
      [second, { issuer: ISSUER, jwks_uri: 'http://issuer.example/keys' }],
    ]);
    const finding = findKeysUrl(ISSUER, async (url) => {
      const answer = answers.get(url);
      if (answer === undefined) throw new Error(`${url} cannot be read`);
      return answer as never;
    });
    await expect(finding).rejects.toThrow(
      `${first} is about another issuer than ${ISSUER}; ${second} names no jwks_uri that could be trusted; ${third} cannot be read`,
    );
  });
});
