/** Tests sessions and their data in a data file, in addition to the contracts. */
import { randomUUID } from 'node:crypto';
import { openSqliteStore, type SqliteStore } from '@longhaul/store-sqlite';
import { NO_VERSION } from '@longhaul/sessions/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TestFolder } from '../../support/test-folder.js';
import { waitUntil } from '../../support/wait-until.js';

const IDLE_MS = 60_000;

let folder: TestFolder;
let store: SqliteStore;
let ahead: number;
const clock = (): number => Date.now() + ahead;

beforeEach(async () => {
  folder = new TestFolder();
  ahead = 0;
  store = await openSqliteStore({ path: folder.dataFile, clock, sessionTtlMs: IDLE_MS, onError: () => undefined });
});
afterEach(async () => {
  await store.close();
  folder.remove();
});

const newSession = () => ({ id: randomUUID(), owner: 'somebody', protocolVersion: '2025-11-25', client: { capabilities: {} } });
const countOf = (table: string): unknown => store.sqlite.database.get(`SELECT count(*) AS count FROM ${table}`)?.['count'];

it('a session that is used lasts longer than its idle time, with its values and records, and then ends with them', async () => {
  const { sessions } = store.gateway;
  const session = newSession();
  const owner = { id: `session:${session.id}`, idleMs: IDLE_MS };
  await sessions.create(session);
  await store.sessionState.set(session.id, 'a', 1);
  const change = { since: NO_VERSION, changes: [{ id: 'a', json: '1' }], maxBytes: 1_000 };
  expect(await store.ownerRecords.apply({ owner, name: 'things' }, change)).toBe('applied');
  for (let use = 0; use < 4; use++) {
    ahead += IDLE_MS / 2;
    expect(await sessions.load(session.id)).toMatchObject({ id: session.id, owner: 'somebody' });
    expect((await store.ownerRecords.changesSince({ owner, name: 'things' }, NO_VERSION)).records).toHaveLength(1);
  }
  expect(await store.sessionState.get(session.id, 'a')).toBe(1);
  ahead += IDLE_MS;
  expect(await sessions.load(session.id)).toBeUndefined();
  expect(await store.sessionState.get(session.id, 'a')).toBeUndefined();
  expect((await store.ownerRecords.changesSince({ owner, name: 'things' }, NO_VERSION)).records).toEqual([]);
});

it('a session and records whose expiry is to be pushed back are read though nothing can be written', async () => {
  const { sessions } = store.gateway;
  const session = newSession();
  const owner = { id: randomUUID(), idleMs: IDLE_MS };
  await sessions.create(session);
  const change = { since: NO_VERSION, changes: [{ id: 'a', json: '1' }], maxBytes: 1_000 };
  await store.ownerRecords.apply({ owner, name: 'things' }, change);
  ahead = IDLE_MS / 2;
  store.sqlite.database.exec('PRAGMA query_only = 1');
  await expect(store.sessionState.set(session.id, 'a', 1)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });

  expect(await sessions.load(session.id)).toMatchObject({ id: session.id });
  expect(await sessions.touch(session.id)).toBe(true);
  expect((await store.ownerRecords.changesSince({ owner, name: 'things' }, NO_VERSION)).records).toHaveLength(1);
});

it('a session and records whose expiry is to be pushed back do not wait for others that write', async () => {
  const { sessions } = store.gateway;
  const session = newSession();
  const owner = { id: randomUUID(), idleMs: IDLE_MS };
  await sessions.create(session);
  const change = { since: NO_VERSION, changes: [{ id: 'a', json: '1' }], maxBytes: 1_000 };
  await store.ownerRecords.apply({ owner, name: 'things' }, change);
  const other = await openSqliteStore({ path: folder.dataFile, onError: () => undefined });
  other.sqlite.database.exec('BEGIN IMMEDIATE');
  ahead = IDLE_MS / 2;
  // It continues writing until they are done.
  expect(await sessions.load(session.id)).toMatchObject({ id: session.id });
  expect((await store.ownerRecords.changesSince({ owner, name: 'things' }, NO_VERSION)).records).toHaveLength(1);
  other.sqlite.database.exec('COMMIT');
  await other.close();
  ahead = IDLE_MS + 1;
  await waitUntil(() => sessions.touch(session.id), { description: 'it is kept once the other one has written' });
});

it('what has expired makes room for what comes after it', async () => {
  const { sessions, streams, clientResponses, outcomes } = store.gateway;
  const addSome = async (): Promise<void> => {
    for (let added = 0; added < 20; added++) {
      const { id: sessionId } = newSession();
      await sessions.create({ ...newSession(), id: sessionId });
      await store.sessionState.set(sessionId, 'a', 1);
      const stream = { sessionId, streamId: randomUUID(), gatewayId: 'a', isStandalone: false };
      await streams.open({ ...stream, leaseMs: 1_000, maxOpen: 1, requests: [{ id: 1 }] });
      await streams.append({ ...stream, epoch: 1 }, { json: '{}', isExclusive: true, isAnswer: false });
      await clientResponses.put({ sessionId, requestId: 'a' }, '{}');
      await outcomes.begin(sessionId, IDLE_MS);
    }
  };
  await addSome();
  ahead = 24 * 3_600_000;
  await addSome();
  const tables = ['sessions', 'value_holders', 'session_values', 'streams', 'stream_entries', 'client_responses', 'outcomes'];
  expect(tables.map(countOf)).toEqual(tables.map(() => 20));
});

it('a rate is not used up for longer than it takes because the clock was set back', async () => {
  const { rates } = store.gateway;
  const take = (): Promise<number> => rates.take({ what: 'sessions', account: 'alice' }, 1, { limit: 2, perMs: 60_000 });
  ahead = 3_600_000;
  await take();
  ahead = 0;
  expect([await take(), await take()]).toEqual([0, 0]);
  expect(await take()).toBeGreaterThan(0);
});

it('two that open the file at the same time draw one secret, which stays', async () => {
  const other = await openSqliteStore({ path: folder.dataFile, onError: () => undefined });
  const states = [store, other].map(({ gateway }) => gateway);
  const [secret, same] = await Promise.all(states.map((state) => state.secret()));
  await other.close();
  expect(secret).toHaveLength(43);
  expect(same).toBe(secret);
  expect(await states[0]?.secret()).toBe(secret);
});
