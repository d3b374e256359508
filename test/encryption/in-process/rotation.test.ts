/** Tests that keys are replaced while tasks continue, and that a lost key is lost only for its tenants. */
import { createKeyRing, type NamedSecret } from '@longhaul/runtime/keys';
import { type EncryptionKeys, keyUsages, rewrap, type TaskStore } from '@longhaul/tasks';
import { TaskHistory } from '@longhaul/tasks/testing';
import { describe, expect, it } from 'vitest';
import { RedisStores } from '../../stores/support/redis-stores.js';
import { SqliteFiles } from '../../stores/support/sqlite-files.js';

const OLD: NamedSecret = { name: '2026-05', secret: 'the key of the spring, of no use elsewhere' };
const NEW: NamedSecret = { name: '2026-11', secret: 'the key of the autumn, of no use elsewhere' };

const ringOf = (first: NamedSecret, ...others: readonly NamedSecret[]): EncryptionKeys => ({ ring: createKeyRing(first, others) });

/** Each test has data keys of its own. */
let rotations = 0;
const redis = new RedisStores();
const files = new SqliteFiles();

describe.each<[string, (encryption?: EncryptionKeys) => Promise<TaskStore>]>([
  ['Redis', (encryption) => redis.connect({ encryption, prefix: `${redis.test.prefix}-${rotations}` })],
  ['SQLite', (encryption) => files.open({ encryption })],
])('keys in %s', (_name, open) => {
  it('are replaced while a task goes on, and the old one is not needed any more when all is wrapped anew', async () => {
    rotations += 1;
    const before = await open(ringOf(OLD));
    const task = new TaskHistory();
    for (const request of [task.create({ owner: 'ada' }), task.claim(), task.step('a', 'x')])
      expect(await before.events.append(request)).toBe('appended');

    // A new process can read the new key too, then writes with it; an old one continues at the same time.
    const [ring, rolling] = [ringOf(NEW, OLD).ring, await open(ringOf(NEW, OLD))];
    expect(await rolling.events.append(task.step('b', 'x'))).toBe('appended');
    expect(await before.events.append(task.step('c', 'x'))).toBe('appended');
    const other = new TaskHistory();
    await rolling.events.append(other.create({ owner: 'bob' }));
    const usages = async (): Promise<unknown[]> =>
      (await keyUsages(rolling.dataKeys, ring)).map(({ name, standing, dataKeys, scopes }) => [name, standing, dataKeys, scopes]);
    expect(await usages()).toEqual([
      ['2026-11', 'writes', 1, ['bob']],
      ['2026-05', 'reads', 1, ['ada']],
    ]);

    expect(await rewrap(rolling.dataKeys, ring)).toEqual({ rewrapped: 1, unchanged: 1, failed: [] });
    expect(await rewrap(rolling.dataKeys, ring)).toEqual({ rewrapped: 0, unchanged: 2, failed: [] });
    expect(await usages()).toEqual([
      ['2026-11', 'writes', 2, expect.arrayContaining(['ada', 'bob'])],
      ['2026-05', 'reads', 0, []],
    ]);
    const after = await open(ringOf(NEW));
    expect(await after.events.append(task.complete())).toBe('appended');
    expect(await after.events.read(task.taskId)).toEqual(task.events);
    expect(await after.events.readOutcome(task.taskId)).toMatchObject({ outcome: { kind: 'result' } });
  });

  it('that are lost are named, and only tasks of their tenants cannot be read', async () => {
    rotations += 1;
    const [ofAda, ofBob] = [new TaskHistory(), new TaskHistory()];
    const before = await open(ringOf(OLD));
    for (const request of [ofAda.create({ owner: 'ada' }), ofAda.claim(), ofAda.status('of ada')])
      expect(await before.events.append(request)).toBe('appended');
    const lost = await open(ringOf(NEW));
    await lost.events.append(ofBob.create({ owner: 'bob' }));
    const missing = { code: 'KEY_MISSING', message: expect.stringContaining('"2026-05"') as string };

    await expect(lost.events.views([ofAda.taskId])).rejects.toMatchObject(missing);
    await expect(lost.events.read(ofAda.taskId)).rejects.toMatchObject(missing);
    await expect(lost.events.append(ofAda.complete())).rejects.toMatchObject(missing);
    expect(await lost.events.views([ofBob.taskId])).toEqual([ofBob.projection.view]);
    expect(await lost.events.append(ofBob.claim())).toBe('appended');

    const { ring } = ringOf(NEW);
    expect((await keyUsages(lost.dataKeys, ring)).map(({ name, standing }) => [name, standing])).toEqual([
      ['2026-11', 'writes'],
      ['2026-05', 'missing'],
    ]);
    expect(await rewrap(lost.dataKeys, ring)).toMatchObject({ rewrapped: 0, unchanged: 1, failed: [{ scope: 'ada' }] });
  });

  it('may be given to a store that has plain values, which stay readable', async () => {
    rotations += 1;
    const task = new TaskHistory();
    await (await open(undefined)).events.append(task.create({ owner: 'ada' }));
    const encrypting = await open(ringOf(NEW));
    for (const request of [task.claim(), task.status('of ada')]) expect(await encrypting.events.append(request)).toBe('appended');
    expect(await encrypting.events.read(task.taskId)).toEqual(task.events);
    const without = await open(undefined);
    await expect(without.events.views([task.taskId])).rejects.toMatchObject({ code: 'KEY_MISSING' });
  });
});
