import { faultOf, SqliteBusyError } from '@longhaul/sqlite';
import { StoreUnreached, TaskError } from '../errors.js';
/**
 * Reads or writes a data file.
 *
 * @throws TaskError `STORE_UNAVAILABLE` when it cannot be used at the moment, `STORE_FULL` without room; other errors as they are
 */
export async function whileUsable(run) {
    try {
        return await run();
    }
    catch (error) {
        throw storeErrorOf(error) ?? error;
    }
}
/** Writes: all that `run` does, or nothing. @throws as `whileUsable` */
export function writing({ database }, run) {
    return whileUsable(() => database.transaction(run));
}
function storeErrorOf(error) {
    if (error instanceof SqliteBusyError)
        return new StoreUnreached({ cause: error });
    const fault = faultOf(error);
    if (fault === undefined)
        return undefined;
    const [code, text] = fault === 'full'
        ? ['STORE_FULL', 'The data file cannot grow: the disk is full, or the file is as large as it may be.']
        : ['STORE_UNAVAILABLE', 'The data file cannot be used at the moment.'];
    return new TaskError(code, text, undefined, { cause: error });
}
//# sourceMappingURL=task-file.js.map