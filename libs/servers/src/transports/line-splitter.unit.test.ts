import { expect, it } from 'vitest';
import { LineSplitter } from './line-splitter.js';
import { MessageBudget } from './message-budget.js';

const neverRefused = (error: Error): void => {
  throw error;
};

it('gives whole lines, wherever the bytes are cut', () => {
  const bytes = Buffer.from('{"a":"é"}\n\n{"b":"€"}\nrest');
  for (let cut = 0; cut <= bytes.length; cut++) {
    const lines: string[] = [];
    const splitter = new LineSplitter(100, (line) => lines.push(line), neverRefused);
    splitter.append(bytes.subarray(0, cut));
    splitter.append(bytes.subarray(cut));
    expect(lines).toEqual(['{"a":"é"}', '', '{"b":"€"}']);
  }
});

it('refuses a line that is too long, also before it has ended', () => {
  const splitter = new LineSplitter(3, () => undefined, neverRefused);
  splitter.append(Buffer.from('123\n123\n'));
  expect(() => splitter.append(Buffer.from('1234'))).toThrow('more than 3 bytes');
});

it('drops the largest unfinished line of all when they are too large together', () => {
  const budget = new MessageBudget(10);
  const refused: string[] = [];
  const lines: string[] = [];
  const splitter = (name: string) =>
    new LineSplitter(
      10,
      (line) => lines.push(line),
      () => refused.push(name),
      budget,
    );
  const [large, small] = [splitter('large'), splitter('small')];
  large.append(Buffer.from('123456789'));
  small.append(Buffer.from('12'));
  expect(refused).toEqual(['large']);
  small.append(Buffer.from('345678\n'));
  expect(lines).toEqual(['12345678']);
  small.append(Buffer.from('1234567890'));
  small.end();
  expect(() => small.append(Buffer.from('1234567890'))).not.toThrow();
});
