/** Extraction in threads: what it takes grows with the page, and other tasks of the process go on meanwhile. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Semaphore } from '@longhaul/runtime/semaphore';
import { PageFault } from './failures.js';
const MAX_THREADS = 2;
const MAX_MS = 30_000;
const MAX_MEMORY_MB = 256;
const threads = new Semaphore(MAX_THREADS);
/** @throws PageFault when it takes too long, or too much memory; what the signal was aborted with */
export const extractionInThread = async (page, signal) => {
    const leave = await threads.enter();
    try {
        signal.throwIfAborted();
        return await inThread(page, signal);
    }
    finally {
        leave();
    }
};
async function inThread(page, caller) {
    const timeout = AbortSignal.timeout(MAX_MS);
    const thread = new Worker(new URL('extraction-thread.js', import.meta.url), {
        workerData: page,
        name: 'fetch-extraction',
        // Nothing of the process is of use to a page.
        execArgv: [],
        env: {},
        resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
    });
    try {
        const [extraction] = (await once(thread, 'message', { signal: AbortSignal.any([caller, timeout]) }));
        return extraction;
    }
    catch (error) {
        if (caller.aborted)
            throw caller.reason;
        if (timeout.aborted)
            throw tooMuch(`longer than ${MAX_MS} ms`, error);
        if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
            throw tooMuch(`more than ${MAX_MEMORY_MB} MiB of memory`, error);
        throw error;
    }
    finally {
        await thread.terminate();
    }
}
function tooMuch(what, cause) {
    return new PageFault(`its simplification takes ${what}, which is the limit; with raw it is returned as it is`, { cause });
}
//# sourceMappingURL=extraction-in-thread.js.map