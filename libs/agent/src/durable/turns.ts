/** Lets so many go on at a time, the others after them in their order: the same in a replay. */
export class Turns {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /** Runs it when it is its turn. */
  async take<T>(run: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await run();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free += 1;
      else next();
    }
  }
}
