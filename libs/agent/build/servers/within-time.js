/**
 * Runs something that has to be over within a time.
 *
 * @param stop makes it end when the time is over
 * @throws Error that says how long it may take; what it throws itself
 */
export async function withinTime(ms, stop, run) {
    const over = Promise.withResolvers();
    const timer = setTimeout(() => {
        over.reject(new Error(`no answer came within ${ms} ms`));
        void stop();
    }, ms);
    const running = run();
    try {
        return await Promise.race([running, over.promise]);
    }
    finally {
        clearTimeout(timer);
        // It fails later, when it has been stopped.
        running.catch(() => undefined);
    }
}
//# sourceMappingURL=within-time.js.map