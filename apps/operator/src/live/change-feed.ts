/**
 * Makes ticks: each says that followers should load again, because something may have changed. All followers share one subscription to the
 * changes of all tasks, which exists while there are followers. Changes that come together make one tick, so that there are at most ten
 * ticks a second, independent of the number of changes. Without changes there is a tick now and then, because messages can be missed and
 * some views depend on the time.
 */
import type { OperatorService, TaskChange, Unsubscribe } from '@longhaul/tasks';
import { TaskRates } from './task-rates.js';

/** Changes within this time make one tick. On a cluster the row of a task is written within it. */
const GATHER_MS = 50;
const APART_MS = 100;
/** One more tick after the last change, for a row that was written late. */
const SETTLE_MS = 1_000;
const IDLE_MS = 5_000;

/** The parts of the feed. */
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

  /** The counts since the first follower came. */
  get rates() {
    return this.#rates.now;
  }

  /** One tick at once, then the others; ticks between two requests for the next one count as one. @returns their numbers */
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

  /** Resolves when no later change can be missed, or when the store is known to be unreachable: then ticks come without changes. */
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
    // An earlier tick is enough, even if others wait.
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
    // After a pause without followers, the earlier state may be outdated.
    this.#tick += 1;
    const subscription = this.#subscription;
    this.#subscription = undefined;
    // A failed subscription has been reported already.
    void subscription?.then(
      (unsubscribe) => unsubscribe(),
      () => undefined,
    );
  }
}
