export { BackupFile, type BackupCounts, copyDataFile, isInUse, settleDataFile, syncToDisk } from './backup-file.js';
export { type ChannelListener, SqliteChannels } from './channels.js';
export { type Row, SqliteDatabase } from './database.js';
export { removeExpired } from './expired.js';
export { faultOf, SqliteBusyError, type SqliteFault } from './fault.js';
export { openSqliteInMemory } from './memory.js';
export { openSqlite, type Sqlite, type SqliteOptions, type SqliteSync } from './open.js';
export type { Schema } from './schema.js';
