import { groupsOfTenant } from '@longhaul/tasks';
/** What a worker gives lanes of the slots: what holds for their tenants, and what tools say of themselves. */
export function laneRulesOf(tenants, maxRunningOfTool, limitsTools) {
    const read = () => {
        const { weight = 1, maxRunning: mostOfOthers = null } = tenants.named('');
        const weights = new Map();
        const most = new Map();
        for (const name of tenants.names) {
            const settings = tenants.named(name);
            for (const group of groupsOfTenant(name)) {
                weights.set(group, settings.weight ?? 1);
                most.set(group, settings.maxRunning ?? null);
            }
        }
        const maxRunning = (group) => (most.has(group) ? most.get(group) : mostOfOthers) ?? undefined;
        return { weight, weights, maxRunning, maxRunningOfTool, limitsTools };
    };
    let rules = read();
    tenants.onChange(() => (rules = read()));
    return () => rules;
}
//# sourceMappingURL=lane-rules-of.js.map