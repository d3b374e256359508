import type { SchemaPart } from '@longhaul/sqlite';

/**
 * The tables of tasks. Times are epoch milliseconds. What is expired is gone for readers at once, and removed a little later.
 * A step that was released is never changed: another one is added.
 */
export const TASK_TABLES: SchemaPart = {
  name: 'tasks',
  steps: [
    {
      name: 'events, views and the agenda',
      sql: `
        CREATE TABLE tasks (
          id INTEGER PRIMARY KEY,
          task_id TEXT NOT NULL UNIQUE,
          version INTEGER NOT NULL,
          epoch INTEGER NOT NULL,
          since INTEGER NOT NULL, -- version before the first event of the stream
          bytes INTEGER NOT NULL, -- of those events
          began_at INTEGER NOT NULL, -- when it was created or last continued as new
          view TEXT NOT NULL,
          expires_at INTEGER,
          drop_before_at INTEGER, -- when the events up to "since" go
          progress_mark INTEGER NOT NULL DEFAULT 0,
          notifications_mark INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX tasks_expiring ON tasks (expires_at) WHERE expires_at IS NOT NULL;
        CREATE INDEX tasks_continued ON tasks (drop_before_at) WHERE drop_before_at IS NOT NULL;

        CREATE TABLE events (
          task INTEGER NOT NULL, version INTEGER NOT NULL, type TEXT NOT NULL, data TEXT NOT NULL, meta TEXT NOT NULL,
          PRIMARY KEY (task, version)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE agenda (
          task_id TEXT PRIMARY KEY, look_at INTEGER NOT NULL, is_leased INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX agenda_due ON agenda (look_at);
      `,
    },
    {
      name: 'tasks of owners',
      // The triggers keep what an owner has in step with every change of its tasks.
      sql: `
        CREATE TABLE owners (
          owner TEXT PRIMARY KEY,
          tasks INTEGER NOT NULL DEFAULT 0,
          unfinished INTEGER NOT NULL DEFAULT 0,
          bytes INTEGER NOT NULL DEFAULT 0,
          minute_ends_at INTEGER NOT NULL DEFAULT 0,
          minute_tasks INTEGER NOT NULL DEFAULT 0
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX owners_without_tasks ON owners (minute_ends_at) WHERE tasks = 0;

        CREATE TABLE owned_tasks (
          owner TEXT NOT NULL, task_id TEXT NOT NULL, created_at INTEGER NOT NULL, is_listed INTEGER NOT NULL,
          bytes INTEGER NOT NULL, expires_at INTEGER, -- none before it has ended
          PRIMARY KEY (owner, task_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX owned_tasks_listed ON owned_tasks (owner, created_at, task_id) WHERE is_listed = 1;
        CREATE INDEX owned_tasks_unfinished ON owned_tasks (owner, created_at) WHERE expires_at IS NULL;
        CREATE INDEX owned_tasks_expiring ON owned_tasks (expires_at) WHERE expires_at IS NOT NULL;
        CREATE INDEX owned_tasks_expiring_of ON owned_tasks (owner, expires_at) WHERE expires_at IS NOT NULL;
        CREATE TRIGGER task_is_owned AFTER INSERT ON owned_tasks BEGIN
          INSERT INTO owners (owner) VALUES (new.owner) ON CONFLICT DO NOTHING;
          UPDATE owners SET tasks = tasks + 1, unfinished = unfinished + (new.expires_at IS NULL), bytes = bytes + new.bytes
            WHERE owner = new.owner;
        END;
        CREATE TRIGGER owned_task_changes AFTER UPDATE OF bytes, expires_at ON owned_tasks BEGIN
          UPDATE owners SET unfinished = unfinished + (new.expires_at IS NULL) - (old.expires_at IS NULL), bytes = bytes + new.bytes - old.bytes
            WHERE owner = new.owner;
        END;
        CREATE TRIGGER task_is_no_longer_owned AFTER DELETE ON owned_tasks BEGIN
          UPDATE owners SET tasks = tasks - 1, unfinished = unfinished - (old.expires_at IS NULL), bytes = bytes - old.bytes
            WHERE owner = old.owner;
        END;

        CREATE TABLE idempotency_keys (
          owner TEXT NOT NULL, key TEXT NOT NULL, task_id TEXT NOT NULL, fingerprint TEXT NOT NULL, is_used INTEGER NOT NULL,
          expires_at INTEGER NOT NULL, PRIMARY KEY (owner, key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX idempotency_keys_expiring ON idempotency_keys (expires_at);
      `,
    },
    {
      name: 'jobs',
      // A job is delayed (no turn), waits (a turn), or is held by a consumer. The lowest turn is taken next: see "job-table.ts".
      sql: `
        CREATE TABLE jobs (
          seq INTEGER PRIMARY KEY AUTOINCREMENT,
          id TEXT NOT NULL UNIQUE,
          kind TEXT NOT NULL,
          lane TEXT NOT NULL,
          data TEXT NOT NULL,
          due_at INTEGER NOT NULL,
          turn INTEGER,
          held_by TEXT,
          held_until INTEGER,
          delivery INTEGER NOT NULL DEFAULT 0, -- how often it was taken
          is_redelivered INTEGER NOT NULL DEFAULT 0,
          is_lost INTEGER NOT NULL DEFAULT 0,
          losses INTEGER NOT NULL DEFAULT 0 -- since it was last judged
        ) STRICT;
        CREATE INDEX jobs_delayed ON jobs (due_at) WHERE turn IS NULL;
        CREATE INDEX jobs_waiting ON jobs (turn, seq) WHERE turn IS NOT NULL AND held_by IS NULL;
        CREATE INDEX jobs_held ON jobs (held_by, held_until, delivery) WHERE held_by IS NOT NULL;

        CREATE TABLE lanes (lane TEXT PRIMARY KEY, last_turn INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE latest_turn (turn INTEGER NOT NULL) STRICT;
        INSERT INTO latest_turn VALUES (0);
      `,
    },
    {
      name: 'parked tasks and workers',
      sql: `
        CREATE TABLE parked_tasks (
          task_id TEXT PRIMARY KEY, task_group TEXT NOT NULL, parked_at INTEGER NOT NULL, task TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX parked_tasks_in_order ON parked_tasks (task_group, parked_at);

        CREATE TABLE workers (
          worker_id TEXT PRIMARY KEY, details TEXT NOT NULL, seen_at INTEGER NOT NULL -- 0: it left
        ) STRICT, WITHOUT ROWID;
      `,
    },
    {
      name: 'tasks of operators',
      sql: `
        ALTER TABLE tasks ADD COLUMN own_until INTEGER; -- when an ended one is gone for its client; "expires_at" is for all

        CREATE TABLE task_rows (
          task_id TEXT PRIMARY KEY,
          view_version INTEGER NOT NULL,
          created_at INTEGER NOT NULL,
          ended_at INTEGER,
          status TEXT NOT NULL,
          tool TEXT NOT NULL,
          owner TEXT NOT NULL,
          reason TEXT,
          version TEXT,
          gone_at INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX task_rows_by_status ON task_rows (status, created_at, task_id);
        CREATE INDEX task_rows_by_tool ON task_rows (tool, created_at, task_id);
        CREATE INDEX task_rows_by_owner ON task_rows (owner, created_at, task_id);
        CREATE INDEX task_rows_by_reason ON task_rows (reason, created_at, task_id) WHERE reason IS NOT NULL;
        CREATE INDEX task_rows_by_version ON task_rows (version, created_at, task_id) WHERE version IS NOT NULL;
        CREATE INDEX task_rows_failed ON task_rows (tool, reason, ended_at) WHERE reason IS NOT NULL;
        CREATE INDEX task_rows_expiring ON task_rows (gone_at) WHERE gone_at IS NOT NULL;
      `,
    },
    {
      name: 'what operators did',
      sql: `CREATE TABLE audit (number INTEGER PRIMARY KEY AUTOINCREMENT, entry TEXT NOT NULL) STRICT;`,
    },
    {
      name: 'what operators have paused',
      // A job that was set aside is held by its pause: see "job-table.ts".
      sql: `CREATE TABLE paused (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;`,
    },
    {
      name: 'chains of records',
      sql: `
        DROP TABLE audit; -- no version that was released has it
        CREATE TABLE audit_records (
          chain TEXT NOT NULL, number INTEGER NOT NULL, hash TEXT NOT NULL, entry TEXT NOT NULL,
          PRIMARY KEY (chain, number)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE audit_chains (
          chain TEXT PRIMARY KEY, number INTEGER NOT NULL, hash TEXT NOT NULL, -- its head
          base_number INTEGER NOT NULL, base_hash TEXT NOT NULL -- the last record that is no longer kept
        ) STRICT, WITHOUT ROWID;
      `,
    },
    {
      name: 'what operators have said of tenants',
      sql: `
        CREATE TABLE tenants (name TEXT PRIMARY KEY, settings TEXT NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE tenants_changed (change INTEGER NOT NULL) STRICT;
        INSERT INTO tenants_changed VALUES (0);
      `,
    },
    {
      name: 'turns of lanes by weights',
      // The lane has a turn now, and not the job: a job's "turn" is since when it waits, or what it was before.
      sql: `
        ALTER TABLE jobs ADD COLUMN lane_group TEXT NOT NULL DEFAULT '';
        ALTER TABLE jobs ADD COLUMN tool TEXT;
        ALTER TABLE jobs ADD COLUMN rank INTEGER NOT NULL DEFAULT 0; -- 1 before the others of the lane, -1 after them
        UPDATE jobs SET lane_group = lane;
        DROP INDEX jobs_waiting;
        CREATE INDEX jobs_waiting ON jobs (lane, rank DESC, turn, seq) WHERE turn IS NOT NULL AND held_by IS NULL;
        CREATE INDEX jobs_waiting_lost ON jobs (turn, seq) WHERE turn IS NOT NULL AND held_by IS NULL AND is_lost = 1;
        CREATE INDEX jobs_held_of_group ON jobs (lane_group, held_by) WHERE held_by IS NOT NULL;
        CREATE INDEX jobs_held_of_tool ON jobs (tool, held_by) WHERE held_by IS NOT NULL AND tool IS NOT NULL;

        DROP TABLE lanes;
        DROP TABLE latest_turn;
        CREATE TABLE lanes (
          seq INTEGER PRIMARY KEY AUTOINCREMENT, lane TEXT NOT NULL UNIQUE, lane_group TEXT NOT NULL, turn REAL -- missing: it has come up
        ) STRICT;
        CREATE INDEX lanes_in_turn ON lanes (turn, seq);
        CREATE INDEX lanes_of_group ON lanes (lane_group) WHERE turn IS NOT NULL;
        CREATE TABLE latest_turn (turn REAL NOT NULL) STRICT;
        INSERT INTO latest_turn VALUES (0);
        INSERT INTO lanes (lane, lane_group) SELECT lane, lane FROM jobs WHERE turn IS NOT NULL AND held_by IS NULL GROUP BY lane ORDER BY min(turn);
      `,
    },
    {
      name: 'data keys',
      // What payloads are encrypted with, each wrapped by a key of the ring: see "ports/data-keys.ts".
      sql: `CREATE TABLE data_keys (id TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT, WITHOUT ROWID;`,
    },
    {
      name: 'data keys of a scope',
      sql: `
        ALTER TABLE data_keys ADD COLUMN scope TEXT;
        ALTER TABLE data_keys ADD COLUMN number INTEGER NOT NULL DEFAULT 0; -- the current one of its scope has the lowest
        UPDATE data_keys SET scope = record ->> 'scope';
        CREATE INDEX data_keys_of_scope ON data_keys (scope, number);
      `,
    },
    {
      name: 'short entries in the indexes of tasks of operators',
      // Each entry of an index has the key of its row: a number is a fifth of an id, and each task writes a dozen entries. Tasks of one
      // millisecond are put in order when they are read.
      sql: `
        ALTER TABLE task_rows RENAME TO task_rows_by_id;
        CREATE TABLE task_rows (
          task_id TEXT NOT NULL PRIMARY KEY,
          view_version INTEGER NOT NULL,
          created_at INTEGER NOT NULL,
          ended_at INTEGER,
          status TEXT NOT NULL,
          tool TEXT NOT NULL,
          owner TEXT NOT NULL,
          reason TEXT,
          version TEXT,
          gone_at INTEGER
        ) STRICT;
        INSERT INTO task_rows SELECT * FROM task_rows_by_id;
        DROP TABLE task_rows_by_id;
        CREATE INDEX task_rows_by_status ON task_rows (status, created_at);
        CREATE INDEX task_rows_by_tool ON task_rows (tool, created_at);
        CREATE INDEX task_rows_by_owner ON task_rows (owner, created_at);
        CREATE INDEX task_rows_by_reason ON task_rows (reason, created_at) WHERE reason IS NOT NULL;
        CREATE INDEX task_rows_by_version ON task_rows (version, created_at) WHERE version IS NOT NULL;
        CREATE INDEX task_rows_failed ON task_rows (tool, reason, ended_at) WHERE reason IS NOT NULL;
        CREATE INDEX task_rows_expiring ON task_rows (gone_at) WHERE gone_at IS NOT NULL;
      `,
    },
    {
      name: 'tasks of operators by the numbers of their tasks',
      // A row has the number of its task, and goes with it: so its id needs no index, and its end none.
      // The table has another name, so that a process of before that still has the file open writes no rows without numbers.
      sql: `
        CREATE TABLE operator_rows (
          id INTEGER PRIMARY KEY, -- that of its task, or below 0 where there is none
          task_id TEXT NOT NULL,
          view_version INTEGER NOT NULL,
          created_at INTEGER NOT NULL,
          ended_at INTEGER,
          status TEXT NOT NULL,
          tool TEXT NOT NULL,
          owner TEXT NOT NULL,
          reason TEXT,
          version TEXT,
          gone_at INTEGER
        ) STRICT;
        INSERT INTO operator_rows SELECT coalesce(tasks.id, -row.rowid), row.* FROM task_rows AS row LEFT JOIN tasks USING (task_id);
        DROP TABLE task_rows;
        CREATE INDEX operator_rows_by_status ON operator_rows (status, created_at);
        CREATE INDEX operator_rows_by_tool ON operator_rows (tool, created_at);
        CREATE INDEX operator_rows_by_owner ON operator_rows (owner, created_at);
        CREATE INDEX operator_rows_by_reason ON operator_rows (reason, created_at) WHERE reason IS NOT NULL;
        CREATE INDEX operator_rows_by_version ON operator_rows (version, created_at) WHERE version IS NOT NULL;
        CREATE INDEX operator_rows_failed ON operator_rows (tool, reason, ended_at) WHERE reason IS NOT NULL;
        CREATE UNIQUE INDEX operator_rows_without_task ON operator_rows (task_id) WHERE id < 0;
        CREATE INDEX operator_rows_without_task_expiring ON operator_rows (gone_at) WHERE id < 0 AND gone_at IS NOT NULL;
      `,
    },
  ],
};
