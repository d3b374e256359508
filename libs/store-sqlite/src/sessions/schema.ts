import type { SchemaPart } from '@longhaul/sqlite';

/** Times are milliseconds since 1970; `bytes` are those of names, ids and JSON. A step that was released is never changed. */
export const SESSIONS_SCHEMA: SchemaPart = {
  name: 'sessions',
  steps: [
    {
      name: 'session values and records of owners',
      sql: `
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
      `,
    },
    {
      name: 'sessions that accounts have open',
      sql: `
        -- Accounts are hashed, as those of rates. "owner" is the account itself where a token stands for it.
        CREATE TABLE open_sessions (
          session TEXT PRIMARY KEY, account TEXT NOT NULL, owner TEXT, opened_at INTEGER, expires_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX open_sessions_of_account ON open_sessions (account, expires_at);
        CREATE INDEX open_sessions_of_owner ON open_sessions (owner) WHERE owner IS NOT NULL;
        CREATE INDEX open_sessions_expiring ON open_sessions (expires_at);
      `,
    },
  ],
};
