import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseVariables } from './environment.js';
import { bearerTokenOf, createFindHolder, tokenList } from './tokens.js';

const TOKEN = 'first.token.of.a.test';

describe('a setting of tokens', () => {
  const variables = z.object({
    SOME_TOKENS: tokenList({
      form: 'name:token:read or name:token:write, separated by commas',
      suffix: /^:(read|write)$/,
      holderOf: (name, role) => ({ name, role }),
    }),
  });
  const read = (text: string) => parseVariables(variables, { SOME_TOKENS: text }).SOME_TOKENS;

  it('says who holds each, and what else it says of the holder', () => {
    expect([...(read(`ada:${TOKEN}:read, board@x:second.token.of.a.test:write`) ?? [])]).toEqual([
      [TOKEN, { name: 'ada', role: 'read' }],
      ['second.token.of.a.test', { name: 'board@x', role: 'write' }],
    ]);
    expect(parseVariables(variables, {}).SOME_TOKENS).toBeUndefined();
  });

  it.each([
    ['ada:short:read', 'SOME_TOKENS: must be name:token:read or name:token:write, separated by commas, each token of 16 to 512'],
    [`ada:${TOKEN}:admin`, 'SOME_TOKENS: must be name:token:read'],
    [`ada:${TOKEN}:read,bob:${TOKEN}:read`, 'and only once'],
    ['ada:replace-me-with-random-characters:read', 'SOME_TOKENS: has a placeholder as the token of ada: make one of your own'],
    [',', 'SOME_TOKENS: has no entry: must be name:token:read'],
  ])('is refused as %j, without a word of the token', (text, message) => {
    expect(() => read(text)).toThrow(message);
    expect(() => read(text)).not.toThrow(TOKEN);
  });
});

describe('a token of a request', () => {
  it('is read of the header, in any case of its scheme', () => {
    expect(bearerTokenOf(`Bearer ${TOKEN}`)).toBe(TOKEN);
    expect(bearerTokenOf(`bearer  ${TOKEN}`)).toBe(TOKEN);
  });

  it.each([undefined, '', 'Bearer', `Basic ${TOKEN}`, 'Bearer two words', TOKEN])('is none in %j', (header) => {
    expect(bearerTokenOf(header)).toBeUndefined();
  });

  it('says who holds it, and nobody by any other text', () => {
    const find = createFindHolder(new Map([[TOKEN, 'ada']]));
    expect(find(TOKEN)).toBe('ada');
    for (const other of ['', TOKEN.slice(1), `${TOKEN} `, TOKEN.toUpperCase()]) expect(find(other)).toBeUndefined();
  });
});
