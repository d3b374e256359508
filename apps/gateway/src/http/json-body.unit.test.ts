import { describe, expect, it } from 'vitest';
import { parseJsonBody, scanJsonBody, textOfJsonBody } from './json-body.js';

const MAX_VALUES = 10_000;
const read = (body: string | Buffer): unknown => parseJsonBody(scanJsonBody(textOfJsonBody(Buffer.from(body)), MAX_VALUES));
const nested = (levels: number): string => `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`;
const listOf = (count: number, value: string): string => `[${Array.from({ length: count }, () => value).join(',')}]`;

describe('a body', () => {
  it('is read as JSON', () => {
    expect(read('{"a":[1,"x"]}')).toEqual({ a: [1, 'x'] });
  });

  it('may have a byte order mark before it, and nowhere else', () => {
    expect(read('\ufeff{"a":"\ufeff"}')).toEqual({ a: '\ufeff' });
    for (const text of ['\ufeff\ufeff{}', '{\ufeff}', '{}\ufeff']) expect(() => read(text)).toThrow('Parse error');
  });

  it.each(['', '{', '{"a":1}}', "{'a':1}", 'undefined', '\uFFFD'])('is a parse error when it is %j', (text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: -32700, httpStatus: 400 }) as Error);
  });

  it('is a parse error when it is not UTF-8, which would be changed', () => {
    for (const body of [Buffer.from('"\xff"', 'latin1'), Buffer.from('{}', 'utf16le').subarray(0, 3)])
      expect(() => read(body)).toThrow(expect.objectContaining({ code: -32700, httpStatus: 400 }) as Error);
  });

  it('may be nested 256 levels deep', () => {
    expect(() => read(nested(256))).not.toThrow();
  });

  it.each([258, 100_000])('is refused when it is nested %d levels deep', (levels) => {
    expect(() => read(nested(levels))).toThrow(expect.objectContaining({ code: -32600, httpStatus: 400 }) as Error);
  });

  it('may have any number of brackets and commas in its texts', () => {
    const text = `${'[{,'.repeat(MAX_VALUES)}"\\`;

    expect(read(JSON.stringify({ text, more: [text] }))).toEqual({ text, more: [text] });
  });

  it('may be long without being deep', () => {
    const list = Array.from({ length: 1000 }, () => [{}]);

    expect(read(JSON.stringify(list))).toEqual(list);
  });

  it.each(['{}', '[]', '1', '"x"', 'null', '{"a":1}', '{ }'])('may have as many values as are allowed, and no more: %s', (value) => {
    const each = value.includes('"a"') ? 2 : 1;
    // The list itself counts as one value.
    const most = Math.floor((MAX_VALUES - 1) / each);

    expect(read(listOf(most, value))).toHaveLength(most);
    expect(() => read(listOf(most + 1, value))).toThrow(/more than 10000 values/);
  });

  it('counts the members of an object as values', () => {
    const members = Array.from({ length: MAX_VALUES + 1 }, (_, index) => `"${index}":1`);

    expect(() => read(`{${members.join(',')}}`)).toThrow(expect.objectContaining({ httpStatus: 413 }) as Error);
  });

  it('weighs its values as well as its characters', () => {
    const values = listOf(1_000, '{}');
    const text = JSON.stringify('x'.repeat(values.length - 2));

    expect(text).toHaveLength(values.length);
    expect(scanJsonBody(values, MAX_VALUES).bytes).toBeGreaterThan(10 * scanJsonBody(text, MAX_VALUES).bytes);
  });
});
