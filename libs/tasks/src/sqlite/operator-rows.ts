/** What is done to the rows of operators within a transaction: by their index, and by the event store together with an append. */
import type { Row, SqliteDatabase } from '@longhaul/sqlite';
import type { RowStatus, TaskRow } from '../domain/projections/task-row.js';
import type { TaskId } from '../domain/task-id.js';

/** The columns of a row, in the order of `task_rows`. */
export const ROW_COLUMNS = 'task_id, view_version, created_at, ended_at, status, tool, owner, reason, version, gone_at';

/** What a task is created with, and what changes. SQLite writes each index anew that has a column which is set, also to the same value. */
const CREATED_WITH = ['created_at', 'tool', 'owner'];
const CHANGES = ['view_version', 'ended_at', 'status', 'reason', 'version', 'gone_at'];

const upsertOf = (columns: readonly string[]): string => `
  INSERT INTO task_rows (${ROW_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}
  WHERE excluded.view_version >= view_version`;
const WRITE = upsertOf(CHANGES);
const WRITE_ALL = upsertOf([...CREATED_WITH, ...CHANGES]);

/** Writes a row with an append, unless there is one of a later version. @param goneAt when its task is gone, if it has ended */
export function writeRow(database: SqliteDatabase, row: TaskRow, goneAt: number | null): void {
  database.run(WRITE, ...valuesOf(row, goneAt));
}

/** Writes a row that may be wrong in any column, unless there is one of a later version. */
export function putRow(database: SqliteDatabase, row: TaskRow): void {
  database.run(WRITE_ALL, ...valuesOf(row, row.goneAt ?? null));
}

function valuesOf(row: TaskRow, goneAt: number | null) {
  const { taskId, viewVersion, createdAt, endedAt = null, status, tool, owner, reason = null, version = null } = row;
  return [taskId, viewVersion, createdAt, endedAt, status, tool, owner, reason, version, goneAt] as const;
}

/** Makes of a row of the table what operators get. */
export function rowFrom(stored: Row): TaskRow {
  const { task_id, view_version, created_at, ended_at, status, tool, owner, reason, version, gone_at } = stored;
  return {
    taskId: task_id as TaskId,
    viewVersion: Number(view_version),
    createdAt: Number(created_at),
    ...(ended_at !== null && { endedAt: Number(ended_at) }),
    status: status as RowStatus,
    tool: String(tool),
    owner: String(owner),
    ...(reason !== null && { reason: String(reason) }),
    ...(version !== null && { version: String(version) }),
    ...(gone_at !== null && { goneAt: Number(gone_at) }),
  };
}
