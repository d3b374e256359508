/**
 * Opens data files in the memory of this process, for simulations and tests: each is empty when it is opened, and disappears when it is
 * closed. The next one reuses the tables and prepared statements, because making them takes longer than running a tool of ten steps. So all
 * writes happen in one transaction, which closing undoes, and transactions are savepoints in it.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { SqliteChannels } from './channels.js';
import { SqliteDatabase } from './database.js';
import { nodeSqlite } from './node-sqlite.js';
import type { Sqlite, SqliteOptions } from './open.js';
import type { Schema } from './schema.js';

const PATH = ':memory:';

/** A connection with tables, and only the rows of the schema. */
interface Empty {
  readonly connection: DatabaseSync;
  readonly statements: Map<string, StatementSync>;
}

const kept = new WeakMap<Schema, Empty[]>();

/** Opens an empty data file that no other process sees. It keeps no process alive. */
export function openSqliteInMemory({ schema, onError }: Pick<SqliteOptions, 'schema' | 'onError'>): Sqlite {
  const others = kept.get(schema) ?? [];
  kept.set(schema, others);
  const database = new MemoryDatabase(others.pop() ?? makeEmpty(schema), others);
  const channels = new SqliteChannels({ database, onError, isShared: false });
  return {
    database,
    channels,
    isShared: false,
    close: async () => {
      await channels.close();
      database.close();
    },
  };
}

function makeEmpty({ sql }: Schema): Empty {
  const connection = new (nodeSqlite().DatabaseSync)(PATH);
  connection.exec(sql);
  return { connection, statements: new Map() };
}

class MemoryDatabase extends SqliteDatabase {
  constructor(
    private readonly empty: Empty,
    private readonly others: Empty[],
  ) {
    super(empty.connection, PATH, empty.statements);
    this.run('BEGIN');
  }

  override async transaction<T>(run: () => T): Promise<T> {
    this.run('SAVEPOINT change');
    try {
      const value = run();
      this.run('RELEASE change');
      return value;
    } catch (error) {
      this.run('ROLLBACK TO change');
      this.run('RELEASE change');
      throw error;
    }
  }

  /** From then on it throws like a closed file, so that code that still runs does not write to the next one. */
  override close(): void {
    if (!this.isOpen) return;
    this.run('ROLLBACK');
    this.leave();
    this.others.push(this.empty);
  }
}
