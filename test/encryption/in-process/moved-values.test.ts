/** Tests a value that an attacker with write access to the store has moved: it is refused at its new key, and nothing else is. */
import type { TaskStore, TaskId } from '@longhaul/tasks';
import { TaskHistory } from '@longhaul/tasks/testing';
import { describe, expect, it } from 'vitest';
import { RedisStores } from '../../stores/support/redis-stores.js';
import { SqliteFiles } from '../../stores/support/sqlite-files.js';
import { encryptionOf } from '../../support/encryption.js';

/** The attacks with the store and without the keys. */
interface Opened {
  readonly store: TaskStore;
  eventData(taskId: TaskId, version: number): Promise<string>;
  setEventData(taskId: TaskId, version: number, data: string): Promise<void>;
  view(taskId: TaskId): Promise<string>;
  setView(taskId: TaskId, text: string): Promise<void>;
}

const redis = new RedisStores();
const files = new SqliteFiles();

async function onRedis(): Promise<Opened> {
  const store = await redis.connect({ encryption: encryptionOf() });
  const { keys } = redis;
  const client = redis.test.redis;
  const entries = (taskId: TaskId) => client.xrange(keys.events(taskId), '-', '+');
  return {
    store,
    eventData: async (taskId, version) => (await entries(taskId))[version - 1]?.[1][3] ?? '',
    async setEventData(taskId, version, data) {
      const all = await entries(taskId);
      await client.del(keys.events(taskId));
      for (const [at, [id, fields]] of all.entries())
        await client.xadd(keys.events(taskId), id, ...(at === version - 1 ? fields.toSpliced(3, 1, data) : fields));
    },
    view: async (taskId) => (await client.hget(keys.view(taskId), 'view')) ?? '',
    setView: async (taskId, text) => void (await client.hset(keys.view(taskId), 'view', text)),
  };
}

async function onSqlite(): Promise<Opened> {
  const store = await files.open({ encryption: encryptionOf() });
  const { database } = store.sqlite;
  const where = 'version = ? AND task = (SELECT id FROM tasks WHERE task_id = ?)';
  return {
    store,
    eventData: async (taskId, version) =>
      (database.get(`SELECT data FROM events WHERE ${where}`, version, taskId) as { data: string }).data,
    setEventData: async (taskId, version, data) => void database.run(`UPDATE events SET data = ? WHERE ${where}`, data, version, taskId),
    view: async (taskId) => (database.get('SELECT view FROM tasks WHERE task_id = ?', taskId) as { view: string }).view,
    setView: async (taskId, text) => void database.run('UPDATE tasks SET view = ? WHERE task_id = ?', text, taskId),
  };
}

/** What is encrypted of the view: what its tool said. */
const saidIn = async (opened: Opened, { taskId }: TaskHistory): Promise<string> =>
  (JSON.parse(await opened.view(taskId)) as { said: string }).said;

/** The view of a task with something else in the place of what is encrypted of it. */
async function viewSaying(opened: Opened, { taskId }: TaskHistory, said: string): Promise<string> {
  return JSON.stringify({ ...(JSON.parse(await opened.view(taskId)) as object), said });
}

async function taskOf(opened: Opened, owner: string): Promise<TaskHistory> {
  const task = new TaskHistory();
  for (const request of [task.create({ owner }), task.claim(), task.step('a', 'first'), task.step('b', 'second'), task.status('third')])
    expect(await opened.store.events.append(request)).toBe('appended');
  return task;
}

const MOVED = { code: 'VALUE_NOT_GENUINE' };

describe.each([
  ['Redis', onRedis],
  ['SQLite', onSqlite],
])('a moved value in %s', (_name, open) => {
  it.each<[string, (opened: Opened, own: TaskHistory, other: TaskHistory) => Promise<void>]>([
    ['from another version', async (opened, { taskId }) => opened.setEventData(taskId, 3, await opened.eventData(taskId, 4))],
    ['from another task', async (opened, { taskId }, other) => opened.setEventData(taskId, 3, await opened.eventData(other.taskId, 3))],
    ['from another field', async (opened, own) => opened.setEventData(own.taskId, 3, await saidIn(opened, own))],
  ])('%s is refused where events are read, by its name, and no other task is', async (_what, move) => {
    const opened = await open();
    const [own, other] = [await taskOf(opened, 'ada'), await taskOf(opened, 'ada')];
    await move(opened, own, other);
    const { events } = opened.store;
    await expect(events.read(own.taskId)).rejects.toMatchObject({ ...MOVED, message: expect.stringContaining(own.taskId) as string });
    expect(await events.read(other.taskId)).toEqual(other.events);
    expect(await events.views([own.taskId, other.taskId])).toEqual([own.projection.view, other.projection.view]);
  });

  it.each<[string, (opened: Opened, own: TaskHistory, other: TaskHistory) => Promise<string>]>([
    ['of another task', async (opened, _own, other) => opened.view(other.taskId)],
    ['of another tenant', async (opened) => opened.view((await taskOf(opened, 'bob')).taskId)],
    ['with what another task says', async (opened, own, other) => viewSaying(opened, own, await saidIn(opened, other))],
    ['with what another tenant says', async (opened, own) => viewSaying(opened, own, await saidIn(opened, await taskOf(opened, 'bob')))],
    ['with another field', async (opened, own) => viewSaying(opened, own, await opened.eventData(own.taskId, 4))],
    ['in place of which is another field', async (opened, { taskId }) => opened.eventData(taskId, 4)],
  ])('that is the view %s is refused, by its name, and no other task is', async (_what, from) => {
    const opened = await open();
    const [own, other] = [await taskOf(opened, 'ada'), await taskOf(opened, 'ada')];
    await opened.setView(own.taskId, await from(opened, own, other));
    const { events } = opened.store;
    await expect(events.views([own.taskId])).rejects.toMatchObject(MOVED);
    expect(await events.views([other.taskId])).toEqual([other.projection.view]);
  });

  it('that is the view of an earlier version is refused, and its events are there to make it anew', async () => {
    const opened = await open();
    const own = await taskOf(opened, 'ada');
    const earlier = await opened.view(own.taskId);
    const said = await saidIn(opened, own);
    expect(await opened.store.events.append(own.step('c', 'third'))).toBe('appended');
    for (const view of [earlier, await viewSaying(opened, own, said)]) {
      await opened.setView(own.taskId, view);
      await expect(opened.store.events.views([own.taskId])).rejects.toMatchObject(MOVED);
    }
    expect(await opened.store.events.read(own.taskId)).toEqual(own.events);
  });
});
