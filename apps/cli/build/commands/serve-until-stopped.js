import { once } from 'node:events';
import { createCleanup } from '../processes/cleanup.js';
import { listenForStopSignals } from '../processes/stop-signals.js';
import { UserError } from '../user-error.js';
/**
 * Serves until the user stops it, or it ends by itself, and undoes everything then.
 *
 * @param serve resolves with what went wrong, undefined when it was ended
 * @returns the exit code
 * @throws UserError with what went wrong
 */
export async function serveUntilStopped(settings, terminal, serve) {
    const log = (line) => terminal.err(`longhaul: ${line}`);
    for (const warning of settings.warnings)
        log(warning);
    const cleanup = createCleanup();
    const stop = listenForStopSignals(() => cleanup.insist());
    try {
        const failure = await serve({ settings, terminal, cleanup, signal: stop.signal, log });
        if (failure !== undefined)
            throw new UserError(failure);
    }
    catch (error) {
        // What a stop interrupts is no failure.
        if (!stop.signal.aborted)
            throw error;
    }
    finally {
        for (const failure of await cleanup.run())
            log(`while ending: ${String(failure)}`);
        stop.dispose();
    }
    return 0;
}
/** Resolves when the signal aborts, at once if it has. */
export async function stopped(signal) {
    if (!signal.aborted)
        await once(signal, 'abort');
}
//# sourceMappingURL=serve-until-stopped.js.map