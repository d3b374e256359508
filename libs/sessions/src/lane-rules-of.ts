import { groupsOfTenant, type LaneRules } from '@longhaul/tasks';
import type { Tenants } from './tenants.js';

/** Makes a worker's rules for the slots of lanes, from the settings of their tenants and the definitions of tools. */
export function laneRulesOf(tenants: Tenants, maxRunningOfTool: (tool: string) => number | undefined): () => LaneRules {
  const read = (): LaneRules => {
    const { weight = 1, maxRunning: mostOfOthers = null } = tenants.named('');
    const weights = new Map<string, number>();
    const most = new Map<string, number | null>();
    for (const name of tenants.names) {
      const settings = tenants.named(name);
      for (const group of groupsOfTenant(name)) {
        weights.set(group, settings.weight ?? 1);
        most.set(group, settings.maxRunning ?? null);
      }
    }
    const maxRunning = (group: string): number | undefined => (most.has(group) ? most.get(group) : mostOfOthers) ?? undefined;
    return { weight, weights, maxRunning, maxRunningOfTool };
  };
  let rules = read();
  tenants.onChange(() => (rules = read()));
  return () => rules;
}
