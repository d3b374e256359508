import { Readable } from 'node:stream';

import { describe, expect, it } from 'vitest';

import { readLines } from './lines.js';

async function read(chunks: readonly (string | Buffer)[], maxBytes = 10): Promise<(string | undefined)[]> {
  const lines = [];
  for await (const line of readLines(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), maxBytes)) lines.push(line?.toString());
  return lines;
}

describe('the lines of a stream', () => {
  it('are independent of its chunks', async () => {
    expect(await read(['one\ntwo\n', 'thr', 'ee', '\n\nfo', 'ur\n'])).toEqual(['one', 'two', 'three', '', 'four']);
  });

  it('keep characters that are cut between chunks', async () => {
    const text = Buffer.from('äö€\n');
    expect(await read(Array.from(text, (_, at) => text.subarray(at, at + 1)))).toEqual(['äö€']);
  });

  it('end at nothing but newlines: what ends lines elsewhere may be in the texts of JSON', async () => {
    expect(await read(['a\u2028b\u2029\n', 'c\rd\n'])).toEqual(['a\u2028b\u2029', 'c\rd']);
  });

  it('include a last one without a newline', async () => {
    expect(await read(['one\ntwo'])).toEqual(['one', 'two']);
    expect(await read([])).toEqual([]);
  });

  it('are not kept when they are too long, and go on after that', async () => {
    expect(await read(['0123456789\n0123456', '7890\nok\n', '01234567890'])).toEqual(['0123456789', undefined, 'ok', undefined]);
  });
});
