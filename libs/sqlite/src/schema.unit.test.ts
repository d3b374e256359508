import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { nodeSqlite } from './node-sqlite.js';
import { dataFiles } from './data-files.fixture.js';

const FIRST = { name: 'first', sql: 'CREATE TABLE things (id INTEGER PRIMARY KEY) STRICT; INSERT INTO things VALUES (1)' };
const SECOND = { name: 'second', sql: "ALTER TABLE things ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'" };

describe('the schema of a data file', () => {
  const files = dataFiles();

  it('is brought forward by the steps that are missing, and keeps what is there', async () => {
    const old = await files.open();
    await old.bringForward({ name: 'things', steps: [FIRST] });
    await old.close();
    const { database, bringForward } = await files.open();
    for (let times = 0; times < 2; times++) await bringForward({ name: 'things', steps: [FIRST, SECOND] });
    expect(database.all('SELECT * FROM things')).toEqual([{ id: 1, colour: 'red' }]);
  });

  it('is of several parts, each with its own steps', async () => {
    const { database, bringForward } = await files.open();
    await bringForward({ name: 'things', steps: [FIRST] });
    await bringForward({ name: 'others', steps: [{ name: 'first', sql: 'CREATE TABLE others (id INTEGER)' }] });
    await bringForward({ name: 'things', steps: [FIRST, SECOND] });
    expect(database.all("SELECT part, name FROM schema_steps WHERE part <> 'processes' ORDER BY part, step")).toEqual([
      { part: 'others', name: 'first' },
      { part: 'things', name: 'first' },
      { part: 'things', name: 'second' },
    ]);
    expect(database.get('PRAGMA user_version')).toEqual(database.get('SELECT count(*) AS user_version FROM schema_steps'));
  });

  it('is left as it was by a step that fails', async () => {
    const { database, bringForward } = await files.open();
    const broken = { name: 'broken', sql: 'CREATE TABLE more (id INTEGER); CREATE TABLE things (id INTEGER)' };
    await expect(bringForward({ name: 'things', steps: [FIRST, broken] })).rejects.toThrow('already exists');
    expect(database.all("SELECT name FROM sqlite_schema WHERE name IN ('things', 'more')")).toEqual([]);
  });

  it('is made once by two that open the file at the same time', async () => {
    const both = await Promise.all([files.open(), files.open()]);
    await Promise.all(both.map(({ bringForward }) => bringForward({ name: 'things', steps: [FIRST] })));
    expect(both[0].database.all('SELECT * FROM things')).toEqual([{ id: 1 }]);
  });

  it('is refused when it is newer than the code, by a line that names the file and what to do', async () => {
    const { bringForward } = await files.open();
    await bringForward({ name: 'things', steps: [FIRST, SECOND] });
    await expect(bringForward({ name: 'things', steps: [FIRST] })).rejects.toThrow(
      `${files.path} was written by a newer Longhaul (its things have "second"): run that version or a later one, or set LONGHAUL_DATA_DIR to another folder.`,
    );
  });

  it('is not made in a database of another program', async () => {
    const { DatabaseSync } = nodeSqlite();
    const foreign = new DatabaseSync(files.path);
    foreign.exec('CREATE TABLE songs (id INTEGER)');
    foreign.close();
    await expect(files.open()).rejects.toThrow(`${files.path} is a database of another program`);
  });

  it('is not made in a file that is no database', async () => {
    writeFileSync(files.path, 'dear diary, '.repeat(100));
    await expect(files.open()).rejects.toThrow(
      `The data file ${files.path} cannot be opened: it is no data file. Set LONGHAUL_DATA_DIR to another folder, or move the file away.`,
    );
  });
});
