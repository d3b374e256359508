/** Stores on a data file of its own, for a file of tests: what they open is closed after each test. */
import { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from '@longhaul/store-sqlite';
import { afterEach, beforeEach } from 'vitest';
import { ENCRYPTION } from '../../support/encryption.js';
import { TestFolder } from '../../support/test-folder.js';

export class SqliteFiles {
  /** What was reported of the stores of the test. */
  errors: unknown[] = [];
  /** How far the clock of all of them is ahead, milliseconds. */
  ahead = 0;
  #folder: TestFolder | undefined;
  #opened: SqliteStore[] = [];

  constructor() {
    beforeEach(() => {
      this.#folder = new TestFolder();
      this.errors = [];
      this.ahead = 0;
    });
    afterEach(async () => {
      for (const { close } of this.#opened.splice(0).toReversed()) await close();
      this.#folder?.remove();
    });
  }

  get path(): string {
    return this.#folder?.dataFile ?? '';
  }

  /** Opens the file of the test as a process of its own would: with another connection. */
  readonly open = async (options: Partial<SqliteStoreOptions> = {}): Promise<SqliteStore> => {
    const { path } = this;
    const clock = (): number => Date.now() + this.ahead;
    const store = await openSqliteStore({ path, clock, encryption: ENCRYPTION, onError: (error) => this.errors.push(error), ...options });
    this.#opened.push(store);
    return store;
  };
}
