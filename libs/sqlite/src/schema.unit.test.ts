import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { nodeSqlite } from './node-sqlite.js';
import { dataFiles } from './data-files.fixture.js';

const THINGS = { version: 1, sql: 'CREATE TABLE things (id INTEGER PRIMARY KEY) STRICT; INSERT INTO things VALUES (1)' };

describe('the tables of a data file', () => {
  const files = dataFiles(THINGS);

  it('are made when the file is, and stay', async () => {
    const made = await files.open();
    made.database.run('INSERT INTO things VALUES (2)');
    await made.close();
    const { database } = await files.open();
    expect(database.all('SELECT * FROM things')).toEqual([{ id: 1 }, { id: 2 }]);
    expect(database.get('PRAGMA user_version')).toEqual({ user_version: 1 });
  });

  it('are made all or none', async () => {
    const broken = { version: 1, sql: `${THINGS.sql}; CREATE TABLE things (id INTEGER)` };
    await expect(files.open({ schema: broken })).rejects.toThrow('already exists');
    const { database } = await files.open();
    expect(database.all('SELECT * FROM things')).toEqual([{ id: 1 }]);
  });

  it('are made once by two that open the file at the same time', async () => {
    const [first] = await Promise.all([files.open(), files.open()]);
    expect(first.database.all('SELECT * FROM things')).toEqual([{ id: 1 }]);
  });

  it('are refused when they are of another version, by a line that names the file and what to do', async () => {
    await (await files.open()).close();
    await expect(files.open({ schema: { ...THINGS, version: 2 } })).rejects.toThrow(
      `${files.path} has version 1 of the data file, and this Longhaul has version 2: run the Longhaul that wrote it, or set LONGHAUL_DATA_DIR to another folder.`,
    );
  });

  it('are not made in a database of another program', async () => {
    const { DatabaseSync } = nodeSqlite();
    const foreign = new DatabaseSync(files.path);
    foreign.exec('CREATE TABLE songs (id INTEGER)');
    foreign.close();
    await expect(files.open()).rejects.toThrow(`${files.path} is a database of another program`);
  });

  it('are not made in a file that is no database', async () => {
    writeFileSync(files.path, 'dear diary, '.repeat(100));
    await expect(files.open()).rejects.toThrow(
      `The data file ${files.path} cannot be opened: it is no data file. Set LONGHAUL_DATA_DIR to another folder, or move the file away.`,
    );
  });
});
