/** Collects items that may wait a moment, and processes them together. */
export class Batch<T> {
  #items: T[] = [];
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param delayMs longest time that an item waits
   * @param work processes all of them; its rejection goes to `onError`
   */
  constructor(
    private readonly delayMs: number,
    private readonly work: (items: readonly T[]) => Promise<unknown>,
    private readonly onError: (error: unknown) => void,
  ) {}

  add(item: T): void {
    this.#items.push(item);
    this.#timer ??= setTimeout(() => void this.flush(), this.delayMs).unref();
  }

  /** Processes at once what has been collected. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const items = this.#items;
    if (items.length === 0) return;
    this.#items = [];
    await this.work(items).catch(this.onError);
  }
}
