import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { SlowTools } from './slow-tools.js';

const DAY_MS = 86_400_000;
const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function pathOfTest(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-slow-'));
  folders.push(folder);
  return join(folder, 'data', 'slow-tools.json');
}

function open(options: { readonly path?: string; readonly now?: () => number } = {}) {
  const warnings: string[] = [];
  const changed: string[] = [];
  const slow = new SlowTools({ warn: (line) => warnings.push(line), ...options });
  slow.onChange((server) => changed.push(server));
  return { slow, warnings, changed };
}

describe('a tool', () => {
  it('is slow when two of its last twenty calls were, and its listeners hear of it once', async () => {
    const { slow, changed } = open();
    slow.note('a', 'look', true);
    for (let call = 0; call < 19; call++) slow.note('a', 'look', false);
    slow.note('a', 'look', false);
    slow.note('a', 'look', true);
    expect([slow.has('a', 'look'), changed]).toEqual([false, []]);
    slow.note('a', 'look', true);
    await slow.written();
    expect([slow.has('a', 'look'), slow.has('a', 'other'), changed]).toEqual([true, false, ['a']]);
  });

  it('is tried again after a day', async () => {
    let now = 1_000_000;
    const { slow, changed } = open({ now: () => now });
    for (let call = 0; call < 2; call++) slow.note('a', 'look', true);
    now += DAY_MS - 1;
    expect(slow.has('a', 'look')).toBe(true);
    now += 1;
    expect(slow.has('a', 'look')).toBe(false);
    await slow.written();
    expect(changed).toEqual(['a', 'a']);
    slow.note('a', 'look', true);
    expect(slow.has('a', 'look')).toBe(false);
  });
});

describe('the file of slow tools', () => {
  it('is read at a start, and keeps what another process has marked', async () => {
    const path = await pathOfTest();
    const [first, second] = [open({ path }), open({ path })];
    for (const [{ slow }, tool] of [
      [first, 'look'],
      [second, 'watch'],
    ] as const) {
      for (let call = 0; call < 2; call++) slow.note('a', tool, true);
      await slow.written();
    }
    const third = open({ path });
    await third.slow.read();
    expect([third.slow.has('a', 'look'), third.slow.has('a', 'watch')]).toEqual([true, true]);
    expect(Object.keys((JSON.parse(await readFile(path, 'utf8')) as { slowSince: object }).slowSince)).toHaveLength(2);
  });

  it('is done without where it cannot be read', async () => {
    const path = await pathOfTest();
    const { slow, warnings } = open({ path });
    await slow.read();
    expect(warnings).toEqual([]);
    for (let call = 0; call < 2; call++) slow.note('a', 'look', true);
    await slow.written();
    await writeFile(path, '{');
    const later = open({ path });
    await later.slow.read();
    expect(later.warnings).toEqual([expect.stringContaining('Which tools are slow cannot be read')]);
  });
});
