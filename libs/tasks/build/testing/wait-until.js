const POLL_INTERVAL_MS = 5;
/**
 * Resolves with the first value of `predicate` that is neither `undefined` nor `false`.
 *
 * @throws Error that names the description when the time is over; an error of `predicate` at once.
 */
export async function waitUntil(predicate, { timeoutMs = 10_000, description }) {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
        const value = await predicate();
        if (value !== undefined && value !== false)
            return value;
        if (performance.now() > deadline)
            throw new Error(`Waited ${timeoutMs} ms in vain until ${description}.`);
        await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    }
}
//# sourceMappingURL=wait-until.js.map