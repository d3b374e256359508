import { expect, it } from 'vitest';
import { LineSplitter } from './line-splitter.js';

it('gives whole lines, wherever the bytes are cut', () => {
  const bytes = Buffer.from('{"a":"é"}\n\n{"b":"€"}\nrest');
  for (let cut = 0; cut <= bytes.length; cut++) {
    const lines: string[] = [];
    const splitter = new LineSplitter(100, (line) => lines.push(line));
    splitter.append(bytes.subarray(0, cut));
    splitter.append(bytes.subarray(cut));
    expect(lines).toEqual(['{"a":"é"}', '', '{"b":"€"}']);
  }
});

it('refuses a line that is too long, also before it has ended', () => {
  const splitter = new LineSplitter(3, () => undefined);
  splitter.append(Buffer.from('123\n123\n'));
  expect(() => splitter.append(Buffer.from('1234'))).toThrow('more than 3 bytes');
});
