/** Tests `longhaul keys`: which keys are used, and wrapping by the key that writes. */
import { openSqliteStore } from '@longhaul/store-sqlite';
import { createKeyRing } from '@longhaul/runtime/keys';
import { TaskHistory } from '@longhaul/tasks/testing';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Workplace } from './support/launcher.js';

const SPRING = 'b1f0c7d28e6a4935a7c0d1e2f3948576';
const AUTUMN = '7d3e9a51c02f48b6955e0c1d8fa2b743';

let place: Workplace;
beforeEach(() => (place = new Workplace()));
afterEach(() => place.close());

async function run(
  args: readonly string[],
  keys = '',
): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
  const { code, stdout: out, stderr: err } = await place.command(['keys', ...args], { LONGHAUL_KEYS: keys });
  return { code, out, err };
}

test('shows what still uses which key, and has all of it wrapped by the one that writes', async () => {
  mkdirSync(join(place.folder, '.longhaul'));
  const ring = createKeyRing({ name: 'spring', secret: SPRING });
  const path = join(place.folder, '.longhaul', 'longhaul.db');
  const store = await openSqliteStore({ path, onError: () => undefined, encryption: { ring } });
  await store.events.append(new TaskHistory().create({ owner: 'user:ada' }));
  await store.close();

  const both = `autumn=text:${AUTUMN},spring=text:${SPRING}`;
  const before = await run([], both);
  expect(before).toMatchObject({ code: 0, err: '' });
  expect(before.out).toMatch(/^KEY +ID +STANDING +DATA KEYS +OF\nautumn +\S{8} +writes +0\nspring +\S{8} +reads +1 +user:ada\n$/);
  expect(await run([], `autumn=text:${AUTUMN}`)).toMatchObject({
    code: 1,
    out: expect.stringMatching(/spring .* missing +1 +user:ada/) as string,
  });
  expect(await run(['rewrap'], `autumn=text:${AUTUMN}`)).toMatchObject({
    code: 1,
    err: expect.stringContaining('user:ada: The value needs the key "spring"') as string,
  });
  expect(await run(['rewrap'], both)).toEqual({ code: 0, out: '1 data keys wrapped by autumn, 0 were already\n', err: '' });
  expect((await run([], `autumn=text:${AUTUMN}`)).out).toMatch(/\nautumn +\S{8} +writes +1 +user:ada\n$/);
  const audit = await place.command(['audit', '--json'], { LONGHAUL_KEYS: both });
  expect(JSON.parse(audit.stdout)).toMatchObject({
    entries: [
      { action: 'keys.rewrap', outcome: 'done', who: expect.stringMatching(/^local:/) as string, details: { rewrapped: 1, failed: 0 } },
      { action: 'keys.rewrap', details: { rewrapped: 0, failed: 1 } },
    ],
  });
  expect((await run([], both)).out).not.toMatch(new RegExp(`${SPRING}|${AUTUMN}`));
});

test.each([
  [['rewarp'], 2, 'unexpected "rewarp" (usage: longhaul keys; settings are environment variables; see --help)'],
  [['rewrap', 'more'], 2, 'unexpected "more" (usage: longhaul keys rewrap; settings are environment variables; see --help)'],
  [[], 1, 'LONGHAUL_KEYS is not set: nothing is encrypted'],
])('%j without keys is answered with what to do', async (args, code, message) => {
  expect(await run(args)).toEqual({ code, out: '', err: `longhaul: ${message}\n` });
});
