import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseVariables, sharedConfig, sharedVariables } from '../environment.js';
import { readKeys } from './key-sources.js';

const folder = mkdtempSync(join(tmpdir(), 'keys-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SECRET = randomBytes(32).toString('hex');
const read = (keys: string, encryption = '') =>
  sharedConfig(parseVariables(z.object(sharedVariables), { LONGHAUL_KEYS: keys, LONGHAUL_ENCRYPTION: encryption })).atRest;

function fileWith(text: string, mode = 0o600): string {
  const path = join(folder, randomBytes(6).toString('hex'));
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

describe('LONGHAUL_KEYS', () => {
  it('is a list of names with the places of their keys, and without it nothing is encrypted', () => {
    expect(read('')).toBeUndefined();
    expect(read('new=file:/run/new, old=command:/bin/unwrap')).toEqual({
      keys: [
        { name: 'new', kind: 'file', value: '/run/new' },
        { name: 'old', kind: 'command', value: '/bin/unwrap' },
      ],
      writes: true,
      takesPlain: true,
    });
    expect(read(`a=text:${SECRET}`, 'read')).toMatchObject({ writes: false, takesPlain: true });
    expect(read(`a=text:${SECRET}`, 'only')).toMatchObject({ writes: true, takesPlain: false });
    expect(() => read('', 'only')).toThrow('LONGHAUL_ENCRYPTION=only needs a key: set LONGHAUL_KEYS too.');
  });

  it.each([
    ['a=file:/x,b', 'LONGHAUL_KEYS, number 2: must be <name>=text:<secret>, <name>=file:<path> or <name>=command:<path>'],
    ['a=file:/x,a=file:/y', 'LONGHAUL_KEYS: names a key twice'],
  ])('is refused as %s, without what is in it', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  it('has keys read from itself, from files, and from what a command prints for the name', async () => {
    const script = fileWith(`#!/bin/sh\necho "$1-${SECRET}"\n`, 0o700);
    const keys = read(`a=text:${SECRET},b=file:${fileWith(`${SECRET}\n`)},c=command:${script}`)?.keys ?? [];
    expect(await readKeys(keys)).toEqual([
      { name: 'a', secret: SECRET },
      { name: 'b', secret: SECRET },
      { name: 'c', secret: `c-${SECRET}` },
    ]);
  });

  it('names each key that cannot be read, and says nothing of what was printed', async () => {
    const failing = fileWith(`#!/bin/sh\necho "${SECRET}"; exit 7\n`, 0o700);
    const keys = read(`a=file:${join(folder, 'none')},b=command:${failing},c=text:short,d=text:${'change-me-'.repeat(4)}`)?.keys ?? [];
    const message = await readKeys(keys).then(
      () => '',
      (error: unknown) => String(error),
    );
    expect(message.split('\n')).toEqual([
      'ConfigError: LONGHAUL_KEYS: the key a cannot be read from its file (ENOENT)',
      'LONGHAUL_KEYS: the key b cannot be read from its command (exit code 7)',
      'LONGHAUL_KEYS: the key c has 5 characters, and must have at least 32',
      'LONGHAUL_KEYS: the key d is a placeholder',
    ]);
    expect(message).not.toContain(SECRET);
  });
});
