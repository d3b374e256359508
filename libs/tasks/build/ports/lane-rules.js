/** All are the same, and nothing is limited. */
export const NO_RULES = {
    weights: new Map(),
    weight: 1,
    maxRunning: () => undefined,
    maxRunningOfTool: () => undefined,
    limitsTools: false,
};
/** The weight of a group. */
export function weightOf({ weights, weight }, group) {
    return weights.get(group) ?? weight;
}
/** From 1 for those that come first to -1. */
export function rankOf(priority) {
    return priority === undefined ? 0 : { high: 1, low: -1 }[priority];
}
//# sourceMappingURL=lane-rules.js.map