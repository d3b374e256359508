/**
 * Marks something that ends once, for listeners and as a signal. A gateway holds many idle streams, and an `AbortSignal` with a listener
 * takes half a KiB, so the signal is made only on demand.
 */
export class Ending {
  /** Absent after the end. */
  #listeners: (() => void)[] | undefined = [];
  #controller: AbortController | undefined;

  get isOver(): boolean {
    return this.#listeners === undefined;
  }

  /** Aborts at the end. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.isOver) this.#controller.abort();
    return this.#controller.signal;
  }

  /** Calls the listener once: at the end, or at once if it has passed. */
  whenOver(listener: () => void): void {
    if (this.#listeners === undefined) listener();
    else this.#listeners.push(listener);
  }

  end(): void {
    const listeners = this.#listeners;
    if (listeners === undefined) return;
    this.#listeners = undefined;
    this.#controller?.abort();
    for (const listener of listeners) listener();
  }
}
