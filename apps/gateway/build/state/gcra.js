/** In how many microseconds one comes back. */
export function intervalUs({ limit, perMs }) {
    return Math.ceil((perMs * 1_000) / limit);
}
/** @param fullAtUs when everything is back, which may be in the past */
export function grant(fullAtUs, nowUs, rate, { count, isPartly }) {
    const { limit } = rate;
    const everyUs = intervalUs(rate);
    // What is later than it can be was counted by a larger limit, or before a clock was set back.
    const latestUs = nowUs + limit * everyUs;
    const from = fullAtUs > latestUs ? nowUs : Math.max(fullAtUs, nowUs);
    const room = Math.floor((latestUs - from) / everyUs);
    const wanted = isPartly ? count : Math.min(count, limit);
    if (room >= wanted)
        return { taken: wanted, retryAfterMs: 0, fullAtUs: from + wanted * everyUs };
    const taken = isPartly ? room : 0;
    const next = from + taken * everyUs;
    const missing = isPartly ? 1 : wanted;
    return { taken, retryAfterMs: Math.ceil((next + missing * everyUs - latestUs) / 1_000), fullAtUs: next };
}
//# sourceMappingURL=gcra.js.map