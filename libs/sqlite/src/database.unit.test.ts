import { renameSync, statSync, writeFileSync } from 'node:fs';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { faultOf, SqliteBusyError } from './fault.js';
import { BUSY_LIMIT_MS, RETRY_MS, type SqliteDatabase } from './database.js';
import { dataFiles } from './data-files.fixture.js';
import { nodeSqlite } from './node-sqlite.js';

const COUNTERS = { version: 1, sql: 'CREATE TABLE counters (n INTEGER NOT NULL)' };

describe('a data file', () => {
  const files = dataFiles(COUNTERS);
  const opened = async (): Promise<SqliteDatabase> => (await files.open()).database;
  const insert = (database: SqliteDatabase, n: number) => (): number => database.run('INSERT INTO counters (n) VALUES (?)', n);

  it('is for its user alone', async () => {
    await files.open();
    expect(statSync(files.path).mode & 0o777).toBe(0o600);
    expect(statSync(`${files.path}-wal`).mode & 0o777).toBe(0o600);
  });

  it('is opened once another one that makes it has let go of it', async () => {
    const maker = new (nodeSqlite().DatabaseSync)(files.path);
    maker.exec('BEGIN EXCLUSIVE');
    const opening = files.open();
    await expect(Promise.race([opening, setImmediate('waits')])).resolves.toBe('waits');
    maker.exec('COMMIT');
    maker.close();
    await expect(opening).resolves.toBeDefined();
  });

  it('is away when it was removed, or another file was put in its place', async () => {
    const database = await opened();
    const gone = (): unknown => {
      try {
        return database.requireInPlace();
      } catch (error) {
        return faultOf(error);
      }
    };
    expect(gone()).toBeUndefined();
    renameSync(files.path, `${files.path}.before`);
    expect(gone()).toBe('away');
    writeFileSync(files.path, '');
    expect(gone()).toBe('away');
  });

  it('has all of a transaction or nothing', async () => {
    const database = await opened();
    const failed = database.transaction(() => {
      insert(database, 1)();
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    await database.transaction(insert(database, 2));
    expect(database.all('SELECT n FROM counters')).toEqual([{ n: 2 }]);
  });

  it('has writers wait for each other, in their order', async () => {
    const [first, second] = [await opened(), await opened()];
    first.exec('BEGIN IMMEDIATE');
    const waiting = [1, 2, 3].map((n) => second.transaction(insert(second, n)));
    insert(first, 0)();
    expect(second.all('SELECT n FROM counters')).toEqual([]);
    first.exec('COMMIT');
    await Promise.all(waiting);
    expect(first.all('SELECT n FROM counters ORDER BY rowid')).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it('lets a writer wait no longer than its limit, without holding up the event loop, and takes later ones', async () => {
    const [first, second] = [await opened(), await opened()];
    first.exec('BEGIN IMMEDIATE');
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 10);
    const error = await second.transaction(insert(second, 1)).catch((error: unknown) => error);
    clearInterval(turning);
    expect(error).toBeInstanceOf(SqliteBusyError);
    expect(faultOf(error)).toBe('away');
    expect(turns).toBeGreaterThan(20);
    first.exec('COMMIT');
    await second.transaction(insert(second, 2));
    expect(first.all('SELECT n FROM counters')).toEqual([{ n: 2 }]);
  });

  it('does not take its own standing still for the lock of another process', async () => {
    const [first, second] = [await opened(), await opened()];
    first.exec('BEGIN IMMEDIATE');
    const waiting = second.transaction(insert(second, 1));
    const until = performance.now() + 1.1 * BUSY_LIMIT_MS;
    while (performance.now() < until);
    // The first try since then.
    await setTimeout(2 * RETRY_MS);
    first.exec('COMMIT');
    await waiting;
    expect(first.all('SELECT n FROM counters')).toEqual([{ n: 1 }]);
  });

  it('notices what others wrote, and not what was written here', async () => {
    const [first, second] = [await opened(), await opened()];
    first.wasWrittenByOthers();
    await first.transaction(insert(first, 1));
    expect(first.wasWrittenByOthers()).toBe(false);
    await second.transaction(insert(second, 2));
    expect(first.wasWrittenByOthers()).toBe(true);
    expect(first.wasWrittenByOthers()).toBe(false);
  });

  it('is full for a write that does not fit, and whole after it', async () => {
    const database = await opened();
    database.exec('PRAGMA max_page_count = 20; CREATE TABLE blobs (bytes BLOB)');
    const error = await database
      .transaction(() => database.run('INSERT INTO blobs VALUES (randomblob(200000))'))
      .catch((error: unknown) => error);
    expect(faultOf(error)).toBe('full');
    await database.transaction(insert(database, 1));
    expect(database.all('SELECT n FROM counters')).toEqual([{ n: 1 }]);
  });

  it('is away once it is closed, while a mistake in a statement is no outage', async () => {
    const { database, close } = await files.open();
    expect(faultOf(await database.transaction(() => database.run('NONSENSE')).catch((error: unknown) => error))).toBeUndefined();
    await close();
    expect(faultOf(await database.transaction(() => undefined).catch((error: unknown) => error))).toBe('away');
  });
});
