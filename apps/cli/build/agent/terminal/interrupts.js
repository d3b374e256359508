/** Ctrl-C of somebody who talks with an agent: it cancels what runs, and leaves when nothing does, or nothing else any more. */
import { untilAborted } from '@longhaul/runtime/until-aborted';
import { SAME_KEYSTROKE_MS, watchNpmShell } from '../../processes/stop-signals.js';
/** The reason of the signals. */
export class Cancelled extends Error {
    name = 'Cancelled';
}
/** @param insist called when the user asks again while leaving takes its time */
export function listenForInterrupts(insist) {
    const leaving = new AbortController();
    let running;
    let signalledAt = -Infinity;
    const leave = () => {
        running?.abort(new Cancelled('The user has left.'));
        if (leaving.signal.aborted)
            insist();
        leaving.abort(new Cancelled('The user has left.'));
    };
    const press = () => {
        if (running === undefined || running.signal.aborted)
            leave();
        else
            running.abort(new Cancelled('The user has cancelled it.'));
    };
    const onInterrupt = () => {
        if (performance.now() - signalledAt <= SAME_KEYSTROKE_MS)
            return;
        signalledAt = performance.now();
        press();
    };
    process.on('SIGINT', onInterrupt);
    for (const name of ['SIGTERM', 'SIGHUP'])
        process.on(name, leave);
    const unwatch = watchNpmShell(leave);
    return {
        leaving: leaving.signal,
        press,
        async during(body) {
            leaving.signal.throwIfAborted();
            running = new AbortController();
            const result = body(running.signal);
            // It may take its time to end, which nobody waits for who leaves.
            result.catch(() => undefined);
            try {
                return await untilAborted(result, leaving.signal);
            }
            finally {
                running = undefined;
            }
        },
        dispose() {
            unwatch();
            process.off('SIGINT', onInterrupt);
            for (const name of ['SIGTERM', 'SIGHUP'])
                process.off(name, leave);
        },
    };
}
//# sourceMappingURL=interrupts.js.map