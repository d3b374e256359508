/** Changes the rows of operators within a transaction: for their index, and for the event store together with an append. */
import type { RowStatus, TaskId, TaskRow } from '@longhaul/tasks';
import type { Row, SqliteDatabase } from '@longhaul/sqlite';

/** The columns that operators read. */
export const ROW_COLUMNS = 'task_id, view_version, created_at, ended_at, status, tool, owner, reason, cause, version, gone_at, search_keys';

/**
 * The columns that are set at creation, and the columns that change. When a column is set, SQLite writes each of its indexes again, also
 * for the same value.
 */
const CREATED_WITH = ['created_at', 'tool', 'owner', 'search_keys'];
const CHANGES = ['view_version', 'ended_at', 'status', 'reason', 'cause', 'version', 'gone_at'];

const upsertOf = (columns: readonly string[]): string => `
  INSERT INTO operator_rows (id, ${ROW_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}
  WHERE excluded.view_version >= view_version`;
const WRITE = upsertOf(CHANGES);
const WRITE_ALL = upsertOf([...CREATED_WITH, ...CHANGES]);

/** The task of a row: its number in the file, and if it has ended, when it will be gone. */
export interface TaskOfRow {
  readonly id: number;
  readonly expiresAt: number | null;
}

/** Writes a row with an append, unless the table has a row of a later version. */
export function writeRow(database: SqliteDatabase, row: TaskRow, { id, expiresAt }: TaskOfRow): void {
  database.run(WRITE, id, ...valuesOf(row, expiresAt));
}

/** Writes a row that may be wrong in any column, unless the table has a row of a later version. */
export function putRow(database: SqliteDatabase, row: TaskRow): void {
  const { taskId, goneAt = null } = row;
  database.run(WRITE_ALL, idOfRow(database, taskId) ?? newIdWithoutTask(database), ...valuesOf(row, goneAt));
}

export function dropRow(database: SqliteDatabase, taskId: TaskId): void {
  const id = idOfRow(database, taskId);
  if (id !== undefined) database.run('DELETE FROM operator_rows WHERE id = ?', id);
}

export function hasRow(database: SqliteDatabase, taskId: TaskId): boolean {
  const id = idOfRow(database, taskId);
  return id !== undefined && database.get('SELECT 1 FROM operator_rows WHERE id = ?', id) !== undefined;
}

/** Notes as which task a task was retried; a row that is missing is written for it. */
export function noteRetry(database: SqliteDatabase, row: TaskRow, retryId: TaskId): void {
  if (!hasRow(database, row.taskId)) putRow(database, row);
  database.run('UPDATE operator_rows SET retried_as = ? WHERE id = ?', retryId, idOfRow(database, row.taskId) ?? 0);
}

/** The task that a task was retried as. */
export function retryOf(database: SqliteDatabase, taskId: TaskId): TaskId | undefined {
  const id = idOfRow(database, taskId);
  const row = id === undefined ? undefined : database.get('SELECT retried_as FROM operator_rows WHERE id = ?', id);
  return (row?.['retried_as'] ?? undefined) as TaskId | undefined;
}

/** The number that the row of a task has, or will have; for a task that is not there, the number of its row if it has one. */
function idOfRow(database: SqliteDatabase, taskId: TaskId): number | undefined {
  const row =
    database.get('SELECT id FROM tasks WHERE task_id = ?', taskId) ??
    database.get('SELECT id FROM operator_rows WHERE id < 0 AND task_id = ?', taskId);
  return row && Number(row['id']);
}

function newIdWithoutTask(database: SqliteDatabase): number {
  return Number(database.get('SELECT coalesce(min(id), 0) - 1 AS id FROM operator_rows WHERE id < 0')?.['id']);
}

function valuesOf(row: TaskRow, goneAt: number | null) {
  const { taskId, viewVersion, createdAt, endedAt = null, status, tool, owner, reason = null, cause = null, version = null } = row;
  const searchKeys = row.searchKeys === undefined ? null : JSON.stringify(row.searchKeys);
  return [taskId, viewVersion, createdAt, endedAt, status, tool, owner, reason, cause, version, goneAt, searchKeys] as const;
}

/** Maps a row of the table to the form that operators get. */
export function rowFrom(stored: Row): TaskRow {
  const { task_id, view_version, created_at, ended_at, status, tool, owner, reason, cause, version, gone_at, search_keys } = stored;
  return {
    taskId: task_id as TaskId,
    viewVersion: Number(view_version),
    createdAt: Number(created_at),
    ...(ended_at !== null && { endedAt: Number(ended_at) }),
    status: status as RowStatus,
    tool: String(tool),
    owner: String(owner),
    ...(reason !== null && { reason: String(reason) }),
    ...(cause !== null && { cause: String(cause) }),
    ...(version !== null && { version: String(version) }),
    ...(search_keys !== null && { searchKeys: JSON.parse(String(search_keys)) as string[] }),
    ...(gone_at !== null && { goneAt: Number(gone_at) }),
  };
}
