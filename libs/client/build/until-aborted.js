/** The promise, or the reason of the signal, if that comes first. */
export async function untilAborted(promise, signal) {
    const aborted = Promise.withResolvers();
    const abort = () => aborted.reject(signal.reason);
    if (signal.aborted)
        abort();
    signal.addEventListener('abort', abort, { once: true });
    try {
        return await Promise.race([promise, aborted.promise]);
    }
    finally {
        signal.removeEventListener('abort', abort);
    }
}
//# sourceMappingURL=until-aborted.js.map