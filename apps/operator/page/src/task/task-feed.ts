/** Loads a task in its present state, with its history: earlier events are loaded page by page, later ones are pushed. */
import { computed, signal, type Signal } from '@preact/signals';
import { addressOf, get, messageOf } from '../api/client.js';
import { openStream } from '../api/stream.js';
import type { HistoryEvent, Task, TaskDetails } from '../../../src/answers.js';

interface HistoryPage {
  readonly events: readonly HistoryEvent[];
  readonly next?: number;
}

/** Further pages of a history are loaded only on demand. A page has about 256 KiB. */
const FIRST_PAGES = 64;

/** Events that come within this time are shown together. */
const TOGETHER_MS = 16;

export class TaskFeed {
  readonly details = signal<TaskDetails | undefined>(undefined);
  /** Why the details could not be loaded. */
  readonly error = signal<string | undefined>(undefined);
  /** Why the history could not be loaded. */
  readonly historyError = signal<string | undefined>(undefined);
  readonly isLoading = signal(false);
  /** Where the next page of earlier events begins; absent once all are loaded. */
  readonly next = signal<number | undefined>(0);
  readonly #before = signal<readonly HistoryEvent[]>([]);
  readonly #after = signal<readonly HistoryEvent[]>([]);
  /** In their order; with a gap until all are loaded. */
  readonly events = computed(() => [...this.#before.value, ...this.#after.value]);
  readonly #ended = new AbortController();
  #endStream: (() => void) | undefined;
  #coming: HistoryEvent[] = [];
  #showing: ReturnType<typeof setTimeout> | undefined;
  #loading: Promise<void> | undefined;
  #version = 0;
  /** The version of the task when the view opened. */
  #begunAt = 0;

  constructor(private readonly taskId: string) {}

  start(): () => void {
    void this.open();
    return () => {
      this.#ended.abort();
      this.#endStream?.();
      clearTimeout(this.#showing);
    };
  }

  /** Loads the task, and follows it. */
  async open(): Promise<void> {
    await this.reload();
    const details = this.details.value;
    if (details === undefined || this.#begunAt > 0 || this.#ended.signal.aborted) return;
    this.#begunAt = details.streamVersion;
    this.#version = details.streamVersion;
    if (details.endedAt === undefined) this.#follow();
    await this.loadMore();
  }

  /** If answers overtake each other, the newest state counts. */
  readonly reload = (): Promise<void> =>
    this.#guard(this.error, async (signal) => {
      const details = await get<TaskDetails>(`tasks/${encodeURIComponent(this.taskId)}`, {}, signal);
      if (details.streamVersion >= (this.details.value?.streamVersion ?? 0)) this.details.value = details;
    });

  /** Loads more of the earlier events, unless a page is being loaded already. */
  readonly loadMore = (): Promise<void> => {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
      this.isLoading.value = false;
    });
    return this.#loading;
  };

  #load(): Promise<void> {
    this.isLoading.value = true;
    return this.#guard(this.historyError, async (signal) => {
      for (let page = 0; page < FIRST_PAGES && this.next.value !== undefined; page++) {
        const { events, next } = await get<HistoryPage>(`tasks/${this.taskId}/history`, { after: this.next.value }, signal);
        // Later events are pushed.
        this.#before.value = [...this.#before.value, ...events.filter(({ version }) => version <= this.#begunAt)];
        this.next.value = next === undefined || next >= this.#begunAt ? undefined : next;
      }
    });
  }

  #follow(): void {
    this.#endStream = openStream({
      address: () => addressOf(`tasks/${this.taskId}/events`, { after: this.#version }),
      events: {
        event: (data) => this.#take(data as HistoryEvent),
        task: (data) => {
          if ((data as Task).endedAt !== undefined) this.#endStream?.();
          void this.reload();
        },
      },
      refused: (message) => (this.error.value = message),
    });
  }

  /** The server does not push an event again after the stream broke; if it did, the event would be ignored. */
  #take(event: HistoryEvent): void {
    if (event.version <= this.#version) return;
    this.#version = event.version;
    this.#coming.push(event);
    this.#showing ??= setTimeout(() => {
      this.#showing = undefined;
      this.#after.value = [...this.#after.value, ...this.#coming];
      this.#coming = [];
    }, TOGETHER_MS);
  }

  async #guard(error: Signal<string | undefined>, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { signal } = this.#ended;
    try {
      await work(signal);
      error.value = undefined;
    } catch (problem) {
      if (!signal.aborted) error.value = messageOf(problem);
    }
  }
}
