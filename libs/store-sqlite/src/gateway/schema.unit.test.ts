import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashOfAccount } from '@longhaul/sessions';
import { openSqliteBackend, type SqliteBackend } from '../sessions/backend.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { GATEWAY_SCHEMA } from './schema.js';

const MINUTE_MS = 60_000;

let folder: string;
let backend: SqliteBackend;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'longhaul-schema-'));
  backend = await openSqliteBackend({ path: join(folder, 'longhaul.db'), onError: () => undefined });
});
afterEach(async () => {
  await backend.close();
  rmSync(folder, { recursive: true });
});

it('takes over the sessions that a file of an earlier version has open, with whose they are and since when', async () => {
  const { sqlite, sessionPlaces } = backend;
  await sqlite.bringForward({ ...GATEWAY_SCHEMA, steps: GATEWAY_SCHEMA.steps.slice(0, 3) });
  const now = Date.now();
  const expiresAt = now + MINUTE_MS;
  const insert = 'INSERT INTO sessions (id, owner, protocol_version, client, opened_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)';
  const place = 'INSERT INTO session_places (session, account, expires_at) VALUES (?, ?, ?)';
  const accounts = { 'user:ada': hashOfAccount('user:ada'), 'address:203.0.113.7': hashOfAccount('address:203.0.113.7') };
  for (const [owner, account] of Object.entries(accounts)) {
    sqlite.database.run(insert, owner, owner.replace('address', 'session'), '2025-11-25', '{}', now - 1, expiresAt);
    sqlite.database.run(place, owner, account, expiresAt);
  }
  await sqlite.bringForward(GATEWAY_SCHEMA);

  expect(await sessionPlaces.openOf('user:ada', 10)).toMatchObject({ count: 1, sessions: [{ openedAt: now - 1, expiresAt }] });
  const named: string[] = [];
  for await (const account of sessionPlaces.accounts()) named.push(account);
  expect(named).toEqual(['user:ada']);
  expect(sqlite.database.get('SELECT count(*) AS count FROM open_sessions')).toEqual({ count: 2 });
});
