/** What operators get of a row. */
export const ROW_COLUMNS = 'task_id, view_version, created_at, ended_at, status, tool, owner, reason, version, gone_at';
/** What a task is created with, and what changes. SQLite writes each index anew that has a column which is set, also to the same value. */
const CREATED_WITH = ['created_at', 'tool', 'owner'];
const CHANGES = ['view_version', 'ended_at', 'status', 'reason', 'version', 'gone_at'];
const upsertOf = (columns) => `
  INSERT INTO operator_rows (id, ${ROW_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}
  WHERE excluded.view_version >= view_version`;
const WRITE = upsertOf(CHANGES);
const WRITE_ALL = upsertOf([...CREATED_WITH, ...CHANGES]);
/** Writes a row with an append, unless there is one of a later version. */
export function writeRow(database, row, { id, expiresAt }) {
    database.run(WRITE, id, ...valuesOf(row, expiresAt));
}
/** Writes a row that may be wrong in any column, unless there is one of a later version. */
export function putRow(database, row) {
    const { taskId, goneAt = null } = row;
    database.run(WRITE_ALL, idOfRow(database, taskId) ?? newIdWithoutTask(database), ...valuesOf(row, goneAt));
}
export function dropRow(database, taskId) {
    const id = idOfRow(database, taskId);
    if (id !== undefined)
        database.run('DELETE FROM operator_rows WHERE id = ?', id);
}
export function hasRow(database, taskId) {
    const id = idOfRow(database, taskId);
    return id !== undefined && database.get('SELECT 1 FROM operator_rows WHERE id = ?', id) !== undefined;
}
/** The number that the row of a task has, or is going to have; that of a row whose task is not there, if there is one. */
function idOfRow(database, taskId) {
    const row = database.get('SELECT id FROM tasks WHERE task_id = ?', taskId) ??
        database.get('SELECT id FROM operator_rows WHERE id < 0 AND task_id = ?', taskId);
    return row && Number(row['id']);
}
function newIdWithoutTask(database) {
    return Number(database.get('SELECT coalesce(min(id), 0) - 1 AS id FROM operator_rows WHERE id < 0')?.['id']);
}
function valuesOf(row, goneAt) {
    const { taskId, viewVersion, createdAt, endedAt = null, status, tool, owner, reason = null, version = null } = row;
    return [taskId, viewVersion, createdAt, endedAt, status, tool, owner, reason, version, goneAt];
}
/** Makes of a row of the table what operators get. */
export function rowFrom(stored) {
    const { task_id, view_version, created_at, ended_at, status, tool, owner, reason, version, gone_at } = stored;
    return {
        taskId: task_id,
        viewVersion: Number(view_version),
        createdAt: Number(created_at),
        ...(ended_at !== null && { endedAt: Number(ended_at) }),
        status: status,
        tool: String(tool),
        owner: String(owner),
        ...(reason !== null && { reason: String(reason) }),
        ...(version !== null && { version: String(version) }),
        ...(gone_at !== null && { goneAt: Number(gone_at) }),
    };
}
//# sourceMappingURL=operator-rows.js.map