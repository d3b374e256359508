/**
 * The tokens that cost no more than this, however they are divided into those that are read and those that are generated.
 *
 * @returns Infinity for a model without a price
 */
export function tokensFor(maxSpend, price) {
    const most = Math.max(price?.input ?? 0, price?.output ?? 0);
    return maxSpend === undefined || most === 0 ? Infinity : Math.max(1, Math.floor((maxSpend / most) * 1_000_000));
}
//# sourceMappingURL=spend-limit.js.map