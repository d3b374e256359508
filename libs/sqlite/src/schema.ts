/**
 * The schema of a data file: each part of Longhaul (tasks, sessions, the gateway's state) brings its own tables, as steps that
 * are only ever added to. The file notes the steps that were made; `user_version` counts them, so that a look at the file is enough.
 */
import type { SqliteDatabase } from './database.js';

/** The tables of one part. */
export interface SchemaPart {
  /** Unique among parts. */
  readonly name: string;
  /** Steps in the order in which they are made. A step that was released is never changed or removed: another one is added. */
  readonly steps: readonly SchemaStep[];
}

/** One change of the schema. */
export interface SchemaStep {
  /** Unique in its part; it is noted in the file. */
  readonly name: string;
  /** Statements, separated by semicolons. */
  readonly sql: string;
}

/** "LHUL", by which a file is known to be Longhaul's: https://sqlite.org/pragma.html#pragma_application_id */
const APPLICATION_ID = 0x4c48554c;

/**
 * Takes a new file for Longhaul.
 *
 * @throws Error with one line, when it is a database of another program
 */
export async function claimFile(database: SqliteDatabase): Promise<void> {
  if (isClaimed(database)) return;
  await database.transaction(() => {
    if (isClaimed(database)) return;
    if (database.get('SELECT 1 FROM sqlite_schema LIMIT 1') !== undefined)
      throw new Error(`${database.path} is a database of another program: move it away, or set LONGHAUL_DATA_DIR to another folder.`);
    database.exec(`
      PRAGMA application_id = ${APPLICATION_ID};
      CREATE TABLE schema_steps (
        part TEXT NOT NULL, step INTEGER NOT NULL, name TEXT NOT NULL, made_at INTEGER NOT NULL,
        PRIMARY KEY (part, step)
      ) STRICT, WITHOUT ROWID;
    `);
  });
}

/**
 * Makes the steps of a part that the file does not have yet, all or none.
 *
 * @throws Error with one line, when the file has steps that this code does not know
 */
export async function bringForward(database: SqliteDatabase, part: SchemaPart): Promise<void> {
  if (stepsToMake(database, part).length === 0) return;
  await database.transaction(() => {
    for (const { step, name, sql } of stepsToMake(database, part)) {
      database.exec(sql);
      database.run('INSERT INTO schema_steps (part, step, name, made_at) VALUES (?, ?, ?, ?)', part.name, step, name, Date.now());
    }
    const { count } = database.get('SELECT count(*) AS count FROM schema_steps') as { count: number };
    database.exec(`PRAGMA user_version = ${count}`);
  });
}

function stepsToMake(database: SqliteDatabase, { name: part, steps }: SchemaPart): readonly (SchemaStep & { readonly step: number })[] {
  const made = database.all('SELECT name FROM schema_steps WHERE part = ? ORDER BY step', part) as { name: string }[];
  const unknown = made.find(({ name }, index) => steps[index]?.name !== name);
  if (unknown !== undefined)
    throw new Error(
      `${database.path} was written by a newer Longhaul (its ${part} have "${unknown.name}"): run that version or a later one, or set LONGHAUL_DATA_DIR to another folder.`,
    );
  return steps.map((step, index) => ({ ...step, step: index + 1 })).slice(made.length);
}

function isClaimed(database: SqliteDatabase): boolean {
  return database.get('PRAGMA application_id')?.['application_id'] === APPLICATION_ID;
}
