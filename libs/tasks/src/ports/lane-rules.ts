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
  /** The limit of a tool that counts by a key of each task; nothing for none. */
  limitByKeyOf(tool: string): LimitOfKey | undefined;
}

/** How much of one key of a tool may run. */
export interface LimitOfKey {
  /** Jobs that run at once. */
  readonly maxRunning?: number;
  /** Tasks that begin in a second. */
  readonly perSecond?: number;
}

/** So many tasks may begin within any time of this length. */
export interface Starts {
  readonly most: number;
  readonly windowMs: number;
}

/** With less than one task in a second, one may begin in a longer time. */
export function startsOf(perSecond: number): Starts {
  const most = Math.max(1, Math.floor(perSecond));
  return { most, windowMs: Math.ceil((most / perSecond) * 1_000) };
}

/** All groups are the same, and nothing is limited. */
export const NO_RULES: LaneRules = {
  weights: new Map(),
  weight: 1,
  maxRunning: () => undefined,
  maxRunningOfTool: () => undefined,
  sharedLimitOf: () => undefined,
  maxRunningOfShared: () => undefined,
  limitByKeyOf: () => undefined,
};

/** The weight of a group. */
export function weightOf({ weights, weight }: LaneRules, group: string): number {
  return weights.get(group) ?? weight;
}

/** The highest priority of a job; the lowest is the same below 0. */
export const MOST_PRIORITY = 10;

/** A job stands in line as if it had come this much earlier for each point of its priority: so none waits for ever. */
export const PRIORITY_STEP_MS = 60_000;

/** Why a priority cannot be; nothing when it can. */
export function problemOfPriority(what: string, priority: unknown): string | undefined {
  if (Number.isInteger(priority) && Math.abs(priority as number) <= MOST_PRIORITY) return undefined;
  return `${what} must be a whole number from -${MOST_PRIORITY} to ${MOST_PRIORITY}, and is ${JSON.stringify(priority)}.`;
}
