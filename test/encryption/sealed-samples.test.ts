/**
 * Tests that with keys no text of callers, tools or models is kept in plain. Events of all types with a mark in their texts are stored, and
 * the mark is searched in the whole store.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { connectRedisStore } from '@longhaul/store-redis';
import { openSqliteStore } from '@longhaul/store-sqlite';
import { type EncryptionKeys, rowOf, type TaskStore, type TaskEvent } from '@longhaul/tasks';
import { EVENT_KINDS, EVENT_SAMPLES, fold, newTaskId, project, sampleOf, toStored, VIEW_AT_REST } from '@longhaul/tasks/testing';
import { describe, expect, it } from 'vitest';
import { encryptionOf } from '../support/encryption.js';
import { openTestRedis, type TestRedis } from '../support/redis.js';
import { TestFolder } from '../support/test-folder.js';

const MARK = 'mark-of-what-was-said';

/** The event data that lists, scripts and operators read: it is plain by design, and all other data is encrypted. */
const PLAIN: Readonly<Record<string, ReadonlySet<string>>> = {
  TaskCreated: new Set([
    'tool',
    'owner',
    'scopes',
    'accounts',
    'sessionId',
    'client.generation',
    'client.protocolVersion',
    'idempotencyKey',
    'searchKeys',
    'trace',
    ...['taskId', 'firstTaskId', 'stepKeysOf', 'recordedBy', 'by'].map((name) => `forkedFrom.${name}`),
  ]),
  PassStarted: new Set(['workerId', 'version', 'trial']),
};

/** The value with the mark in each text that is not plain by design. */
function marked(value: unknown, plain: ReadonlySet<string>, path: readonly string[] = []): unknown {
  if (plain.has(path.filter((part) => Number.isNaN(Number(part))).join('.'))) return value;
  if (typeof value === 'string') return `${value} ${MARK}`;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, marked(member, plain, [...path, name])] as const);
  return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members);
}

function markedEvent(event: TaskEvent): TaskEvent {
  const { type, data } = event;
  const created = PLAIN['TaskCreated'] ?? new Set();
  const plain = type === 'TaskContinued' ? new Set([...created].map((name) => `task.${name}`)) : (PLAIN[type] ?? new Set());
  return { ...event, data: marked(data, plain) } as TaskEvent;
}

/** A history in which the event comes after those that it needs, and before the pass waits for all that is open. */
function historyWith(event: TaskEvent): readonly TaskEvent[] {
  if (event.type === 'TaskCreated') return [markedEvent(event)];
  const { forkedFrom: _fork, imported: _imported, implicit: _implicit, ...task } = sampleOf('TaskCreated').data;
  const created: TaskEvent = { ...sampleOf('TaskCreated'), data: task };
  const { operation } = EVENT_KINDS[event.type] as { readonly operation?: string };
  const opening = EVENT_SAMPLES.filter(({ type }) => {
    const kind = EVENT_KINDS[type] as { readonly role: string; readonly operation?: string };
    return kind.role === 'opens' && kind.operation === operation && type !== event.type;
  });
  const reports = event.type === 'TaskContinued' ? Array.from({ length: event.data.version - 3 }, () => sampleOf('StatusReported')) : [];
  const before = [created, sampleOf('PassStarted'), ...opening, ...reports, event].map((each) => markedEvent(each));
  const keys = before.flatMap(({ data }) => ('key' in data ? [data.key] : []));
  const rests = { ...sampleOf('PassSuspended'), data: { pass: 1, waitingFor: [...new Set(keys)] } };
  return EVENT_KINDS[event.type].role === 'ends' ? before : [...before, rests];
}

/** Keeps a task of each history. */
async function keepAll({ events }: TaskStore): Promise<void> {
  for (const sample of EVENT_SAMPLES) {
    const history = historyWith(sample);
    const state = fold(history);
    const taskId = newTaskId();
    const projection = project(taskId, state);
    const { view } = projection;
    const request = { taskId, expectedVersion: 0, epochAfter: state.epoch, events: history.map((event) => toStored(event)), projection };
    expect(await events.append({ ...request, row: rowOf(view) }), sample.type).toBe('appended');
    expect(await events.views([taskId], 'operator'), sample.type).toEqual([JSON.parse(JSON.stringify(view))]);
  }
}

async function inSqlite(encryption: EncryptionKeys | undefined): Promise<string> {
  const folder = new TestFolder();
  const store = await openSqliteStore({ path: folder.dataFile, encryption, onError: () => undefined });
  await keepAll(store);
  const file = new DatabaseSync(folder.dataFile, { readOnly: true });
  const tables = file.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const rows = tables.flatMap(({ name }) => file.prepare(`SELECT * FROM "${String(name)}"`).all());
  file.close();
  await store.close();
  const folderPath = dirname(folder.dataFile);
  const files = readdirSync(folderPath).map((name) => readFileSync(join(folderPath, name)).toString('latin1'));
  folder.remove();
  return [JSON.stringify(rows), ...files].join('\n');
}

async function inRedis(encryption: EncryptionKeys | undefined): Promise<string> {
  const test = openTestRedis();
  const { url, prefix } = test;
  const store = await connectRedisStore({ url, prefix, role: 'gateway', encryption, onError: () => undefined });
  await keepAll(store);
  const keys = await test.redis.keys(`*${prefix}*`);
  const kept = await Promise.all(keys.map(async (key) => [key, await valueOf(test, key)]));
  await store.close();
  await test.cleanUp();
  return JSON.stringify(kept);
}

async function valueOf({ redis }: TestRedis, key: string): Promise<unknown> {
  switch (await redis.type(key)) {
    case 'hash':
      return redis.hgetall(key);
    case 'stream':
      return redis.xrange(key, '-', '+');
    case 'set':
      return redis.smembers(key);
    case 'zset':
      return redis.zrange(key, '0', '-1');
    case 'list':
      return redis.lrange(key, 0, -1);
    default:
      return redis.get(key);
  }
}

describe.each([
  ['Redis', inRedis],
  ['SQLite', inSqlite],
])('what is said in events of all types, in %s', (_name, kept) => {
  it('is kept in plain without keys', async () => {
    expect(await kept(undefined)).toContain(MARK);
  });

  it('is nowhere in plain with keys', async () => {
    const all = await kept({ ...encryptionOf(), takesPlain: false });
    const at = all.indexOf(MARK);
    expect(at < 0 ? 'nowhere' : all.slice(Math.max(0, at - 200), at + MARK.length)).toBe('nowhere');
  });
});

it('the view of a sample has the mark in every member that is sealed, and no view has it elsewhere', () => {
  const views = EVENT_SAMPLES.map((sample) => project(newTaskId(), fold(historyWith(sample))).view as object);
  const check = (name: string, atRest: unknown, values: readonly unknown[]): void => {
    if (typeof atRest !== 'string')
      for (const [part, ofPart] of Object.entries(atRest as object)) check(`${name}.${part}`, ofPart, values.map(memberOf(part)));
    else expect(JSON.stringify(values).includes(MARK), name).toBe(atRest === 'sealed');
  };
  check('view', VIEW_AT_REST, views);
});

const memberOf =
  (name: string) =>
  (whole: unknown): unknown =>
    typeof whole === 'object' && whole !== null ? Reflect.get(whole, name) : undefined;
