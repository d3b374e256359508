/** Backends on a data file of its own, for a file of tests: what they open is closed after each test. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteTasks, type SqliteTasks, type SqliteTasksOptions } from '@longhaul/tasks';
import { afterEach, beforeEach } from 'vitest';

export class SqliteFiles {
  /** What was reported of the backends of the test. */
  errors: unknown[] = [];
  /** How far the clock of all of them is ahead, milliseconds. */
  ahead = 0;
  #folder = '';
  #opened: SqliteTasks[] = [];

  constructor() {
    beforeEach(async () => {
      this.#folder = await mkdtemp(join(tmpdir(), 'sqlite-'));
      this.errors = [];
      this.ahead = 0;
    });
    afterEach(async () => {
      for (const { close } of this.#opened.splice(0).toReversed()) await close();
      await rm(this.#folder, { recursive: true });
    });
  }

  get path(): string {
    return join(this.#folder, 'data.db');
  }

  /** Opens the file of the test as a process of its own would: with another connection. */
  readonly open = async (options: Partial<SqliteTasksOptions> = {}): Promise<SqliteTasks> => {
    const { path } = this;
    const clock = (): number => Date.now() + this.ahead;
    const backend = await openSqliteTasks({ path, clock, onError: (error) => this.errors.push(error), ...options });
    this.#opened.push(backend);
    return backend;
  };
}
