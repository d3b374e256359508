/** Enforces how many jobs may run at once, and begin in a time (`running-limits.lua.ts`). A job without a limit costs nothing. */
import type { HeldBack, LaneRules, QueuedTaskJob } from '@longhaul/tasks';
import { groupOf, PRIORITY_STEP_MS, startsOf } from '@longhaul/tasks/store';
import { defineScript, type RedisClient, type RunScript } from '@longhaul/redis';
import type { RedisKeys } from '../keys/tasks.js';
import { COUNT_IN, COUNT_OUT, type NextStart } from './running-limits.lua.js';

/** How often a worker looks for held jobs that another worker left behind. */
const LOOK_MS = 1_000;
/** How many jobs are put back at once. */
const AT_ONCE = 500;
/** Stands for a limit that no longer exists. */
const ANY = 2 ** 31;

/** Where the names of limits begin. The names of `key` and `rate` are those of the tool and the key. */
const KINDS = { lane: 'tenant', tool: 'tool', shared: 'shared', key: 'key', rate: 'rate' } as const satisfies Record<
  string,
  HeldBack['by']
>;

/** A limit: how many jobs may run at once, or begin within a window if it has one. */
export interface Limit {
  readonly name: string;
  readonly most: number;
  readonly windowMs?: number;
}

/** The limits that a job counts for. */
export type Limits = readonly Limit[];

/** Dependencies of the limits. */
export interface RunningLimitsDeps {
  readonly redis: RedisClient;
  readonly keys: RedisKeys;
  readonly rules: () => LaneRules;
  readonly onError: (error: unknown) => void;
}

/**
 * The limits that a job counts for. Only the first pass of a task is its beginning.
 *
 * @param key see `ConsumeOptions.keyOf`
 */
export function limitsOf({ lane, tool, pass }: Pick<QueuedTaskJob, 'lane' | 'tool' | 'pass'>, rules: LaneRules, key?: string): Limits {
  const shared = tool === undefined ? undefined : rules.sharedLimitOf(tool);
  const names = [
    ...(lane === undefined ? [] : [`lane:${groupOf(lane)}`]),
    ...(tool === undefined ? [] : [`tool:${tool}`]),
    ...(shared === undefined ? [] : [`shared:${shared}`]),
    ...(key === undefined ? [] : [`key:${tool}:${key}`, ...(pass === 1 ? [`rate:${tool}:${key}`] : [])]),
  ];
  return names.flatMap((name) => limitNamed(name, rules) ?? []);
}

/** The kind of limit that the name belongs to. */
export function kindOfLimit(name: string): HeldBack['by'] {
  return KINDS[kindIn(name)];
}

function kindIn(name: string): keyof typeof KINDS {
  return name.slice(0, name.indexOf(':')) as keyof typeof KINDS;
}

function limitNamed(name: string, rules: LaneRules): Limit | undefined {
  const kind = kindIn(name);
  const of = name.slice(kind.length + 1);
  const byKey = (): ReturnType<LaneRules['limitByKeyOf']> => rules.limitByKeyOf(of.slice(0, of.lastIndexOf(':')));
  if (kind === 'rate') {
    const perSecond = byKey()?.perSecond;
    return perSecond === undefined ? undefined : { name, ...startsOf(perSecond) };
  }
  const most = {
    lane: () => rules.maxRunning(of),
    tool: () => rules.maxRunningOfTool(of),
    shared: () => rules.maxRunningOfShared(of),
    key: () => byKey()?.maxRunning,
  }[kind]();
  return most === undefined ? undefined : { name, most };
}

function flat(limits: Limits): readonly (string | number)[] {
  return limits.flatMap(({ name, most, windowMs = 0 }) => [name, most, windowMs]);
}

/** Enforces the limits from `start` to `stop`. */
export class RunningLimits {
  readonly #countIn: RunScript<typeof COUNT_IN>;
  readonly #countOut: RunScript<typeof COUNT_OUT>;
  /** When a limit of what begins has room again, by its name: looked at by the workers that have held a job back, or begun one before others. */
  readonly #starts = new Map<string, NodeJS.Timeout>();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(private readonly deps: RunningLimitsDeps) {
    this.#countIn = defineScript(deps.redis, COUNT_IN);
    this.#countOut = defineScript(deps.redis, COUNT_OUT);
  }

  start(): void {
    this.#timer = setInterval(() => void this.#look(), LOOK_MS).unref();
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
    for (const timer of this.#starts.values()) clearTimeout(timer);
    this.#starts.clear();
  }

  /** Whether the job may run now; otherwise it is held back until it may, unless the worker has lost it. */
  async countIn(
    { jobId, token, priority = 0 }: { readonly jobId: string; readonly token: string; readonly priority: number | undefined },
    limits: Limits,
  ): Promise<{ readonly mayRun: boolean; readonly isLost: boolean }> {
    const { waiting, active, stalled, jobPrefix } = this.deps.keys.jobs();
    const { held, ...prefixes } = this.deps.keys.runningLimits();
    const names = { waiting, active, stalled, held };
    const earlierMs = priority * PRIORITY_STEP_MS;
    const { next, ...counted } = await this.#countIn(names, { jobId, token, jobPrefix, ...prefixes, earlierMs }, flat(limits));
    if (next !== undefined) this.#lookAt(next);
    return counted;
  }

  /** Notes that the handler of a counted job has ended: others may run. */
  countOut({ jobId, token }: { readonly jobId: string; readonly token: string }, limits: Limits): Promise<void> {
    return this.#putBack(jobId, token, limits);
  }

  async #putBack(jobId: string, token: string, limits: Limits): Promise<void> {
    const { waiting, marker, jobPrefix } = this.deps.keys.jobs();
    const { held, ...prefixes } = this.deps.keys.runningLimits();
    try {
      const names = { waiting, marker, held };
      await this.#countOut(names, { jobId, token, jobPrefix, ...prefixes, atOnce: AT_ONCE }, flat(limits));
    } catch (error) {
      // The next look does it.
      this.deps.onError(error);
    }
  }

  /** Puts jobs back when the limit has room again. If this worker is gone by then, the look of another one does it. */
  #lookAt({ name, inMs }: NextStart): void {
    if (this.#isStopped || this.#starts.has(name)) return;
    const look = (): void => {
      this.#starts.delete(name);
      void this.#putBack('', '', this.#asTheyAre([name]));
    };
    this.#starts.set(name, setTimeout(look, inMs).unref());
  }

  async #look(): Promise<void> {
    try {
      const names = await this.deps.redis.smembers(this.deps.keys.runningLimits().held);
      if (names.length > 0) await this.#putBack('', '', this.#asTheyAre(names));
    } catch (error) {
      this.deps.onError(error);
    }
  }

  #asTheyAre(names: readonly string[]): Limits {
    const rules = this.deps.rules();
    return names.map((name) => limitNamed(name, rules) ?? { name, most: ANY });
  }
}
