/** Takes jobs of all queues from BullMQ, with slots that they share; what becomes of a job is said in `queue-consumer.ts`. */
import type { ConsumeOptions, TaskConsumer, Unsubscribe } from '@longhaul/tasks';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { KnownQueues } from './known-queues.js';
import { QueueConsumer, type QueueConsumerDeps } from './queue-consumer.js';
import { releaseJobs } from './release-jobs.js';
import { SharedSlots } from './shared-slots.js';
import { UnheardJobs } from './unheard-jobs.js';

/** How long a worker without running jobs waits for its queues to be paused. */
const MAX_PAUSE_MS = 500;

/** The pause after a queue could not be connected to. */
const RETRY_MS = 1_000;

/** What the consumer works with. The connection is for its jobs, and the consumer closes it. */
export interface BullMqTaskConsumerDeps extends ConsumeOptions, Omit<QueueConsumerDeps, 'slots' | 'nextToken' | 'onEnd'> {
  readonly queues: KnownQueues;
}

/** `TaskConsumer` on a BullMQ worker for each queue. */
export class BullMqTaskConsumer implements TaskConsumer {
  readonly lockToken = randomUUID();
  readonly #queues = new Map<number, QueueConsumer>();
  readonly #slots: SharedSlots;
  readonly #forQueues: QueueConsumerDeps;
  readonly #unheard: UnheardJobs;
  readonly #stopped = new AbortController();
  readonly #whenIdle: (() => void)[] = [];
  #locks = 0;
  #unsubscribe: Unsubscribe | undefined;

  constructor(private readonly deps: BullMqTaskConsumerDeps) {
    const { redis, concurrency, onError } = deps;
    this.#slots = new SharedSlots(concurrency);
    const nextToken = (): string => `${this.lockToken}:${this.#locks++}`;
    this.#forQueues = { ...deps, slots: this.#slots, nextToken, onEnd: () => this.#ended() };
    this.#unheard = new UnheardJobs({ redis, queues: () => [...this.#queues.values()], workerToken: this.lockToken, onError });
  }

  /** Resolves when the worker is connected and takes jobs. */
  async start(): Promise<void> {
    const { queues, beforeFirstJob } = this.deps;
    const found: number[] = [];
    let onFound = (queue: number): unknown => found.push(queue);
    this.#unsubscribe = await queues.onFound((queue) => onFound(queue));
    const first = await Promise.all(queues.all.map((queue) => this.#connect(queue)));
    await beforeFirstJob?.(this);
    for (const queue of first) queue.start();
    onFound = (queue) => void this.#serve(queue);
    for (const queue of found) onFound(queue);
  }

  get active(): number {
    let active = 0;
    for (const queue of this.#queues.values()) active += queue.active;
    return active;
  }

  async drain(): Promise<void> {
    this.#slots.close();
    const paused = Promise.all(this.#each((queue) => queue.pause())).catch(this.deps.onError);
    await this.#idle();
    // A job that is fetched from now on is put back at once. Without Redis the pause never ends.
    await Promise.race([paused, wait(MAX_PAUSE_MS, undefined, { ref: false })]);
  }

  loseAll(): void {
    this.#each((queue) => queue.loseAll());
  }

  recover(lockToken: string, isDead: () => Promise<boolean>): Promise<number | undefined> {
    return releaseJobs({ queues: [...this.#queues.values()], lockToken, isDead });
  }

  async close(): Promise<void> {
    this.#unsubscribe?.();
    this.#stopped.abort();
    this.#unheard.stop();
    this.#slots.close();
    await Promise.all(this.#each((queue) => queue.close()));
    // Not QUIT: the worker may have sent commands on it that nobody waits for any more.
    this.deps.redis.disconnect();
  }

  /** Tries until the queue is served: it is found once only. */
  async #serve(queue: number): Promise<void> {
    const { signal } = this.#stopped;
    while (!this.#queues.has(queue) && !this.#slots.isClosed) {
      try {
        const found = await this.#connect(queue);
        if (!this.#slots.isClosed) found.start();
      } catch (error) {
        if (this.#slots.isClosed) return;
        this.deps.onError(error);
        await wait(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }

  async #connect(queue: number): Promise<QueueConsumer> {
    const consumer = new QueueConsumer(queue, this.#forQueues);
    this.#queues.set(queue, consumer);
    try {
      await consumer.connect();
      return consumer;
    } catch (error) {
      await consumer.close();
      this.#queues.delete(queue);
      throw error;
    }
  }

  #each<Result>(act: (queue: QueueConsumer) => Result): Result[] {
    return Array.from(this.#queues.values(), act);
  }

  #idle(): Promise<void> {
    if (this.active === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  #ended(): void {
    if (this.active === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
  }
}
