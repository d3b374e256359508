import type { SchemaPart } from '@longhaul/sqlite';

/** Times are milliseconds since 1970. A step that was released is never changed. */
export const GATEWAY_SCHEMA: SchemaPart = {
  name: 'gateway',
  steps: [
    {
      name: 'sessions, streams, and what gateways share',
      sql: `
        CREATE TABLE sessions (
          id TEXT PRIMARY KEY, owner TEXT NOT NULL, protocol_version TEXT NOT NULL, client TEXT NOT NULL,
          log_level TEXT, is_shut_down INTEGER NOT NULL DEFAULT 0, expires_at INTEGER NOT NULL
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
          session TEXT NOT NULL, request TEXT NOT NULL, expires_at INTEGER NOT NULL, UNIQUE (session, request)
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
      `,
    },
    { name: 'when a session was opened', sql: 'ALTER TABLE sessions ADD COLUMN opened_at INTEGER;' },
    {
      name: 'how many sessions an account has open',
      sql: `
        -- Accounts are hashed, as those of rates.
        CREATE TABLE session_places (session TEXT PRIMARY KEY, account TEXT NOT NULL, expires_at INTEGER NOT NULL) STRICT;
        CREATE INDEX session_places_by_account ON session_places (account, expires_at);
      `,
    },
    {
      name: 'open sessions stand with what sessions keep',
      // The tables of sessions are brought forward before those of the gateway.
      sql: `
        INSERT OR IGNORE INTO open_sessions (session, account, owner, opened_at, expires_at)
          SELECT p.session, p.account, CASE WHEN s.owner GLOB 'user:*' OR s.owner GLOB 'subject:*' OR s.owner GLOB 'client:*' THEN s.owner END,
            s.opened_at, p.expires_at
          FROM session_places p LEFT JOIN sessions s ON s.id = p.session;
        DROP TABLE session_places;
      `,
    },
  ],
};
