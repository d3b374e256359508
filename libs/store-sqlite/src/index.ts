export { openSqliteGatewayState } from './gateway/gateway-state.js';
export { type SqliteBackend, type SqliteBackendOptions, openSqliteBackend } from './sessions/backend.js';
export { type SqliteTasks, type SqliteTasksOptions, openSqliteTasks } from './tasks/backend.js';
export { type TaskFile, whileUsable, writing } from './tasks/task-file.js';
