/**
 * Those to let go of so that the rest is within the limit: each time the one that has been held for longest, of the network
 * that has most. So one network cannot push out the others, and who sends and reads at once is hardly ever met.
 */
export function excessOf(held, limitBytes) {
    let total = bytesOf(held);
    if (total <= limitBytes)
        return [];
    const networks = [...Map.groupBy(held, ({ network }) => network).values()].map((of) => ({
        bytes: bytesOf(of),
        newestFirst: of.sort((a, b) => b.since - a.since),
    }));
    const excess = [];
    while (total > limitBytes) {
        const heaviest = networks.reduce((most, one) => (one.bytes > most.bytes ? one : most));
        const oldest = heaviest.newestFirst.pop();
        if (oldest === undefined)
            break;
        heaviest.bytes -= oldest.bytes;
        total -= oldest.bytes;
        excess.push(oldest);
    }
    return excess;
}
function bytesOf(held) {
    return held.reduce((sum, { bytes }) => sum + bytes, 0);
}
//# sourceMappingURL=excess-of.js.map