/**
 * Does one worker's part in keeping the order of waiting jobs fair (`fair-order.lua.ts`). A worker looks while all of its slots are taken,
 * because only then may jobs have to wait. It looks when it has asked for a job in vain, because others may have put jobs into line that it
 * has room for. When it knows that jobs stand in line, it looks whenever it takes or ends a job. Otherwise it looks from time to time, for
 * jobs that a dead worker left behind.
 */
import type { LaneRules } from '@longhaul/tasks';
import { PRIORITY_STEP_MS } from '@longhaul/tasks/store';
import { defineScript, type RedisClient, type RunScript } from '@longhaul/redis';
import type { RedisKeys } from '../keys/tasks.js';
import { KEEP_FAIR, KEEP_WEIGHTS } from './fair-order.lua.js';

/** How often a worker looks while all of its slots are taken, and how often otherwise. */
const BUSY_MS = 250;
const IDLE_MS = 1_000;

/** How soon a worker looks again after it has found no job. */
const RAN_OUT_MS = 50;

/** Weights are written again in case they were lost. */
const WEIGHTS_MS = 60_000;

/** This many jobs cost Redis about 3 ms. */
const AT_ONCE = 500;

/** Dependencies of the fair order. */
export interface FairOrderOptions {
  readonly redis: RedisClient;
  readonly keys: RedisKeys;
  /** How many jobs the worker may run at once. */
  readonly slots: number;
  /** How many it runs now. */
  readonly active: () => number;
  readonly rules: () => LaneRules;
  readonly onError: (error: unknown) => void;
}

/** Keeps the order fair from `start` to `stop`. */
export class FairOrder {
  readonly #keepFair: RunScript<typeof KEEP_FAIR>;
  readonly #keepWeights: RunScript<typeof KEEP_WEIGHTS>;
  #written: { readonly rules: LaneRules; readonly at: number } | undefined;
  #isOpen = false;
  #isLooking = false;
  #isAsked = false;
  /** Whether jobs stood in line at the last look. */
  #isLine = false;
  #lookedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;

  constructor(private readonly options: FairOrderOptions) {
    this.#keepFair = defineScript(options.redis, KEEP_FAIR);
    this.#keepWeights = defineScript(options.redis, KEEP_WEIGHTS);
  }

  start(): void {
    this.#isOpen = true;
    this.#timer = setInterval(() => this.#lookIfDue(), BUSY_MS).unref();
    this.#look();
  }

  stop(): void {
    this.#isOpen = false;
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
  }

  /** The worker has taken a job, or one has ended. */
  changed(): void {
    if (this.#isLine) this.#look();
    else this.#lookIfDue();
  }

  /** The worker has asked for a job, and there was none. */
  ranOut(): void {
    if (!this.#isOpen || this.#soon !== undefined) return;
    const lookSoon = (): void => {
      this.#soon = undefined;
      this.#look();
    };
    // At light load it runs out with each job.
    this.#soon = setTimeout(lookSoon, Math.max(0, this.#lookedAt + RAN_OUT_MS - performance.now())).unref();
  }

  #lookIfDue(): void {
    const { active, slots } = this.options;
    if (performance.now() - this.#lookedAt >= (active() >= slots ? BUSY_MS : IDLE_MS)) this.#look();
  }

  /** Runs once more if it is requested again while it runs, and no more than once. */
  #look(): void {
    this.#isAsked = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    void this.#lookWhileAsked();
  }

  async #lookWhileAsked(): Promise<void> {
    while (this.#isAsked && this.#isOpen) {
      this.#isAsked = false;
      this.#lookedAt = performance.now();
      try {
        const { isLine, isMore } = await this.#order();
        this.#isLine = isLine;
        this.#isAsked ||= isMore;
      } catch (error) {
        // The next look does it. A lane without a line now may have one then.
        if (this.#isOpen) this.options.onError(error);
      }
    }
    this.#isLooking = false;
  }

  async #order(): Promise<{ readonly isLine: boolean; readonly isMore: boolean }> {
    const { keys, slots } = this.options;
    const rules = this.options.rules();
    await this.#writeWeights(rules);
    const { waiting, active, marker, jobPrefix } = keys.jobs();
    const { linePrefix, ...order } = keys.fairOrder();
    const names = { waiting, active, marker, ...order };
    return this.#keepFair(names, { jobPrefix, linePrefix, slots, atOnce: AT_ONCE, weight: rules.weight, stepMs: PRIORITY_STEP_MS });
  }

  async #writeWeights(rules: LaneRules): Promise<void> {
    const now = performance.now();
    if (this.#written?.rules === rules && now - this.#written.at < WEIGHTS_MS) return;
    await this.#keepWeights({ weights: this.options.keys.fairOrder().weights }, {}, [...rules.weights].flat());
    this.#written = { rules, at: now };
  }
}
