/**
 * The queues that jobs may be in. Each process knows the ones of its setting, and says every minute that it uses them; so others,
 * whose setting says otherwise, know of them too, and workers serve all of them. A queue that nobody has used for some minutes,
 * and that has no job, is forgotten: running processes go on to look at it, those that start later do not.
 *
 * Nothing is lost if an entry is: a task whose job is in a queue that nobody knows of gets another one from the sweep, and the
 * processes that use the queue name it again.
 */
import type { Unsubscribe } from '@longhaul/tasks';
import {
  definePublish,
  defineScript,
  isAway,
  type Publish,
  type RedisClient,
  type RedisSubscriptions,
  type RunScript,
} from '@longhaul/redis';
import type { RedisKeys } from './keys.js';
import { queueNumbers, queueOfLane } from './queue-numbers.js';
import { QueueDepths } from './queue-depths.js';
import { FORGET_QUEUE, USE_QUEUES } from './known-queues.lua.js';
import { whileReachable } from './store-fault.js';

/** How often a process says what it uses. */
const SAY_MS = 60_000;

/** The pause after it could not be said. */
const RETRY_MS = 1_000;

/** Nobody uses a queue of which nobody has said so for this long. */
const UNUSED_MS = 5 * SAY_MS;

/** What is known of queues. */
export interface KnownQueuesOptions {
  readonly redis: RedisClient;
  readonly keys: RedisKeys;
  readonly subscriptions: RedisSubscriptions;
  /** How many queues the process puts jobs into. */
  readonly count: number;
  readonly onError: (error: unknown) => void;
}

/** Knows them until it is stopped. */
export class KnownQueues {
  /** Those that this process puts jobs into. */
  readonly own: readonly number[];
  readonly #all: Set<number>;
  readonly #use: RunScript<typeof USE_QUEUES>;
  readonly #forget: RunScript<typeof FORGET_QUEUE>;
  readonly #publish: Publish;
  readonly #listeners = new Set<(queue: number) => void>();
  readonly #depths: QueueDepths;
  /** Whether others are to look for queues. One that died before it said so is why each process with several does so at its start. */
  #isUnsaid: boolean;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  private constructor(private readonly options: KnownQueuesOptions) {
    const { redis, keys, count } = options;
    this.own = queueNumbers(keys.prefix, count);
    this.#all = new Set(this.own);
    this.#isUnsaid = this.own.length > 1;
    this.#use = defineScript(redis, USE_QUEUES);
    this.#forget = defineScript(redis, FORGET_QUEUE);
    this.#publish = definePublish(redis);
    this.#depths = new QueueDepths(redis, keys);
  }

  /** To be opened before the first job is put into a queue. If Redis cannot be reached, it is said as soon as it can. */
  static async open(options: KnownQueuesOptions): Promise<KnownQueues> {
    const queues = new KnownQueues(options);
    await queues.#sayFromNowOn();
    return queues;
  }

  /** All that jobs may be in, those of this process first. */
  get all(): readonly number[] {
    return [...this.#all];
  }

  /** The queue that this process puts the jobs of a lane into. */
  of(lane: string | undefined): number {
    return queueOfLane(this.own, lane);
  }

  /** Calls the listener with each queue that is found from now on, soon after the first process begins to use it. */
  async onFound(listener: (queue: number) => void): Promise<Unsubscribe> {
    const { subscriptions, keys } = this.options;
    this.#listeners.add(listener);
    const unsubscribe = await whileReachable(() => subscriptions.add(keys.queuesChanged(), () => void this.#sayFromNowOn()));
    await this.#sayFromNowOn();
    return () => {
      this.#listeners.delete(listener);
      unsubscribe();
    };
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #sayFromNowOn(): Promise<void> {
    let nextMs = SAY_MS;
    try {
      await this.#say();
    } catch (error) {
      nextMs = RETRY_MS;
      if (!isAway(error)) this.options.onError(error);
    }
    clearTimeout(this.#timer);
    if (!this.#isStopped) this.#timer = setTimeout(() => void this.#sayFromNowOn(), nextMs).unref();
  }

  async #say(): Promise<void> {
    const { keys } = this.options;
    const names = { queues: keys.queues() };
    const { isNew, queues } = await this.#use(names, {}, this.own);
    this.#isUnsaid ||= isNew;
    if (this.#isUnsaid) {
      await this.#publish(keys.queuesChanged(), '');
      this.#isUnsaid = false;
    }
    for (const { queue, silentMs } of queues) if (silentMs < UNUSED_MS) this.#add(queue);
    for (const { queue, silentMs } of queues) if (silentMs >= UNUSED_MS) await this.#addOrForget(queue, names);
  }

  /** @param queue one that nobody uses; it is known as long as it may have jobs, also while its master is away */
  async #addOrForget(queue: number, names: { readonly queues: string }): Promise<void> {
    try {
      if (await this.#depths.isEmpty(queue)) {
        await this.#forget(names, { queue: String(queue), afterMs: UNUSED_MS });
        return;
      }
    } catch (error) {
      if (!isAway(error)) this.options.onError(error);
    }
    this.#add(queue);
  }

  #add(queue: number): void {
    if (this.#all.has(queue)) return;
    this.#all.add(queue);
    for (const listener of this.#listeners) listener(queue);
  }
}
