/**
 * Defines the tables of a data file: tables of tasks, of session data, and of the gateways' shared state. Times are milliseconds since
 * 1970. Expired rows are gone for readers at once, and removed a little later. `bytes` count names, ids and JSON.
 */
import type { Schema } from '@longhaul/sqlite';
import { FORMATS } from '@longhaul/tasks';

const TASKS = `
  CREATE TABLE tasks (
    id INTEGER PRIMARY KEY,
    task_id TEXT NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    since INTEGER NOT NULL, -- version before the first event of the stream
    bytes INTEGER NOT NULL, -- of those events
    began_at INTEGER NOT NULL, -- when it was created or last continued as new
    view TEXT NOT NULL,
    own_until INTEGER, -- when an ended one is gone for its client
    expires_at INTEGER, -- when it is gone for all
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

  -- The triggers keep what an owner has in step with every change of its tasks.
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

  -- A job is delayed (no turn), waits (a turn, which is since when), or is held by a consumer or its pause: see "job-table.ts".
  CREATE TABLE jobs (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    lane TEXT NOT NULL,
    lane_group TEXT NOT NULL,
    tool TEXT,
    data TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    earlier_ms INTEGER NOT NULL DEFAULT 0, -- it stands in line as if it had come this much earlier
    limit_key TEXT, -- of a tool with a limit by key, once a worker has read it
    is_first INTEGER NOT NULL DEFAULT 0, -- of a job with a key: its pass is the beginning of a task
    limit_most INTEGER, limit_starts INTEGER, -- of its key, when it was read: how many run at once, and begin in the window
    turn INTEGER,
    held_by TEXT,
    held_until INTEGER,
    delivery INTEGER NOT NULL DEFAULT 0, -- how often it was taken
    is_redelivered INTEGER NOT NULL DEFAULT 0,
    is_lost INTEGER NOT NULL DEFAULT 0,
    losses INTEGER NOT NULL DEFAULT 0 -- since it was last judged
  ) STRICT;
  CREATE INDEX jobs_delayed ON jobs (due_at) WHERE turn IS NULL;
  CREATE INDEX jobs_held ON jobs (held_by, held_until, delivery) WHERE held_by IS NOT NULL;
  CREATE INDEX jobs_waiting ON jobs (lane, turn - earlier_ms, seq) WHERE turn IS NOT NULL AND held_by IS NULL;
  CREATE INDEX jobs_waiting_lost ON jobs (turn, seq) WHERE turn IS NOT NULL AND held_by IS NULL AND is_lost = 1;
  CREATE INDEX jobs_held_of_group ON jobs (lane_group, held_by) WHERE held_by IS NOT NULL;
  CREATE INDEX jobs_held_of_tool ON jobs (tool, held_by) WHERE held_by IS NOT NULL AND tool IS NOT NULL;
  CREATE INDEX jobs_with_key ON jobs (limit_key, held_by) WHERE limit_key IS NOT NULL;
  -- Tasks that have begun, until their window is over.
  CREATE TABLE limit_starts (limit_key TEXT NOT NULL, expires_at INTEGER NOT NULL) STRICT;
  CREATE INDEX limit_starts_expiring ON limit_starts (expires_at, limit_key);
  CREATE TABLE lanes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, lane TEXT NOT NULL UNIQUE, lane_group TEXT NOT NULL, turn REAL -- missing: it has come up
  ) STRICT;
  CREATE INDEX lanes_in_turn ON lanes (turn, seq);
  CREATE INDEX lanes_of_group ON lanes (lane_group) WHERE turn IS NOT NULL;
  CREATE TABLE latest_turn (turn REAL NOT NULL) STRICT;
  INSERT INTO latest_turn VALUES (0);

  CREATE TABLE parked_tasks (
    task_id TEXT PRIMARY KEY, task_group TEXT NOT NULL, parked_at INTEGER NOT NULL, task TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX parked_tasks_in_order ON parked_tasks (task_group, parked_at);
  CREATE TABLE workers (
    worker_id TEXT PRIMARY KEY, details TEXT NOT NULL, seen_at INTEGER NOT NULL -- 0: it left
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE paused (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  CREATE TABLE tenants (name TEXT PRIMARY KEY, settings TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE tenants_changed (change INTEGER NOT NULL) STRICT;
  INSERT INTO tenants_changed VALUES (0);

  -- Counts of tasks in a period of "step" milliseconds; of all tools together where "tool" is empty.
  CREATE TABLE counters (
    step INTEGER NOT NULL, tool TEXT NOT NULL, at INTEGER NOT NULL, name TEXT NOT NULL, value INTEGER NOT NULL,
    expires_at INTEGER NOT NULL, PRIMARY KEY (step, tool, at, name)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX counters_expiring ON counters (expires_at);

  CREATE TABLE audit_records (
    chain TEXT NOT NULL, number INTEGER NOT NULL, hash TEXT NOT NULL, entry TEXT NOT NULL,
    PRIMARY KEY (chain, number)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE audit_chains (
    chain TEXT PRIMARY KEY, number INTEGER NOT NULL, hash TEXT NOT NULL, -- its head
    base_number INTEGER NOT NULL, base_hash TEXT NOT NULL -- the last record that is no longer kept
  ) STRICT, WITHOUT ROWID;

  -- What payloads are encrypted with, each wrapped by a key of the ring. The current one of its scope has the lowest number.
  CREATE TABLE data_keys (id TEXT PRIMARY KEY, record TEXT NOT NULL, scope TEXT NOT NULL, number INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX data_keys_of_scope ON data_keys (scope, number);

  -- A webhook without a message was sent or given up, and goes with its task; another one goes when nobody has sent it for long.
  CREATE TABLE webhooks (
    task_id TEXT NOT NULL, endpoint TEXT NOT NULL, version INTEGER NOT NULL,
    record TEXT NOT NULL, message TEXT, expires_at INTEGER NOT NULL,
    PRIMARY KEY (task_id, endpoint, version)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX webhooks_expiring ON webhooks (expires_at);
  CREATE TABLE webhooks_left_out (task_id TEXT PRIMARY KEY, count INTEGER NOT NULL, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX webhooks_left_out_expiring ON webhooks_left_out (expires_at);
  -- "at" is when a pending lane must be looked at, or when a failing one failed, or when a webhook was given up.
  CREATE TABLE webhook_recipients (
    standing TEXT NOT NULL, task_id TEXT NOT NULL, endpoint TEXT NOT NULL, at INTEGER NOT NULL,
    leases INTEGER NOT NULL DEFAULT 0, -- how often it was taken
    PRIMARY KEY (standing, task_id, endpoint)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX webhook_recipients_in_order ON webhook_recipients (standing, at);
  CREATE INDEX webhook_recipients_by_time ON webhook_recipients (at);

  -- Without "look_at" nothing will come.
  CREATE TABLE schedules (
    name TEXT PRIMARY KEY, version INTEGER NOT NULL, state TEXT NOT NULL, arguments TEXT NOT NULL, tenant TEXT NOT NULL, look_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX schedules_due ON schedules (look_at) WHERE look_at IS NOT NULL;
  CREATE INDEX schedules_of_tenant ON schedules (tenant);
  CREATE TABLE schedule_events (
    name TEXT NOT NULL, version INTEGER NOT NULL, event TEXT NOT NULL, PRIMARY KEY (name, version)
  ) STRICT, WITHOUT ROWID;

  -- A row has the number of its task, and goes with it: so its id needs no index, and its end none. Each entry of an index has the key of
  -- Addresses for signals, by the digests of their tokens.
  CREATE TABLE callbacks (digest TEXT PRIMARY KEY, callback TEXT NOT NULL, expires_at INTEGER NOT NULL) STRICT;
  CREATE INDEX callbacks_expiring ON callbacks (expires_at);
  -- its row: a number is a fifth of an id, and each task writes a dozen entries. Tasks of one millisecond are put in order when they are read.
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
    cause TEXT,
    version TEXT,
    gone_at INTEGER,
    search_keys TEXT, -- JSON: a list of digests of arguments
    retried_as TEXT -- the task that does it again
  ) STRICT;
  CREATE INDEX operator_rows_by_status ON operator_rows (status, created_at);
  CREATE INDEX operator_rows_by_tool ON operator_rows (tool, created_at);
  CREATE INDEX operator_rows_by_owner ON operator_rows (owner, created_at);
  CREATE INDEX operator_rows_by_reason ON operator_rows (reason, created_at) WHERE reason IS NOT NULL;
  CREATE INDEX operator_rows_by_cause ON operator_rows (cause, created_at) WHERE cause IS NOT NULL;
  CREATE INDEX operator_rows_by_version ON operator_rows (version, created_at) WHERE version IS NOT NULL;
  CREATE INDEX operator_rows_failed ON operator_rows (cause, ended_at, tool, reason) WHERE cause IS NOT NULL AND retried_as IS NULL;
  -- The triggers keep the search keys of rows in step with the rows.
  CREATE TABLE operator_search (
    search_key TEXT NOT NULL, created_at INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (search_key, created_at, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER row_is_searched AFTER INSERT ON operator_rows WHEN new.search_keys IS NOT NULL BEGIN
    INSERT OR IGNORE INTO operator_search SELECT value, new.created_at, new.id FROM json_each(new.search_keys);
  END;
  CREATE TRIGGER searched_row_changes AFTER UPDATE OF created_at, search_keys ON operator_rows
    WHEN old.search_keys IS NOT new.search_keys OR old.created_at <> new.created_at BEGIN
    DELETE FROM operator_search
      WHERE (search_key, created_at, id) IN (SELECT value, old.created_at, old.id FROM json_each(old.search_keys));
    INSERT OR IGNORE INTO operator_search SELECT value, new.created_at, new.id FROM json_each(new.search_keys);
  END;
  CREATE TRIGGER row_is_no_longer_searched AFTER DELETE ON operator_rows WHEN old.search_keys IS NOT NULL BEGIN
    DELETE FROM operator_search
      WHERE (search_key, created_at, id) IN (SELECT value, old.created_at, old.id FROM json_each(old.search_keys));
  END;
  CREATE UNIQUE INDEX operator_rows_without_task ON operator_rows (task_id) WHERE id < 0;
  CREATE INDEX operator_rows_without_task_expiring ON operator_rows (gone_at) WHERE id < 0 AND gone_at IS NOT NULL;
`;

const SESSIONS = `
  CREATE TABLE value_holders (
    session TEXT PRIMARY KEY, account TEXT NOT NULL, bytes INTEGER NOT NULL, expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX value_holders_of_account ON value_holders (account, expires_at, bytes);
  CREATE INDEX value_holders_expiring ON value_holders (expires_at);
  CREATE TABLE session_values (
    session TEXT NOT NULL REFERENCES value_holders ON DELETE CASCADE,
    name TEXT NOT NULL, bytes INTEGER NOT NULL, json TEXT NOT NULL,
    UNIQUE (session, name)
  ) STRICT;

  -- Without an end, an owner is kept for ever.
  CREATE TABLE record_owners (owner TEXT PRIMARY KEY, account TEXT, expires_at INTEGER) STRICT;
  CREATE INDEX record_owners_of_account ON record_owners (account) WHERE account IS NOT NULL;
  CREATE INDEX record_owners_expiring ON record_owners (expires_at) WHERE expires_at IS NOT NULL;
  -- "at" is the number of the last change, "floor" the last one whose removals are forgotten.
  CREATE TABLE collections (
    id INTEGER PRIMARY KEY, owner TEXT NOT NULL REFERENCES record_owners ON DELETE CASCADE, name TEXT NOT NULL,
    epoch TEXT NOT NULL, at INTEGER NOT NULL, floor INTEGER NOT NULL, bytes INTEGER NOT NULL,
    UNIQUE (owner, name)
  ) STRICT;
  -- Without JSON, a record was removed.
  CREATE TABLE records (
    collection INTEGER NOT NULL REFERENCES collections ON DELETE CASCADE,
    id TEXT NOT NULL, changed_at INTEGER NOT NULL, added_at INTEGER NOT NULL, bytes INTEGER NOT NULL, json TEXT,
    UNIQUE (collection, id)
  ) STRICT;
  CREATE UNIQUE INDEX records_by_change ON records (collection, changed_at);
  CREATE INDEX records_removed ON records (collection, changed_at) WHERE json IS NULL;
  -- The update that others wait for, after it has lost several times.
  CREATE TABLE record_turns (
    owner TEXT NOT NULL, name TEXT NOT NULL, updater TEXT NOT NULL, expires_at INTEGER NOT NULL,
    PRIMARY KEY (owner, name)
  ) STRICT;
  CREATE INDEX record_turns_expiring ON record_turns (expires_at);

  -- Accounts are hashed, as those of rates. "owner" is the account itself where a token stands for it.
  CREATE TABLE open_sessions (
    session TEXT PRIMARY KEY, account TEXT NOT NULL, owner TEXT, opened_at INTEGER NOT NULL, expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX open_sessions_of_account ON open_sessions (account, expires_at);
  CREATE INDEX open_sessions_of_owner ON open_sessions (owner) WHERE owner IS NOT NULL;
  CREATE INDEX open_sessions_expiring ON open_sessions (expires_at);

  -- "wanted_at" is when another process than its holder has applied for it.
  CREATE TABLE holds (
    name TEXT PRIMARY KEY, holder TEXT NOT NULL, epoch INTEGER NOT NULL, value TEXT,
    held_until INTEGER NOT NULL, wanted_at INTEGER NOT NULL, expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX holds_expiring ON holds (expires_at);

  -- How many places of a limit a process has.
  CREATE TABLE allotments (
    name TEXT NOT NULL, process TEXT NOT NULL, places INTEGER NOT NULL, wanted INTEGER NOT NULL, served_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL, PRIMARY KEY (name, process)
  ) STRICT;
  CREATE INDEX allotments_expiring ON allotments (expires_at);

  CREATE TABLE process_reports (process TEXT PRIMARY KEY, report TEXT NOT NULL, expires_at INTEGER NOT NULL) STRICT;
  CREATE INDEX process_reports_expiring ON process_reports (expires_at);
`;

const GATEWAY = `
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL, protocol_version TEXT NOT NULL, client TEXT NOT NULL,
    log_level TEXT, follows_tasks INTEGER NOT NULL DEFAULT 0, is_shut_down INTEGER NOT NULL DEFAULT 0, opened_at INTEGER NOT NULL, expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX sessions_expiring ON sessions (expires_at);

  -- "due" is how many requests have no answer yet, "open_until" the end of the lease; "requests" is JSON.
  CREATE TABLE streams (
    id INTEGER PRIMARY KEY, session TEXT NOT NULL, stream TEXT NOT NULL, is_standalone INTEGER NOT NULL, origin TEXT NOT NULL,
    opened_at INTEGER NOT NULL, requests TEXT NOT NULL, epoch INTEGER NOT NULL, last INTEGER NOT NULL, due INTEGER NOT NULL,
    open_until INTEGER NOT NULL, expires_at INTEGER NOT NULL,
    UNIQUE (session, stream)
  ) STRICT;
  CREATE INDEX streams_expiring ON streams (expires_at);
  CREATE TABLE stream_entries (
    stream INTEGER NOT NULL REFERENCES streams ON DELETE CASCADE, n INTEGER NOT NULL, at INTEGER NOT NULL, json TEXT NOT NULL,
    UNIQUE (stream, n)
  ) STRICT;
  CREATE TABLE standalone_streams (
    session TEXT PRIMARY KEY, gateway TEXT NOT NULL, stream TEXT NOT NULL, expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX standalone_streams_expiring ON standalone_streams (expires_at);
  -- "request" is the id as JSON.
  CREATE TABLE cancelled_requests (
    session TEXT NOT NULL, request TEXT NOT NULL, cancellation TEXT NOT NULL, expires_at INTEGER NOT NULL, UNIQUE (session, request)
  ) STRICT;
  CREATE INDEX cancelled_requests_expiring ON cancelled_requests (expires_at);

  CREATE TABLE delivery_leases (
    task TEXT NOT NULL, key TEXT NOT NULL, stream TEXT NOT NULL, epoch INTEGER NOT NULL, gateway TEXT NOT NULL,
    is_detached INTEGER NOT NULL, expires_at INTEGER NOT NULL,
    UNIQUE (task, key)
  ) STRICT;
  CREATE INDEX delivery_leases_expiring ON delivery_leases (expires_at);
  CREATE TABLE client_responses (
    session TEXT NOT NULL, request TEXT NOT NULL, answer TEXT NOT NULL, expires_at INTEGER NOT NULL, UNIQUE (session, request)
  ) STRICT;
  CREATE INDEX client_responses_expiring ON client_responses (expires_at);

  CREATE TABLE gateways (id TEXT PRIMARY KEY, process INTEGER NOT NULL, expires_at INTEGER NOT NULL) STRICT;
  CREATE INDEX gateways_expiring ON gateways (expires_at);
  -- When the account has back all that it has taken. Accounts are hashed: an address need not be known.
  CREATE TABLE rates (
    what TEXT NOT NULL, account TEXT NOT NULL, expires_at REAL NOT NULL, UNIQUE (what, account)
  ) STRICT;
  CREATE INDEX rates_expiring ON rates (expires_at);
  -- Empty while the call runs.
  CREATE TABLE outcomes (id TEXT PRIMARY KEY, outcome TEXT NOT NULL, expires_at INTEGER NOT NULL) STRICT;
  CREATE INDEX outcomes_expiring ON outcomes (expires_at);
  CREATE TABLE shown_lists (list TEXT PRIMARY KEY, hash TEXT NOT NULL) STRICT;
  CREATE TABLE secrets (name TEXT PRIMARY KEY, secret TEXT NOT NULL) STRICT;
`;

/** The version and the tables: a change of the tables needs another version. */
export const SCHEMA: Schema = { version: FORMATS.dataFile, sql: TASKS + SESSIONS + GATEWAY };
