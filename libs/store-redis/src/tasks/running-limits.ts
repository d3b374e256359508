/** Enforces how many jobs may run at once (`running-limits.lua.ts`). A job without a limit costs nothing. */
import type { JobPriority, LaneRules, QueuedTaskJob } from '@longhaul/tasks';
import { groupOf, rankOf } from '@longhaul/tasks/store';
import { defineScript, type RedisClient, type RunScript } from '@longhaul/redis';
import type { RedisKeys } from '../keys/tasks.js';
import { COUNT_IN, COUNT_OUT } from './running-limits.lua.js';

/** How often a worker looks for held jobs that another worker left behind. */
const LOOK_MS = 1_000;
/** How many jobs are put back at once. */
const AT_ONCE = 500;
/** Stands for a limit that no longer exists. */
const ANY = 2 ** 31;

const OF_GROUP = 'lane:';
const OF_TOOL = 'tool:';
const OF_SHARED = 'shared:';

/** Names of limits, each with how many may run. */
export type Limits = readonly (readonly [string, number])[];

/** Dependencies of the limits. */
export interface RunningLimitsDeps {
  readonly redis: RedisClient;
  readonly keys: RedisKeys;
  readonly rules: () => LaneRules;
  readonly onError: (error: unknown) => void;
}

/** The limits that a job counts for. */
export function limitsOf({ lane, tool }: Pick<QueuedTaskJob, 'lane' | 'tool'>, rules: LaneRules): Limits {
  const shared = tool === undefined ? undefined : rules.sharedLimitOf(tool);
  const names = [
    ...(lane === undefined ? [] : [`${OF_GROUP}${groupOf(lane)}`]),
    ...(tool === undefined ? [] : [`${OF_TOOL}${tool}`]),
    ...(shared === undefined ? [] : [`${OF_SHARED}${shared}`]),
  ];
  return names.flatMap((name) => {
    const most = mostOf(name, rules);
    return most === undefined ? [] : [[name, most] as const];
  });
}

/** Enforces the limits from `start` to `stop`. */
export class RunningLimits {
  readonly #countIn: RunScript<typeof COUNT_IN>;
  readonly #countOut: RunScript<typeof COUNT_OUT>;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly deps: RunningLimitsDeps) {
    this.#countIn = defineScript(deps.redis, COUNT_IN);
    this.#countOut = defineScript(deps.redis, COUNT_OUT);
  }

  start(): void {
    this.#timer = setInterval(() => void this.#look(), LOOK_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Whether the job may run now; otherwise it is held back until it may, unless the worker has lost it. */
  countIn(
    { jobId, token, priority }: { readonly jobId: string; readonly token: string; readonly priority: JobPriority | undefined },
    limits: Limits,
  ): Promise<{ readonly mayRun: boolean; readonly isLost: boolean }> {
    const { waiting, active, stalled, jobPrefix } = this.deps.keys.jobs();
    const { held, ...prefixes } = this.deps.keys.runningLimits();
    const names = { waiting, active, stalled, held };
    return this.#countIn(names, { jobId, token, jobPrefix, ...prefixes, rank: rankOf(priority) }, limits.flat());
  }

  /** Notes that the handler of a counted job has ended: others may run. */
  countOut({ jobId, token }: { readonly jobId: string; readonly token: string }, limits: Limits): Promise<void> {
    return this.#putBack(jobId, token, limits);
  }

  async #putBack(jobId: string, token: string, limits: Limits): Promise<void> {
    const { waiting, marker, jobPrefix } = this.deps.keys.jobs();
    const { held, ...prefixes } = this.deps.keys.runningLimits();
    try {
      await this.#countOut({ waiting, marker, held }, { jobId, token, jobPrefix, ...prefixes, atOnce: AT_ONCE }, limits.flat());
    } catch (error) {
      // The next look does it.
      this.deps.onError(error);
    }
  }

  async #look(): Promise<void> {
    try {
      const names = await this.deps.redis.smembers(this.deps.keys.runningLimits().held);
      if (names.length === 0) return;
      const rules = this.deps.rules();
      await this.#putBack(
        '',
        '',
        names.map((name) => [name, mostOf(name, rules) ?? ANY]),
      );
    } catch (error) {
      this.deps.onError(error);
    }
  }
}

function mostOf(name: string, rules: LaneRules): number | undefined {
  if (name.startsWith(OF_SHARED)) return rules.maxRunningOfShared(name.slice(OF_SHARED.length));
  return name.startsWith(OF_TOOL) ? rules.maxRunningOfTool(name.slice(OF_TOOL.length)) : rules.maxRunning(name.slice(OF_GROUP.length));
}
