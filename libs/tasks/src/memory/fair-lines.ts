/** Lines of several lanes, from which items are taken in turn: as the queue on Redis does it (`redis/scripts/fair-order.ts`). */
export class FairLines<T> {
  /** By lane, in the order of their turns. */
  readonly #lines = new Map<string, T[]>();

  push(lane: string, item: T): void {
    const line = this.#lines.get(lane);
    if (line === undefined) this.#lines.set(lane, [item]);
    else line.push(item);
  }

  take(): T | undefined {
    for (const [lane, line] of this.#lines) {
      const item = line.shift();
      this.#lines.delete(lane);
      // An empty one kept its place until now, so that nobody gains by coming one at a time.
      if (item === undefined) continue;
      this.#lines.set(lane, line);
      return item;
    }
    return undefined;
  }

  /** All that stand in line, in no order. */
  items(): readonly T[] {
    return [...this.#lines.values()].flat();
  }

  clear(): void {
    this.#lines.clear();
  }
}
