import { describe, expect, it } from 'vitest';
import { SseFrames } from './sse-frames.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('the frames of a stream', () => {
  it('are whole, wherever the bytes are cut', () => {
    const text = 'event: message\ndata: {"name":"Grüße"}\n\n: keepalive\n\ndata: 2\n\n';
    for (let at = 0; at <= bytes(text).length; at++) {
      const frames = new SseFrames();
      const found = [...frames.add(bytes(text).subarray(0, at)), ...frames.add(bytes(text).subarray(at))];
      expect(found).toEqual(['event: message\ndata: {"name":"Grüße"}\n\n', ': keepalive\n\n', 'data: 2\n\n']);
    }
  });

  it('have the data of all their data lines, and a comment has none', () => {
    expect(SseFrames.dataOf('event: message\ndata: 1\ndata: 2\n\n')).toBe('1\n2');
    expect(SseFrames.dataOf(': keepalive\n\n')).toBeUndefined();
  });
});
