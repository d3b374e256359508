/** Keeps to how many jobs of one queue may run at once (`scripts/running-limits.ts`). A job without a limit costs nothing. */
import { groupOf, rankOf } from '@longhaul/tasks/store';
import type { JobPriority, LaneRules, QueuedTaskJob } from '@longhaul/tasks';
import { defineScript, type RedisClient, type RunScript } from '@longhaul/redis';
import { QUEUE_NAME } from './bullmq-settings.js';
import type { RedisKeys } from './keys.js';
import { COUNT_IN, COUNT_OUT } from './running-limits.lua.js';

/** How often is looked for jobs that somebody else left held back. */
const LOOK_MS = 1_000;
/** Jobs that are put back at once. */
const AT_ONCE = 500;
/** Where a limit is no more. */
const ANY = 2 ** 31;

const OF_GROUP = 'lane:';
const OF_TOOL = 'tool:';

/** Names of limits, each with how many may run. */
export type Limits = readonly (readonly [string, number])[];

/** What the limits are kept to with. */
export interface RunningLimitsDeps {
  readonly redis: RedisClient;
  readonly keys: RedisKeys;
  readonly queue: number;
  readonly rules: () => LaneRules;
  readonly onError: (error: unknown) => void;
}

/** The limits of what a job is counted for. */
export function limitsOf({ lane, tool }: Pick<QueuedTaskJob, 'lane' | 'tool'>, rules: LaneRules): Limits {
  const names = [...(lane === undefined ? [] : [`${OF_GROUP}${groupOf(lane)}`]), ...(tool === undefined ? [] : [`${OF_TOOL}${tool}`])];
  return names.flatMap((name) => {
    const most = mostOf(name, rules);
    return most === undefined ? [] : [[name, most] as const];
  });
}

/** Those of one queue, from `start` to `stop`. */
export class RunningLimits {
  readonly #countIn: RunScript<typeof COUNT_IN>;
  readonly #countOut: RunScript<typeof COUNT_OUT>;
  readonly #queueKey: string;
  readonly #keys: ReturnType<RedisKeys['runningLimits']>;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly deps: RunningLimitsDeps) {
    const { redis, keys, queue } = deps;
    this.#countIn = defineScript(redis, COUNT_IN);
    this.#countOut = defineScript(redis, COUNT_OUT);
    this.#queueKey = `${keys.queuePrefix(queue)}:${QUEUE_NAME}`;
    this.#keys = keys.runningLimits(queue);
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
    const { held, runningPrefix, heldPrefix } = this.#keys;
    const names = { waiting: `${this.#queueKey}:wait`, active: `${this.#queueKey}:active`, stalled: `${this.#queueKey}:stalled`, held };
    const prefixes = { jobPrefix: `${this.#queueKey}:`, runningPrefix, heldPrefix };
    return this.#countIn(names, { jobId, token, ...prefixes, rank: rankOf(priority) }, limits.flat());
  }

  /** The handler of a job has ended that was counted in: others may run. */
  countOut({ jobId, token }: { readonly jobId: string; readonly token: string }, limits: Limits): Promise<void> {
    return this.#putBack(jobId, token, limits);
  }

  async #putBack(jobId: string, token: string, limits: Limits): Promise<void> {
    const { held, runningPrefix, heldPrefix } = this.#keys;
    const names = { waiting: `${this.#queueKey}:wait`, marker: `${this.#queueKey}:marker`, held };
    const prefixes = { jobPrefix: `${this.#queueKey}:`, runningPrefix, heldPrefix };
    try {
      await this.#countOut(names, { jobId, token, ...prefixes, atOnce: AT_ONCE }, limits.flat());
    } catch (error) {
      // The next look does it.
      this.deps.onError(error);
    }
  }

  async #look(): Promise<void> {
    try {
      const names = await this.deps.redis.smembers(this.#keys.held);
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
  return name.startsWith(OF_TOOL) ? rules.maxRunningOfTool(name.slice(OF_TOOL.length)) : rules.maxRunning(name.slice(OF_GROUP.length));
}
