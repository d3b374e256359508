/**
 * Makes a signal that follows another one after a delay. A request that may create a task is aborted later than its call by this delay: the
 * answer on its way names the task that must be cancelled.
 */
export class LingeringSignal {
  readonly #controller = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #begin: () => void;

  constructor(
    private readonly source: AbortSignal,
    graceMs: number,
  ) {
    this.#begin = () => {
      this.#timer = setTimeout(() => this.#controller.abort(source.reason), graceMs);
    };
    if (source.aborted) this.#begin();
    else source.addEventListener('abort', this.#begin, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** From now on it is not aborted any more. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.source.removeEventListener('abort', this.#begin);
  }
}
