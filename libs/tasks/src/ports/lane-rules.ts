/** Defines the shares of the slots that lanes get, by their groups: see `laneOf`. */
export interface LaneRules {
  /**
   * The weights of groups with a weight of their own. While several groups wait, each gets slots by its weight, and its lanes share them.
   */
  readonly weights: ReadonlyMap<string, number>;
  /** The weight of all other groups. */
  readonly weight: number;
  /** How many jobs of a group may run at once; nothing for any number. */
  maxRunning(group: string): number | undefined;
  /** How many jobs of a tool may run at once. */
  maxRunningOfTool(tool: string): number | undefined;
  /** The name of the limit that a tool shares with others; nothing for none. */
  sharedLimitOf(tool: string): string | undefined;
  /** How many jobs of all tools that share a limit may run at once. */
  maxRunningOfShared(limit: string): number | undefined;
}

/** All groups are the same, and nothing is limited. */
export const NO_RULES: LaneRules = {
  weights: new Map(),
  weight: 1,
  maxRunning: () => undefined,
  maxRunningOfTool: () => undefined,
  sharedLimitOf: () => undefined,
  maxRunningOfShared: () => undefined,
};

/** The weight of a group. */
export function weightOf({ weights, weight }: LaneRules, group: string): number {
  return weights.get(group) ?? weight;
}

/** Before and after the other jobs of its lane. */
export type JobPriority = 'high' | 'low';

/** From 1 for those that come first to -1. */
export function rankOf(priority: JobPriority | undefined): number {
  return priority === undefined ? 0 : { high: 1, low: -1 }[priority];
}
