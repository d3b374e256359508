import type { DispatchIntent, DispatchIntents } from './dispatch-intents.js';

/** `DispatchIntents` in memory. */
export class MemoryDispatchIntents implements DispatchIntents {
  readonly precedesAppend = true;
  readonly #noted = new Map<string, { readonly intent: DispatchIntent; readonly at: number }>();

  async note(intent: DispatchIntent, at: number): Promise<void> {
    this.#noted.set(keyOf(intent), { intent: { ...intent }, at });
  }

  settle(intent: DispatchIntent): void {
    this.#noted.delete(keyOf(intent));
  }

  async flush(): Promise<void> {
    // Nothing waits: settling is immediate.
  }

  async overdue(before: number, limit: number): Promise<readonly DispatchIntent[]> {
    return [...this.#noted.values()]
      .filter(({ at }) => at < before)
      .sort((left, right) => left.at - right.at)
      .slice(0, limit)
      .map(({ intent }) => intent);
  }
}

function keyOf({ taskId, pass, dueAt }: DispatchIntent): string {
  return `${taskId}-${pass}-${dueAt}`;
}
