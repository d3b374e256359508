/** Tests a data file that takes no writes: locked, closed, removed, or at its size limit. */
import { renameSync } from 'node:fs';
import { wholeMs } from '@longhaul/tasks';
import type { SqliteStore } from '@longhaul/store-sqlite';
import { newTaskId, TaskHistory } from '@longhaul/tasks/testing';
import { describe, expect, it } from 'vitest';
import { waitUntil } from '../../support/wait-until.js';
import { SqliteFiles } from '../support/sqlite-files.js';

const FULL = { code: 'STORE_FULL' };

const files = new SqliteFiles();

describe('a data file that cannot be written', () => {
  it('has writers wait while another process writes, and readers not', async () => {
    const [first, second] = [await files.open(), await files.open()];
    const task = new TaskHistory();
    await first.events.append(task.create());
    first.sqlite.database.exec('BEGIN IMMEDIATE');
    let isWritten = false;
    const appending = second.events.append(task.claim()).then((result) => {
      isWritten = true;
      return result;
    });
    expect(await second.events.read(task.taskId)).toHaveLength(1);
    expect(isWritten).toBe(false);
    first.sqlite.database.exec('COMMIT');
    expect(await appending).toBe('appended');
  });

  it('is unavailable once it is closed', async () => {
    const { close, events, index, queue } = await files.open();
    const task = new TaskHistory();
    const [create, , step] = [task.create(), task.claim(), task.step('a', 'x')];
    await close();
    const calls = [
      events.append(create),
      events.append(step),
      events.views([newTaskId()]),
      index.page('alice', 1),
      queue.add({ taskId: newTaskId(), pass: 1 }, wholeMs(0)),
    ];
    for (const result of await Promise.allSettled(calls)) expect(result).toMatchObject({ reason: { code: 'STORE_UNAVAILABLE' } });
  });
});

describe('a data file that is removed while it is open', () => {
  it('is unavailable for what begins or records something, because that would be gone with the last process', async () => {
    const { events, ping } = await files.open();
    const task = new TaskHistory();
    for (const request of [task.create(), task.claim()]) await events.append(request);
    renameSync(files.path, `${files.path}.before`);
    for (const result of await Promise.allSettled([ping(), events.append(task.step('a', 'x'))]))
      expect(result).toMatchObject({ reason: { code: 'STORE_UNAVAILABLE', cause: { name: 'SqliteGoneError' } } });
  });
});

describe('a data file that may not grow', () => {
  const MAX_BYTES = 4 * 2 ** 20;
  /** Appends steps until one is refused. */
  const fill = async ({ events }: SqliteStore): Promise<unknown> => {
    const task = new TaskHistory();
    for (const request of [task.create(), task.claim()]) await events.append(request);
    for (let step = 0; ; step++) {
      const refusal = await events.append(task.step(`${step}`, 'x'.repeat(20_000))).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (refusal !== undefined) return refusal;
    }
  };

  it('refuses what begins something first, then steps, and takes ends and answers', async () => {
    const store = await files.open({ maxBytes: MAX_BYTES });
    const { events, capacity } = store;
    const [ending, waiting] = [new TaskHistory(), new TaskHistory()];
    for (const task of [ending, waiting]) for (const request of [task.create(), task.claim()]) await events.append(request);
    await store.ping();
    expect(capacity.hasRoomToSpare()).toBe(true);
    expect(await fill(store)).toMatchObject(FULL);
    await waitUntil(() => !capacity.hasRoomToSpare(), { description: 'nothing is kept for operators any more' });
    await expect(store.ping()).rejects.toMatchObject(FULL);
    await expect(capacity.admit('creation', 1, async () => 'written')).rejects.toMatchObject(FULL);
    expect(await events.append(ending.complete('x'.repeat(50_000)))).toBe('appended');
    expect(await events.append(waiting.cancel())).toBe('appended');
    expect(files.errors, 'reported once').toEqual([expect.objectContaining(FULL)]);
  });

  it('counts what is admitted and not written yet, because others keep the file locked', async () => {
    const { capacity } = await files.open({ maxBytes: MAX_BYTES });
    const lock = Promise.withResolvers<string>();
    const bytes = MAX_BYTES / 20;
    const writes = Array.from({ length: 100 }, () => capacity.admit('creation', bytes, () => lock.promise));
    lock.resolve('written');
    const admitted = (await Promise.allSettled(writes)).filter(({ status }) => status === 'fulfilled');
    expect(admitted.length * bytes).toBeLessThan(0.85 * MAX_BYTES);
    expect(admitted).not.toEqual([]);
    expect(await capacity.admit('creation', bytes, async () => 'written')).toBe('written');
  });

  it('refuses as a whole what does not fit at all, and takes what is smaller', async () => {
    const store = await files.open({ maxBytes: MAX_BYTES });
    const task = new TaskHistory();
    for (const request of [task.create(), task.claim()]) await store.events.append(request);
    const large = task.fork();
    await expect(store.events.append(large.complete('x'.repeat(2 * MAX_BYTES)))).rejects.toMatchObject(FULL);
    expect(await store.events.read(task.taskId)).toHaveLength(2);
    expect(await store.events.append(task.complete('x'))).toBe('appended');
  });
});
