import { Semaphore } from '@longhaul/runtime/semaphore';

/** A semaphore for each account, so that callers wait only behind callers of the same account. */
export class KeyedSemaphore {
  /** The accounts with callers inside. */
  readonly #semaphores = new Map<string, { readonly semaphore: Semaphore; present: number }>();

  constructor(private readonly atOnce: number) {}

  /** @returns a function that leaves, to be called once */
  async enter(account: string): Promise<() => void> {
    const entry = this.#semaphores.get(account) ?? { semaphore: new Semaphore(this.atOnce), present: 0 };
    this.#semaphores.set(account, entry);
    entry.present += 1;
    const leave = await entry.semaphore.enter();
    return () => {
      leave();
      entry.present -= 1;
      if (entry.present === 0) this.#semaphores.delete(account);
    };
  }
}
