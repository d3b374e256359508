/** A lane, and how far it is. */
interface Lane<T> {
  step: number;
  readonly line: T[];
}

/** Lines of several lanes, from which items are taken in turn: as the queue on Redis does it (`redis/scripts/fair-order.ts`). */
export class FairLines<T> {
  readonly #lanes = new Map<string, Lane<T>>();

  push(name: string, item: T): void {
    const lane = this.#lanes.get(name) ?? { step: this.#first()?.[1].step ?? 0, line: [] };
    lane.line.push(item);
    this.#lanes.set(name, lane);
  }

  take(): T | undefined {
    for (;;) {
      const [name, lane] = this.#first() ?? [];
      if (name === undefined || lane === undefined) return undefined;
      const item = lane.line.shift();
      lane.step += 1;
      if (item !== undefined) return item;
      // It kept its place until now, so that nobody gains by coming one at a time.
      this.#lanes.delete(name);
    }
  }

  /** All that stand in line, in no order. */
  items(): readonly T[] {
    return [...this.#lanes.values()].flatMap(({ line }) => line);
  }

  clear(): void {
    this.#lanes.clear();
  }

  #first(): [name: string, lane: Lane<T>] | undefined {
    let first: [name: string, lane: Lane<T>] | undefined;
    for (const entry of this.#lanes) if (first === undefined || entry[1].step < first[1].step) first = entry;
    return first;
  }
}
