import { setTimeout as wait } from 'node:timers/promises';
/** A host that keeps nothing: a run ends with its process. */
export function createProcessHost({ signal = new AbortController().signal, onEvent } = {}) {
    return {
        signal,
        step: (_, body) => body(signal),
        sleep: async (_, ms) => {
            try {
                await wait(ms, undefined, { signal });
            }
            catch {
                signal.throwIfAborted();
            }
        },
        now: () => Date.now(),
        report: (event) => onEvent?.(event),
    };
}
//# sourceMappingURL=process-host.js.map