/**
 * Reads the keys in `LONGHAUL_KEYS`: `<name>=<source>`, separated by commas; the first one writes. A source is `text:<secret>`,
 * `file:<path>` or `command:<path>`. The command gets the name as its only argument and prints the secret, so that a key management service
 * can provide it.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import { ConfigError } from '../config-error.js';
import { isPlaceholder } from '../placeholder.js';
import { endChildWithThisProcess } from '../reaper.js';
import type { NamedSecret } from './key-ring.js';

const SOURCE = /^([\w.-]{1,64})=(text|file|command):(.+)$/;
const MIN_CHARACTERS = 32;
const MAX_KEYS = 32;
const COMMAND_TIMEOUT_MS = 30_000;
const MAX_PRINTED_BYTES = 64 * 1024;

const FORM = 'must be <name>=text:<secret>, <name>=file:<path> or <name>=command:<path>';

/** The source of a key. */
export interface KeySource {
  readonly name: string;
  readonly kind: 'text' | 'file' | 'command';
  /** The secret itself, or a path. */
  readonly value: string;
}

const source = z
  .string()
  .regex(SOURCE, FORM)
  .transform((text): KeySource => {
    const [, name = '', kind = 'text', value = ''] = SOURCE.exec(text) ?? [];
    return { name, kind: kind as KeySource['kind'], value };
  });

/** The items of the setting. */
export const keySources = z
  .array(source)
  .max(MAX_KEYS, `must be at most ${MAX_KEYS} keys`)
  .refine((sources) => new Set(sources.map(({ name }) => name)).size === sources.length, 'names a key twice');

/** Reads the keys. @throws ConfigError that names each unreadable key, and never contains its content */
export async function readKeys(sources: readonly KeySource[]): Promise<readonly NamedSecret[]> {
  const read = await Promise.allSettled(sources.map(readKey));
  const wrong = read.flatMap((result) => (result.status === 'rejected' ? [(result.reason as Error).message] : []));
  if (wrong.length > 0) throw new ConfigError(wrong.join('\n'));
  return read.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

async function readKey({ name, kind, value }: KeySource): Promise<NamedSecret> {
  const refuse = (why: string): ConfigError => new ConfigError(`LONGHAUL_KEYS: the key ${name} ${why}`);
  const secret = await textOf(name, kind, value).catch((error: unknown) => {
    throw refuse(`cannot be read from its ${kind} (${reasonOf(error)})`);
  });
  if (secret.length < MIN_CHARACTERS) throw refuse(`has ${secret.length} characters, and must have at least ${MIN_CHARACTERS}`);
  if (isPlaceholder(secret)) throw refuse('is a placeholder');
  return { name, secret };
}

async function textOf(name: string, kind: KeySource['kind'], value: string): Promise<string> {
  if (kind === 'text') return value;
  if (kind === 'file') return (await readFile(value, 'utf8')).trim();
  // The command runs without a shell, so that a name is never more than an argument.
  const options = { timeout: COMMAND_TIMEOUT_MS, maxBuffer: MAX_PRINTED_BYTES, windowsHide: true };
  const running = promisify(execFile)(value, [name], options);
  endChildWithThisProcess(running.child);
  return (await running).stdout.trim();
}

/** The reason is not the message, because that may contain the program's output. */
function reasonOf(error: unknown): string {
  const { code, signal } = error as { readonly code?: string | number; readonly signal?: string };
  return typeof code === 'number' ? `exit code ${code}` : (code ?? signal ?? 'unknown');
}
