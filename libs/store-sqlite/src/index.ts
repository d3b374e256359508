export { backUp, restore, type BackedUp, type Deployment } from './backup.js';
export { openMemoryStore, openSqliteStore, type SqliteStore, type SqliteStoreOptions } from './open.js';
export { type TaskFile, whileUsable, writing } from './tasks/task-file.js';
