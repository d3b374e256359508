/**
 * What the work comes to, or what `onLate` returns or throws if that takes longer. The work itself goes on; how it ends
 * then does not matter to anybody. Until one of both has come the process stays alive, and no timer stays behind: so it is
 * not `AbortSignal.timeout`, whose timer does neither.
 */
export async function within(limitMs, work, onLate) {
    const { promise: over, resolve } = Promise.withResolvers();
    const timer = setTimeout(resolve, limitMs);
    try {
        return await Promise.race([work, over.then(onLate)]);
    }
    finally {
        clearTimeout(timer);
    }
}
//# sourceMappingURL=within.js.map