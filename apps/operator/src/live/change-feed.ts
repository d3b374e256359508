/**
 * Ticks: when to look again at what may have changed. All who look on share one subscription to the changes of all tasks, which
 * there is for as long as somebody looks on. Changes that come together make one tick, so that there are at most ten ticks a second
 * however many changes there are. Without changes there is one now and then, because messages can be missed and some of what is
 * shown follows from the time.
 */
import type { OperatorService, TaskChange, Unsubscribe } from '@longhaul/tasks';
import { TaskRates } from './task-rates.js';

/** Changes within this time make one tick. On a cluster the row of a task is written within it. */
const GATHER_MS = 50;
const APART_MS = 100;
/** After the last change somebody looks once more, for a row that was written late. */
const SETTLE_MS = 1_000;
const IDLE_MS = 5_000;

/** What the feed works with. */
export interface ChangeFeedOptions {
  readonly tasks: Pick<OperatorService, 'onChange'>;
  readonly onError: (error: unknown) => void;
  readonly clock?: () => number;
}

/** The ticks of one process. */
export class ChangeFeed {
  readonly #watchers = new Set<() => void>();
  readonly #rates: TaskRates;
  readonly #clock: () => number;
  #subscription: Promise<Unsubscribe> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #tickedAt = 0;
  #tick = 0;

  constructor(private readonly options: ChangeFeedOptions) {
    this.#clock = options.clock ?? Date.now;
    this.#rates = new TaskRates(this.#clock);
  }

  /** What was counted since somebody looks on. */
  get rates() {
    return this.#rates.now;
  }

  /** One tick at once, then the others; those that come while nobody asks for the next one are one. @returns their numbers */
  async *ticks(signal: AbortSignal): AsyncGenerator<number> {
    let isDue = true;
    let wake = (): void => undefined;
    const watcher = (): void => {
      isDue = true;
      wake();
    };
    this.#watchers.add(watcher);
    const onAbort = (): void => wake();
    signal.addEventListener('abort', onAbort);
    try {
      await this.#listen();
      while (!signal.aborted) {
        if (isDue) {
          isDue = false;
          const number = this.#tick;
          yield number;
        } else {
          await new Promise<void>((resolve) => (wake = resolve));
        }
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) this.#stop();
    }
  }

  /** Resolves when no later change can be missed, or when it is known that the store cannot be reached: then ticks come without changes. */
  async #listen(): Promise<void> {
    if (this.#timer === undefined) this.#schedule(IDLE_MS);
    const subscription = (this.#subscription ??= this.options.tasks.onChange((change) => this.#changed(change)));
    try {
      await subscription;
      this.#rates.start();
    } catch (error) {
      if (this.#subscription === subscription) this.#subscription = undefined;
      this.options.onError(error);
    }
  }

  #changed(change: TaskChange | undefined): void {
    if (this.#watchers.size === 0) return;
    if (change !== undefined) this.#rates.count(change);
    this.#schedule(Math.max(GATHER_MS, this.#tickedAt + APART_MS - this.#clock()), SETTLE_MS);
  }

  /** @param restMs until the tick after that one */
  #schedule(inMs: number, restMs = IDLE_MS): void {
    const at = this.#clock() + inMs;
    // One that comes sooner is enough, and comes while others wait.
    if (this.#timer !== undefined && this.#dueAt <= at) return;
    clearTimeout(this.#timer);
    this.#dueAt = at;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#tickedAt = this.#clock();
      this.#tick += 1;
      for (const watcher of this.#watchers) watcher();
      this.#schedule(restMs);
      if (this.#subscription === undefined) void this.#listen();
    }, inMs).unref();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#rates.stop();
    // What was seen until now is not what there is when somebody looks on again.
    this.#tick += 1;
    const subscription = this.#subscription;
    this.#subscription = undefined;
    // One that was never made has been reported.
    void subscription?.then(
      (unsubscribe) => unsubscribe(),
      () => undefined,
    );
  }
}
