import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { UserError } from '../../user-error.js';
import { EXIT } from '../api/exit-codes.js';
/**
 * Writes what comes to a new file that only its owner may read, or to standard output.
 *
 * @throws UserError when the file cannot be written, such as one that exists
 */
export async function writeBody(body, file, { cwd }) {
    if (file === undefined)
        return pipeline(body, process.stdout, { end: false });
    try {
        await pipeline(body, createWriteStream(resolve(cwd, file), { flags: 'wx', mode: 0o600 }));
    }
    catch (error) {
        if (!(error instanceof Error && 'syscall' in error && error.syscall === 'open'))
            throw error;
        const why = 'code' in error && error.code === 'EEXIST' ? 'exists already; name another file' : error.message;
        throw new UserError(`${file}: ${why}`, EXIT.usage);
    }
}
//# sourceMappingURL=write-body.js.map