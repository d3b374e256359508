/** What the promise resolves with, or nothing when the time is over before. */
export async function waitAtMost(ms, promise) {
    const over = Promise.withResolvers();
    const timer = setTimeout(() => over.resolve(undefined), ms);
    try {
        return await Promise.race([promise, over.promise]);
    }
    finally {
        clearTimeout(timer);
    }
}
//# sourceMappingURL=wait-at-most.js.map