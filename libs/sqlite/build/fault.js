/**
 * What an error says of the data file, in one place. Anything that is in neither class is the caller's own fault, such as a
 * statement with a mistake in it, or a damaged file: it must not be taken for an outage, which others would wait for.
 */
/** Other processes wrote all the time for as long as this one waited. */
export class SqliteBusyError extends Error {
    constructor(path, waitedMs) {
        super(`Other processes have kept ${path} locked for ${waitedMs} ms.`);
        this.name = 'SqliteBusyError';
    }
}
/** The file that is open was removed, or another one was put in its place. */
export class SqliteGoneError extends Error {
    constructor(path) {
        super(`${path} was removed or replaced while it was in use: end all processes that use it, and start them again.`);
        this.name = 'SqliteGoneError';
    }
}
/** Primary result codes of SQLite: https://sqlite.org/rescode.html */
const CODE = { busy: 5, locked: 6, noMemory: 7, readOnly: 8, inputOutput: 10, full: 13, cannotOpen: 14, protocol: 15, notADatabase: 26 };
const AWAY = new Set([CODE.busy, CODE.locked, CODE.noMemory, CODE.readOnly, CODE.inputOutput, CODE.cannotOpen, CODE.protocol]);
/** What an error of SQLite says of the file; nothing for any other error. */
export function faultOf(error) {
    if (error instanceof SqliteBusyError || error instanceof SqliteGoneError || isClosed(error))
        return 'away';
    const code = codeOf(error);
    if (code === CODE.full)
        return 'full';
    return code !== undefined && AWAY.has(code) ? 'away' : undefined;
}
/** Whether another process holds the lock that was asked for. */
export function isBusy(error) {
    return codeOf(error) === CODE.busy;
}
/** Whether the file is something else than a data file of SQLite. */
export function isNoDatabase(error) {
    return codeOf(error) === CODE.notADatabase;
}
/** The low byte is the primary code; the rest says more of it. */
function codeOf(error) {
    return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}
function isClosed(error) {
    return error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE' && error.message.includes('not open');
}
//# sourceMappingURL=fault.js.map