/**
 * Classifies errors of the data file, in one place. An error in neither class is the caller's own fault, such as a statement with a mistake
 * in it, or a damaged file: callers must not take it for an outage and wait.
 */

/** `away`: the file cannot be read or written at the moment. `full`: there is no room for a write. */
export type SqliteFault = 'away' | 'full';

/** Other processes kept the file locked during the whole wait. */
export class SqliteBusyError extends Error {
  constructor(path: string, waitedMs: number) {
    super(`Other processes have kept ${path} locked for ${waitedMs} ms.`);
    this.name = 'SqliteBusyError';
  }
}

/** The open file was removed, or its path now names another file. */
export class SqliteGoneError extends Error {
  constructor(path: string) {
    super(`${path} was removed or replaced while it was in use: end all processes that use it, and start them again.`);
    this.name = 'SqliteGoneError';
  }
}

/** Primary result codes of SQLite: https://sqlite.org/rescode.html */
const CODE = { busy: 5, locked: 6, noMemory: 7, readOnly: 8, inputOutput: 10, full: 13, cannotOpen: 14, protocol: 15, notADatabase: 26 };
const AWAY = new Set([CODE.busy, CODE.locked, CODE.noMemory, CODE.readOnly, CODE.inputOutput, CODE.cannotOpen, CODE.protocol]);

/** The class of an error of SQLite; nothing for any other error. */
export function faultOf(error: unknown): SqliteFault | undefined {
  if (error instanceof SqliteBusyError || error instanceof SqliteGoneError || isClosed(error)) return 'away';
  const code = codeOf(error);
  if (code === CODE.full) return 'full';
  return code !== undefined && AWAY.has(code) ? 'away' : undefined;
}

/** Whether another process holds the lock. */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === CODE.busy;
}

/** Whether the file is not a data file of SQLite. */
export function isNoDatabase(error: unknown): boolean {
  return codeOf(error) === CODE.notADatabase;
}

/** The low byte is the primary code; the other bytes give details. */
function codeOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

function isClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE' && error.message.includes('not open');
}
