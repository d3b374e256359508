export { SqliteChannels } from './channels.js';
export { SqliteDatabase } from './database.js';
export { removeExpired } from './expired.js';
export { faultOf, SqliteBusyError } from './fault.js';
export { openSqlite } from './open.js';
//# sourceMappingURL=index.js.map