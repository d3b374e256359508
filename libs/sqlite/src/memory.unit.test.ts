import { afterEach, describe, expect, it } from 'vitest';
import { faultOf } from './fault.js';
import { openSqliteInMemory } from './memory.js';
import type { Sqlite } from './open.js';

const THINGS = { version: 1, sql: 'CREATE TABLE things (id INTEGER PRIMARY KEY) STRICT' };

describe('a data file in memory', () => {
  let opened: Sqlite[] = [];
  const open = (): Sqlite => {
    const sqlite = openSqliteInMemory({ schema: THINGS, onError: () => undefined });
    opened.push(sqlite);
    return sqlite;
  };
  afterEach(async () => {
    for (const { close } of opened) await close();
    opened = [];
  });
  const add = ({ database }: Sqlite, id: number) => database.transaction(() => database.run('INSERT INTO things VALUES (?)', id));
  const all = ({ database }: Sqlite) => database.all('SELECT * FROM things');

  it('is empty when it is opened, and nobody else has what is in it', async () => {
    const first = open();
    await add(first, 1);
    expect(all(open())).toEqual([]);
    await first.close();
    expect(all(open())).toEqual([]);
  });

  it('writes all that a transaction does, or nothing', async () => {
    const file = open();
    await add(file, 1);
    const failing = file.database.transaction(() => {
      file.database.run('INSERT INTO things VALUES (2)');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(all(file)).toEqual([{ id: 1 }]);
  });

  it('is closed for those who have closed it, also when somebody else has its tables', async () => {
    const first = open();
    await first.close();
    const second = open();
    const late = await add(first, 1).catch((error: unknown) => error);
    expect(faultOf(late)).toBe('away');
    expect(all(second)).toEqual([]);
  });

  it('passes messages on within the process', async () => {
    const { channels } = open();
    const message = await new Promise((resolve) => {
      channels.add('news', resolve);
      channels.publish('news', 'hello');
    });
    expect(message).toBe('hello');
  });
});
