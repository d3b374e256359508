import { describe, expect, it } from 'vitest';
import { WrongTokens } from './wrong-tokens.js';

const refused = expect.objectContaining({ status: 429, code: 'TOO_MANY_WRONG_TOKENS' }) as Error;
const nobody = (): undefined => undefined;

describe('tokens that are not known', () => {
  it('are not looked at any more when an address has shown too many, also if they are good, until some time has passed', () => {
    let now = 1_000;
    const wrong = new WrongTokens(2, () => now);
    const ada = {};
    for (let count = 0; count < 2; count++) expect(wrong.look('192.0.2.1', nobody)).toBeUndefined();
    for (const find of [nobody, () => ada]) expect(() => wrong.look('192.0.2.1', find)).toThrow(refused);
    expect(wrong.look('192.0.2.2', nobody)).toBeUndefined();
    now += 30_000;
    expect(wrong.look('192.0.2.1', () => ada)).toBe(ada);
    expect(wrong.look('192.0.2.1', nobody)).toBeUndefined();
    expect(() => wrong.look('192.0.2.1', nobody)).toThrow(refused);
  });

  it('keep nobody out who was let in before', () => {
    const wrong = new WrongTokens(1, () => 1_000);
    const ada = {};
    expect(wrong.look('192.0.2.1', () => ada)).toBe(ada);
    wrong.look('192.0.2.1', nobody);
    expect(() => wrong.look('192.0.2.1', nobody)).toThrow(refused);
    expect(wrong.look('192.0.2.1', () => ada)).toBe(ada);
  });

  it('count for the first half of an IPv6 address', () => {
    const wrong = new WrongTokens(1, () => 1_000);
    wrong.look('2001:db8::1', nobody);
    expect(() => wrong.look('2001:db8::2', nobody)).toThrow(refused);
    expect(wrong.look('2001:db8:0:1::1', nobody)).toBeUndefined();
  });

  it('of ten thousand addresses are remembered, the latest ones', () => {
    const wrong = new WrongTokens(1, () => 1_000);
    for (let at = 0; at <= 10_000; at++) wrong.look(`address ${at}`, nobody);
    expect(wrong.look('address 0', nobody)).toBeUndefined();
    expect(() => wrong.look('address 10000', nobody)).toThrow(refused);
  });
});
