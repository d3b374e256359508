import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { boundedResult } from './bounded-result.js';

const MIB = 1024 * 1024;
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

describe('the result of a tool, as it is recorded', () => {
  it('stays as it is where it is not too large', () => {
    const result: CallToolResult = { content: [{ type: 'text', text: 'hello' }], structuredContent: { a: 1 }, isError: true };
    expect(boundedResult(result)).toBe(result);
  });

  it('keeps the beginning of texts, and names what it leaves out', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'A'.repeat(3 * MIB) } as const;
    const bounded = boundedResult({
      content: [{ type: 'text', text: 'x'.repeat(20 * MIB) }, image, { type: 'text', text: 'end' }],
      structuredContent: { a: 1 },
      isError: true,
    });
    expect(bytesOf(bounded)).toBeLessThan(2 * MIB);
    expect(bounded.isError).toBe(true);
    expect(bounded.content[0]).toMatchObject({ text: expect.stringMatching(/^x{1000}[^]*more bytes are left out/) as string });
    expect(bounded.content.at(-1)).toMatchObject({
      text: expect.stringMatching(/Left out: its structured content, image of \d+ bytes/) as string,
    });
  });
});
