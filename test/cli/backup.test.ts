/** Tests `longhaul backup` and `longhaul restore` of a data file. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openSqliteStore, type SqliteStore } from '@longhaul/store-sqlite';
import { TaskHistory } from '@longhaul/tasks/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Workplace } from './support/launcher.js';

let place: Workplace;
let dataFile: string;
beforeEach(() => {
  place = new Workplace();
  dataFile = join(place.folder, '.longhaul', 'longhaul.db');
  mkdirSync(dirname(dataFile));
});
afterEach(() => place.close());

const open = (): Promise<SqliteStore> => openSqliteStore({ path: dataFile, onError: () => undefined });

/** A part of a large value, as the deployment of the store keeps it. */
async function valueOf({ gateway }: SqliteStore): Promise<string> {
  const folder = createHash('sha256')
    .update(`large values of ${await gateway.secret()}`)
    .digest('hex')
    .slice(0, 16);
  return join(place.folder, '.longhaul', 'blobs', folder, 'task', 'value', '1');
}

test('a backup is made beside a running deployment, and restores its tasks and large values', async () => {
  const running = await open();
  const before = new TaskHistory();
  await running.events.append(before.create({ arguments: { text: '🦑' } }));
  const value = await valueOf(running);
  mkdirSync(dirname(value), { recursive: true });
  writeFileSync(value, 'large');
  const backup = await place.command(['backup', 'copy.db']);
  const copy = join(place.folder, 'copy.db');
  expect(backup).toMatchObject({ code: 0, stdout: expect.stringMatching(/copy\.db has 1 tasks, 1 events, 1 parts of large values/) });
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  expect(await place.command(['backup', 'copy.db'])).toMatchObject({ code: 1, stderr: expect.stringContaining('is there already') });

  const after = new TaskHistory();
  await running.events.append(after.create({}));
  rmSync(value);
  const beside = await place.command(['restore', 'copy.db', '--force']);
  expect(beside).toMatchObject({ code: 1, stderr: expect.stringContaining('stop all of them') });
  await running.close();
  expect(await place.command(['restore', 'copy.db'])).toMatchObject({ code: 1, stderr: expect.stringContaining('--force keeps it as') });
  expect(await place.command(['restore', 'copy.db', '--force'])).toMatchObject({ code: 0, stdout: expect.stringContaining('1 tasks') });

  const restored = await open();
  expect(await restored.events.read(before.taskId)).toMatchObject([{ data: { arguments: { text: '🦑' } } }]);
  expect(await restored.events.read(after.taskId)).toEqual([]);
  expect(restored.sqlite.database.all('SELECT count(*) AS count FROM peers')).toEqual([{ count: 1 }]);
  expect(readFileSync(await valueOf(restored), 'utf8')).toBe('large');
  await restored.close();
  expect(existsSync(`${dataFile}.before-restore`)).toBe(true);
  expect(statSync(dataFile).mode & 0o777).toBe(0o600);
});

test('a damaged backup, one of another program and none at all are refused, and change nothing', async () => {
  await (await open()).close();
  expect(await place.command(['backup', 'copy.db'])).toMatchObject({ code: 0 });
  const copy = readFileSync(join(place.folder, 'copy.db'));
  // The first page has the marks of a data file; what comes after it is the damage.
  writeFileSync(join(place.folder, 'damaged.db'), Buffer.concat([copy.subarray(0, 8_192), Buffer.alloc(copy.length - 8_192, 0xff)]));
  writeFileSync(join(place.folder, 'text.db'), 'not a database at all');
  const was = readFileSync(dataFile);
  for (const [file, why] of [
    ['damaged.db', /damaged|malformed/],
    ['text.db', /not a database/],
    ['missing.db', /There is no file .*missing\.db/],
  ] as const)
    expect(await place.command(['restore', file, '--force'])).toMatchObject({ code: 1, stderr: expect.stringMatching(why) });
  expect(readFileSync(dataFile)).toEqual(was);
  expect(existsSync(`${dataFile}.part`)).toBe(false);
});

test('there has to be a data file to back up', async () => {
  expect(await place.command(['backup', 'copy.db'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no data file at'),
  });
  const redis = { REDIS_URL: 'redis://127.0.0.1:1' };
  expect(await place.command(['backup', 'copy.db'], redis)).toMatchObject({ code: 1, stderr: expect.stringContaining('docs/backup.md') });
});
