import { isDeepStrictEqual } from 'node:util';
import type { TaskEvent } from '../domain/events.js';
import { fold } from '../domain/evolve.js';
import type { TaskState } from '../domain/state.js';
import type { TaskId } from '../domain/task-id.js';
import type { EventStore } from '../ports/event-store.js';
import type { Clock } from '../ports/clock.js';
import { type HistoryRoom, SMALL_BYTES } from './history-room.js';
import type { LoadedHistory } from './load-history.js';

/** A history that a pass has just left. */
export interface RecentHistory {
  readonly state: TaskState;
  /** The event that its state ends with, as it is read. */
  readonly last: TaskEvent;
  /** Its size in the store. */
  readonly bytes: number;
}

const KEPT_MS = 5_000;
/** A short history is read as quickly as what comes after it. */
const LEAST_EVENTS = 32;
const MOST_BYTES = 1024 * 1024;
const MOST_BYTES_OF_ALL = 8 * 1024 * 1024;
/** Memory of a folded history, by its size in the store. */
const IN_MEMORY = 4;

/**
 * Keeps the folded histories of tasks whose next pass comes soon: those of tasks that wait for other tasks, of which one may end at any
 * moment. The next pass on this worker then reads what was appended since then, and not all that was before.
 */
export class RecentHistories {
  private readonly kept = new Map<TaskId, RecentHistory & { readonly until: number }>();
  private bytes = 0;

  constructor(
    private readonly events: Pick<EventStore, 'readPage'>,
    private readonly room: Pick<HistoryRoom, 'enter'>,
    private readonly clock: Clock,
  ) {}

  /** Keeps the history of a suspended pass, if that is worth it. */
  keep(taskId: TaskId, history: RecentHistory): void {
    const { state, bytes } = history;
    if (state.openChildren.size === 0 || state.version - state.runSince < LEAST_EVENTS || bytes > MOST_BYTES) return;
    this.drop(taskId);
    this.kept.set(taskId, { ...history, until: this.clock() + KEPT_MS });
    this.bytes += bytes;
    for (const [oldest, { until }] of this.kept) {
      if (this.bytes <= MOST_BYTES_OF_ALL && until > this.clock()) return;
      this.drop(oldest);
    }
  }

  /**
   * The history with what was appended since then; nothing where it is not kept, or the store has another history: one that has lost writes
   * may have others in their place. It is not kept any longer.
   *
   * @throws like `loadHistory`
   */
  async load(taskId: TaskId, signal: AbortSignal): Promise<LoadedHistory | undefined> {
    const kept = this.kept.get(taskId);
    this.drop(taskId);
    if (kept === undefined || kept.until <= this.clock()) return undefined;
    const { events, isLast, historyBytes } = await this.events.readPage(taskId, kept.state.version - 1, SMALL_BYTES);
    const [last, ...since] = events;
    if (!isLast || !isDeepStrictEqual(last, kept.last)) return undefined;
    return { state: fold(since, kept.state), bytes: historyBytes, place: await this.room.enter(historyBytes * IN_MEMORY, signal) };
  }

  private drop(taskId: TaskId): void {
    this.bytes -= this.kept.get(taskId)?.bytes ?? 0;
    this.kept.delete(taskId);
  }
}
