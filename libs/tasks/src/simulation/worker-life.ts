/**
 * Simulates the life of a worker: it shares the store with the others until it dies. From then on its actions have no effect, and its waits
 * never end, as in a process that was killed.
 */
import type { TaskId } from '../domain/task-id.js';
import type { TaskStore } from '../ports/task-store.js';
import type { AppendRequest, EventStore } from '../ports/event-store.js';
import { wrappedStore } from '../ports/wrapped-store.js';

/** Whether a worker dies before or after one of its appends. */
export type KillSide = 'before' | 'after';

/** One simulated worker. */
export class WorkerLife {
  readonly store: TaskStore;
  private readonly dying = new AbortController();
  private readonly interrupted = new Set<(taskId: TaskId) => void>();

  /** @param killOf says for each append whether the worker dies of it */
  constructor(
    readonly workerId: string,
    store: TaskStore,
    private readonly killOf: (append: AppendRequest) => KillSide | undefined,
  ) {
    const { events } = store;
    const own: Partial<EventStore> = {
      append: (request) => this.append(request, () => events.append(request)),
      create: (request, ...counted) => this.append(request, () => events.create(request, ...counted)),
      onInterrupted: async (listener) => {
        this.interrupted.add(listener);
        const unsubscribe = await events.onInterrupted(listener);
        return () => {
          this.interrupted.delete(listener);
          unsubscribe();
        };
      },
    };
    this.store = { ...store, events: wrappedStore(events, own) };
  }

  /** Aborts when it dies. */
  get signal(): AbortSignal {
    return this.dying.signal;
  }

  die(): void {
    this.dying.abort(new Error('The process of this worker was killed.'));
  }

  /** Has its running pass look at what others have recorded. */
  wake(taskId: TaskId): void {
    for (const listener of this.interrupted) listener(taskId);
  }

  private async append<Result>(request: AppendRequest, append: () => Promise<Result>): Promise<Result> {
    const side = this.signal.aborted ? 'before' : this.killOf(request);
    const result = side === 'before' ? undefined : await append();
    if (side === undefined && result !== undefined) return result;
    this.die();
    return new Promise<never>(() => undefined);
  }
}
