/**
 * The keys that are named in `LONGHAUL_KEYS`: `<name>=<source>`, separated by commas, the first of which writes. A source is
 * `text:<secret>`, `file:<path>`, or `command:<path>`: a program that gets the name as its only argument and prints the secret, so
 * that a key management service can hand it out.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import { ConfigError } from '../config-error.js';
import { isPlaceholder } from '../placeholder.js';
const SOURCE = /^([\w.-]{1,64})=(text|file|command):(.+)$/;
const MIN_CHARACTERS = 32;
const MAX_KEYS = 32;
const COMMAND_TIMEOUT_MS = 30_000;
const MAX_PRINTED_BYTES = 64 * 1024;
const FORM = 'must be <name>=text:<secret>, <name>=file:<path> or <name>=command:<path>';
const source = z
    .string()
    .regex(SOURCE, FORM)
    .transform((text) => {
    const [, name = '', kind = 'text', value = ''] = SOURCE.exec(text) ?? [];
    return { name, kind: kind, value };
});
/** The items of the setting. */
export const keySources = z
    .array(source)
    .max(MAX_KEYS, `must be at most ${MAX_KEYS} keys`)
    .refine((sources) => new Set(sources.map(({ name }) => name)).size === sources.length, 'names a key twice');
/** Reads the keys. @throws ConfigError naming each key that cannot be read, and never what is in it */
export async function readKeys(sources) {
    const read = await Promise.allSettled(sources.map(readKey));
    const wrong = read.flatMap((result) => (result.status === 'rejected' ? [result.reason.message] : []));
    if (wrong.length > 0)
        throw new ConfigError(wrong.join('\n'));
    return read.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}
async function readKey({ name, kind, value }) {
    const refuse = (why) => new ConfigError(`LONGHAUL_KEYS: the key ${name} ${why}`);
    const secret = await textOf(name, kind, value).catch((error) => {
        throw refuse(`cannot be read from its ${kind} (${reasonOf(error)})`);
    });
    if (secret.length < MIN_CHARACTERS)
        throw refuse(`has ${secret.length} characters, and must have at least ${MIN_CHARACTERS}`);
    if (isPlaceholder(secret))
        throw refuse('is a placeholder');
    return { name, secret };
}
async function textOf(name, kind, value) {
    if (kind === 'text')
        return value;
    if (kind === 'file')
        return (await readFile(value, 'utf8')).trim();
    // No shell, so that a name is never more than an argument.
    const options = { timeout: COMMAND_TIMEOUT_MS, maxBuffer: MAX_PRINTED_BYTES, windowsHide: true };
    return (await promisify(execFile)(value, [name], options)).stdout.trim();
}
/** Not the message, which may have what the program printed. */
function reasonOf(error) {
    const { code, signal } = error;
    return typeof code === 'number' ? `exit code ${code}` : (code ?? signal ?? 'unknown');
}
//# sourceMappingURL=key-sources.js.map