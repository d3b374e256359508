/** A task as it is now, with its history: what there was is loaded page by page, what comes after is pushed. */
import { computed, signal, type Signal } from '@preact/signals';
import { addressOf, get, messageOf } from '../api/client.js';
import { openStream } from '../api/stream.js';
import type { HistoryEvent, Task, TaskDetails } from '../../../src/answers.js';

interface HistoryPage {
  readonly events: readonly HistoryEvent[];
  readonly next?: number;
}

/** More of a history is loaded only when it is asked for. A page of it has about 256 KiB. */
const FIRST_PAGES = 64;

/** Events that come within this time are shown together. */
const TOGETHER_MS = 16;

export class TaskFeed {
  readonly details = signal<TaskDetails | undefined>(undefined);
  /** Why the details could not be loaded. */
  readonly error = signal<string | undefined>(undefined);
  /** Why the history could not be. */
  readonly historyError = signal<string | undefined>(undefined);
  readonly isLoading = signal(false);
  /** Where the next page of what there was begins; absent once all of it is here. */
  readonly next = signal<number | undefined>(0);
  readonly #before = signal<readonly HistoryEvent[]>([]);
  readonly #after = signal<readonly HistoryEvent[]>([]);
  /** In their order; with a gap while not all is loaded. */
  readonly events = computed(() => [...this.#before.value, ...this.#after.value]);
  readonly #ended = new AbortController();
  #endStream: (() => void) | undefined;
  #coming: HistoryEvent[] = [];
  #showing: ReturnType<typeof setTimeout> | undefined;
  #loading: Promise<void> | undefined;
  #version = 0;
  /** The version that it had when it was first looked at. */
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

  /** Looks at it, and goes on doing so. */
  async open(): Promise<void> {
    await this.reload();
    const details = this.details.value;
    if (details === undefined || this.#begunAt > 0 || this.#ended.signal.aborted) return;
    this.#begunAt = details.streamVersion;
    this.#version = details.streamVersion;
    if (details.endedAt === undefined) this.#follow();
    await this.loadMore();
  }

  /** Of answers that overtake each other the newest state counts. */
  readonly reload = (): Promise<void> =>
    this.#guard(this.error, async (signal) => {
      const details = await get<TaskDetails>(`tasks/${encodeURIComponent(this.taskId)}`, {}, signal);
      if (details.streamVersion >= (this.details.value?.streamVersion ?? 0)) this.details.value = details;
    });

  /** Loads more of what there was; what is being loaded already is not loaded twice. */
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
        // What has come since the beginning is pushed.
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

  /** What was pushed before the stream broke is not pushed again; if it were, it would not count. */
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
