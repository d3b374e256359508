/** Loads the data of a view, and loads it again after changes. */
import { effect, signal, type Signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { changes, followChanges } from './changes.js';
import { messageOf } from './client.js';

/** The loaded data, or the error. */
export interface Loaded<T> {
  readonly data: Signal<T | undefined>;
  readonly error: Signal<string | undefined>;
  /** Loads it again, at once or after the current load. */
  readonly reload: () => void;
}

/** The shortest time between loads after changes. */
const APART_MS = 400;

class Loading<T> implements Loaded<T> {
  readonly data = signal<T | undefined>(undefined);
  readonly error = signal<string | undefined>(undefined);
  readonly #ended = new AbortController();
  #isLoading = false;
  #isStale = false;
  #startedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly load: (signal: AbortSignal) => Promise<T>) {}

  readonly reload = (): void => {
    if (this.#isLoading) this.#isStale = true;
    else void this.#run();
  };

  /** Loads it again, but not too often. */
  reloadSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.reload, Math.max(0, this.#startedAt + APART_MS - Date.now()));
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#ended.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#ended;
    this.#isLoading = true;
    this.#startedAt = Date.now();
    try {
      const data = await this.load(signal);
      if (signal.aborted) return;
      this.data.value = data;
      this.error.value = undefined;
    } catch (error) {
      if (!signal.aborted) this.error.value = messageOf(error);
    } finally {
      this.#isLoading = false;
    }
    if (!this.#isStale || signal.aborted) return;
    this.#isStale = false;
    this.reloadSoon();
  }
}

/**
 * Loads data while a view shows it.
 *
 * @param keys the values that it depends on: it is loaded again when one of them differs
 * @param isLive whether it is loaded again after changes
 */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, keys: readonly unknown[], isLive = false): Loaded<T> {
  const loading = useMemo(() => new Loading(load), keys);
  useEffect(() => {
    loading.reload();
    return () => loading.end();
  }, [loading]);
  useEffect(() => (isLive ? followChanges() : undefined), [isLive]);
  useEffect(() => {
    if (!isLive) return undefined;
    let seen = changes.peek();
    return effect(() => {
      if (changes.value === seen) return;
      seen = changes.value;
      loading.reloadSoon();
    });
  }, [loading, isLive]);
  return loading;
}

/** Loads data again and again while a view shows it and the page is visible. */
export function usePolled<T>(load: (signal: AbortSignal) => Promise<T>, keys: readonly unknown[], everyMs: number): Loaded<T> {
  const loading = useLoaded(load, keys);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) loading.reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [loading, everyMs]);
  return loading;
}
