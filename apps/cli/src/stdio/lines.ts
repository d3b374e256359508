import type { Readable } from 'node:stream';

// Splits a byte stream into lines. `split2` is not used: it drops a line above its limit silently, while the client waits for an answer,
// and accepts such a line in one chunk. `node:readline` is not used: it has no limit, and ends lines at U+2028, which texts in JSON may
// contain.
const NEWLINE = 0x0a;

/**
 * The lines of a byte stream; the last one need not end with a newline.
 *
 * @returns the bytes of each line, without the newline. Undefined for a line longer than `maxBytes`, which is not kept.
 */
export async function* readLines(input: Readable, maxBytes: number): AsyncGenerator<Buffer | undefined> {
  let parts: Buffer[] = [];
  let size = 0;
  const add = (part: Buffer): void => {
    size += part.length;
    if (size <= maxBytes) parts.push(part);
    else parts = [];
  };
  const take = (): Buffer | undefined => {
    const line = size <= maxBytes ? Buffer.concat(parts) : undefined;
    [parts, size] = [[], 0];
    return line;
  };
  for await (const chunk of input as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  if (size > 0) yield take();
}
