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
  ])('is known: %s', (secret) => {
    expect(isPlaceholder(secret)).toBe(true);
  });

  it('is nothing that openssl makes', () => {
    expect(isPlaceholder('5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef')).toBe(false);
  });
});
