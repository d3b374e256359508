import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isPlaceholder } from './placeholder.js';

describe('a placeholder', () => {
  it.each([
    'replace-me-with-random-characters',
    'CHANGE_ME_CHANGE_ME',
    'an-example-secret',
    '<your secret here>',
    'aaaaaaaaaaaaaaaa',
    '1212121212121212',
    '${LONGHAUL_SECRET}',
    '{{ .Values.secret }}',
    'REPLACE_WITH_SECRET',
    'passwordpassword',
    'my-super-secret-key-123',
    '1234567890123456',
    '0123456789abcdef',
    'default-value-of-it',
    'set-me-to-something',
    'fill-in-a-value-of-1',
    'k3y-of-mine-k3y-of-mine',
    'qwertyuiopasdfgh',
  ])('is known: %s', (secret) => {
    expect(isPlaceholder(secret)).toBe(true);
  });

  it('is nothing that openssl makes', () => {
    for (const encoding of ['hex', 'base64', 'base64url'] as const)
      for (let n = 0; n < 500; n++) {
        const secret = randomBytes(32).toString(encoding);
        expect(isPlaceholder(secret), secret).toBe(false);
      }
  });
});
