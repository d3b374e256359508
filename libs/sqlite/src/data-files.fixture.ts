import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { openSqlite, type Sqlite, type SqliteOptions } from './open.js';
import type { Schema } from './schema.js';

/** The data files of a test. */
interface DataFiles {
  readonly path: string;
  /** The reported errors of the opened files. */
  readonly errors: unknown[];
  /** Opens a data file, once more with each call. @param options for a file other than `path`, or with other tables */
  open(options?: Partial<SqliteOptions>): Promise<Sqlite>;
}

/** A folder for each test of the file, in which it opens data files; all of them are closed after the test. */
export function dataFiles(schema: Schema = { version: 1, sql: '' }): DataFiles {
  let folder = '';
  let opened: Sqlite[] = [];
  let errors: unknown[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sqlite-'));
    errors = [];
  });
  afterEach(async () => {
    await Promise.all(opened.map((sqlite) => sqlite.close()));
    opened = [];
    rmSync(folder, { recursive: true });
  });
  const files: DataFiles = {
    get path() {
      return join(folder, 'data.db');
    },
    get errors() {
      return errors;
    },
    open: async (options = {}) => {
      const sqlite = await openSqlite({ path: files.path, schema, onError: (error) => errors.push(error), ...options });
      opened.push(sqlite);
      return sqlite;
    },
  };
  return files;
}
