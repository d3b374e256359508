import { groupsOfTenant, type LaneRules, type Workflow } from '@longhaul/tasks';
import type { Tenants } from './tenants.js';

/** What is known of the limits of a tool. */
type LimitsOfTool = (tool: string) => Pick<Workflow, 'maxRunning' | 'sharedLimit' | 'limit'> | undefined;

/** Makes a worker's rules for the slots of lanes, from the settings of their tenants and the definitions of tools. */
export function laneRulesOf(tenants: Tenants, limitsOf: LimitsOfTool): () => LaneRules {
  const ofTools = rulesOfTools(limitsOf);
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
    return { weight, weights, maxRunning, ...ofTools };
  };
  let rules = read();
  tenants.onChange(() => (rules = read()));
  return () => rules;
}

/** A shared limit is known as soon as one of its tools was asked for; before that, nothing of it is held back here. */
function rulesOfTools(
  limitsOf: LimitsOfTool,
): Pick<LaneRules, 'maxRunningOfTool' | 'sharedLimitOf' | 'maxRunningOfShared' | 'limitByKeyOf'> {
  const shared = new Map<string, number>();
  return {
    maxRunningOfTool: (tool) => limitsOf(tool)?.maxRunning,
    sharedLimitOf(tool) {
      const limit = limitsOf(tool)?.sharedLimit;
      if (limit !== undefined) shared.set(limit.name, limit.maxRunning);
      return limit?.name;
    },
    maxRunningOfShared: (name) => shared.get(name),
    limitByKeyOf: (tool) => limitsOf(tool)?.limit,
  };
}
