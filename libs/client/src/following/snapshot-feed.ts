import { isEnd } from '../task-status.js';
import type { TaskSnapshot } from './task-snapshot.js';

const DEFAULT_POLL_MS = 1_000;
const MIN_POLL_MS = 10;
const MAX_TIMER_MS = 2_147_483_647;

/**
 * Collects the snapshots of a task, which the server pushes or the client polls. The client polls when the poll interval has passed since
 * the last poll, or when the task has probably changed.
 */
export class SnapshotFeed {
  #offered: TaskSnapshot | undefined;
  #failure: { readonly error: unknown } | undefined;
  #isLookDue = false;
  #change = Promise.withResolvers<void>();

  constructor(signal: AbortSignal) {
    signal.addEventListener('abort', () => this.fail(signal.reason), { once: true });
  }

  /** Takes a snapshot; the newest one counts. */
  offer(snapshot: TaskSnapshot): void {
    if (this.#offered === undefined || !isOlder(snapshot, this.#offered)) this.#offered = snapshot;
    this.#change.resolve();
  }

  /** Asks the server without waiting for the poll interval. */
  look(): void {
    this.#isLookDue = true;
    this.#change.resolve();
  }

  /** Ends the following of the task. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#change.resolve();
  }

  /**
   * The next snapshot that is not older than the last one.
   *
   * @param get asks the server
   * @throws what `fail` was given, or what `get` throws
   */
  async next(last: TaskSnapshot, get: () => Promise<TaskSnapshot>): Promise<TaskSnapshot> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure.error;
      const offered = this.#offered;
      this.#offered = undefined;
      if (offered !== undefined && !isOlder(offered, last)) return offered;
      if (this.#isLookDue) {
        this.#isLookDue = false;
        get().then(
          (snapshot) => this.offer(snapshot),
          (error: unknown) => this.fail(error),
        );
        await this.#changed();
      } else await this.#changed(last.pollIntervalMs ?? DEFAULT_POLL_MS);
    }
  }

  /** Waits for a change; after the time, a look is due. */
  async #changed(pollMs?: number): Promise<void> {
    const timer = pollMs === undefined ? undefined : setTimeout(() => this.look(), Math.min(MAX_TIMER_MS, Math.max(MIN_POLL_MS, pollMs)));
    await this.#change.promise;
    clearTimeout(timer);
    this.#change = Promise.withResolvers();
  }
}

/** Pushed and polled snapshots may overtake each other. Nothing is newer than the end of a task. */
function isOlder(snapshot: TaskSnapshot, other: TaskSnapshot): boolean {
  if (isEnd(snapshot) || isEnd(other)) return !isEnd(snapshot);
  return Date.parse(snapshot.lastUpdatedAt) < Date.parse(other.lastUpdatedAt);
}
