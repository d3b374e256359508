import { describe, expect, it } from 'vitest';
import { NO_SCOPES } from '../rpc/request-scopes.js';
import { issuersSetting } from './issuer-settings.js';
import { principalOf } from './principal-of-claims.js';

/** The owner of a token with these claims, from an issuer that names users by their mail address. */
function ownerOf(claims: object): string {
  const [settings] = issuersSetting.parse(JSON.stringify([{ issuer: 'https://issuer.example', claims: { subject: 'email' } }])) ?? [];
  if (settings === undefined) throw new Error('There is no issuer.');
  return principalOf({ exp: 2_000_000_000, client_id: 'app', ...claims }, settings, NO_SCOPES).owner;
}

describe('an owner whose claim is not sub', () => {
  it('is who the claim names, of whichever client', () => {
    expect(ownerOf({ sub: '1', email: 'ada@example.com' })).toBe(ownerOf({ sub: '1', email: 'ada@example.com', client_id: 'other' }));
  });

  it('is the client where there is no user', () => {
    expect(ownerOf({})).toBe(ownerOf({ sub: 'app' }));
  });

  it('is not the client of a user whom the claim does not name', () => {
    expect(() => ownerOf({ sub: '1' })).toThrow('the token has no claim email');
  });
});
