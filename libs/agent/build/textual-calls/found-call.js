/** Nothing could be read from `end` on. */
export function broken(end) {
    return { calls: [], end, isBroken: true };
}
//# sourceMappingURL=found-call.js.map