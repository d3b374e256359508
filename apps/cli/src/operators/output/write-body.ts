import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { printableJson } from '@longhaul/runtime/printable';
import type { Terminal } from '../../terminal.js';
import { UserError } from '../../user-error.js';
import { EXIT } from '../api/exit-codes.js';

/**
 * Writes JSON from the body of a response to a new file that only its owner may read, or to standard output.
 *
 * @throws UserError when the file cannot be written, for example because it exists
 */
export async function writeBody(body: AsyncIterable<Uint8Array>, file: string | undefined, { cwd }: Pick<Terminal, 'cwd'>): Promise<void> {
  if (file === undefined) return pipeline(process.stdout.isTTY ? forTerminal(body) : body, process.stdout, { end: false });
  try {
    await pipeline(body, createWriteStream(resolve(cwd, file), { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && error.syscall === 'open')) throw error;
    const why = 'code' in error && error.code === 'EEXIST' ? 'exists already; name another file' : error.message;
    throw new UserError(`${file}: ${why}`, EXIT.usage);
  }
}

/** The same JSON, with nothing in it that a terminal obeys. */
export async function* forTerminal(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const part of body) yield printableJson(decoder.decode(part, { stream: true }));
  yield printableJson(decoder.decode());
}
