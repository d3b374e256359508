import { describe, expect, it } from 'vitest';
import { parseJsonBody } from './json-body.js';

const nested = (levels: number): string => `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`;

describe('a body', () => {
  it('is read as JSON', () => {
    expect(parseJsonBody('{"a":[1,"x"]}')).toEqual({ a: [1, 'x'] });
  });

  it.each(['', '{', '{"a":1}}', "{'a':1}", 'undefined', '\uFFFD'])('is a parse error when it is %j', (text) => {
    expect(() => parseJsonBody(text)).toThrow(expect.objectContaining({ code: -32700, httpStatus: 400 }) as Error);
  });

  it('may be nested 256 levels deep', () => {
    expect(() => parseJsonBody(nested(256))).not.toThrow();
  });

  it.each([258, 100_000])('is refused when it is nested %d levels deep', (levels) => {
    expect(() => parseJsonBody(nested(levels))).toThrow(expect.objectContaining({ code: -32600, httpStatus: 400 }) as Error);
  });

  it('may have any number of brackets in its texts', () => {
    const text = `${'[{'.repeat(1000)}"\\`;

    expect(parseJsonBody(JSON.stringify({ text, more: [text] }))).toEqual({ text, more: [text] });
  });

  it('may be long without being deep', () => {
    const list = Array.from({ length: 1000 }, () => [{}]);

    expect(parseJsonBody(JSON.stringify(list))).toEqual(list);
  });
});
