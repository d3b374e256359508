/** Reads and writes the rows of event streams, and of the holder of a session's standalone stream: see schema.ts. */
import type { StreamHolder, StreamName } from '@longhaul/sessions/gateway';
import type { SqliteDatabase } from '@longhaul/sqlite';

/** A stream that has not expired. */
export interface StreamRow {
  readonly id: number;
  readonly is_standalone: 0 | 1;
  readonly origin: string;
  readonly opened_at: number;
  readonly requests: string;
  readonly epoch: number;
  readonly last: number;
  readonly due: number;
  readonly open_until: number;
}

export function streamRow(database: SqliteDatabase, { sessionId, streamId }: StreamName, now: number): StreamRow | undefined {
  return database.get('SELECT * FROM streams WHERE session = ? AND stream = ? AND expires_at > ?', sessionId, streamId, now) as
    StreamRow | undefined;
}

/** Streams of the session that have a valid lease. */
export function openCount(database: SqliteDatabase, sessionId: string, now: number): number {
  const sql = 'SELECT count(*) AS count FROM streams WHERE session = ? AND open_until > ? AND expires_at > ?';
  return (database.get(sql, sessionId, now, now) as { count: number }).count;
}

/** The holder of the session's standalone stream. */
export function holderOf(database: SqliteDatabase, sessionId: string, now: number): StreamHolder | undefined {
  const sql = 'SELECT gateway AS gatewayId, stream AS streamId FROM standalone_streams WHERE session = ? AND expires_at > ?';
  return database.get(sql, sessionId, now) as { gatewayId: string; streamId: string } | undefined;
}

export function setHolder(database: SqliteDatabase, sessionId: string, { gatewayId, streamId }: StreamHolder, expiresAt: number): void {
  const sql = 'INSERT OR REPLACE INTO standalone_streams (session, gateway, stream, expires_at) VALUES (?, ?, ?, ?)';
  database.run(sql, sessionId, gatewayId, streamId, expiresAt);
}

export function isSameHolder(left: StreamHolder | undefined, right: StreamHolder | undefined): boolean {
  return left !== undefined && left.gatewayId === right?.gatewayId && left.streamId === right.streamId;
}
