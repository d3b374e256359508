import { describe, expect, it } from 'vitest';
import type { Message } from '../conversation/messages.js';
import { ResultTrimming } from './result-trimming.js';

const USER: Message = { role: 'user', content: 'x'.repeat(1000) };

function results(...lengths: readonly number[]): Message[] {
  return lengths.map((length, at) => ({ role: 'tool', tool_call_id: `${at}`, content: 'r'.repeat(length) }));
}

/** The lengths of the sent messages. */
function lengthsOf({ trimmed }: ResultTrimming): number[] {
  return trimmed.map(({ content }) => (content.length < 200 ? 0 : content.length));
}

describe('Trimming results', () => {
  it('leaves out as many of the oldest as the endpoint says that it takes', () => {
    const trimming = new ResultTrimming([USER, ...results(1000, 1000, 1000, 1000)]);

    expect(trimming.trim(0.8)).toBe(true);
    expect([trimming.count, lengthsOf(trimming)]).toEqual([2, [1000, 0, 0, 1000, 1000]]);
  });

  it('leaves out about half of all where the endpoint says nothing', () => {
    const trimming = new ResultTrimming([USER, ...results(1000, 1000, 1000, 1000)]);
    trimming.trim();

    expect(trimming.count).toBe(4);
  });

  it('keeps what the user and the model said, and results that are shorter than the note', () => {
    const said: Message = { role: 'assistant', content: 'y'.repeat(1000), tool_calls: [] };
    const trimming = new ResultTrimming([USER, said, ...results(100, 20_000_000)]);

    expect(trimming.trim(0.5)).toBe(true);
    expect(trimming.trimmed.slice(0, 3)).toEqual([USER, said, ...results(100)]);
    expect(trimming.trimmed[3]?.content).toMatch(/^\[This result of 20000000 characters was left out/);
    expect(trimming.trim(0.5)).toBe(false);
  });

  it('leaves out one more at least, and all of them after four times', () => {
    const trimming = new ResultTrimming([USER, ...results(...Array.from({ length: 50 }, () => 500))]);
    const counts = Array.from({ length: 5 }, () => (trimming.trim(2) ? trimming.count : 0));

    expect(counts).toEqual([1, 2, 3, 4, 50]);
  });

  it('counts parts of a result, and leaves out its images', () => {
    const image: Message = {
      role: 'tool',
      tool_call_id: 'a',
      content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(5000)}` } }],
    };
    const trimming = new ResultTrimming([image]);
    trimming.trim(0.9);

    expect(trimming.trimmed[0]?.content).toMatch(/^\[This result of \d{4} characters/);
  });
});
