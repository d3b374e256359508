import { Semaphore } from '@longhaul/runtime/semaphore';

/** A semaphore for each account, so that callers wait only behind callers of the same account. */
export class KeyedSemaphore {
  /** The accounts with callers inside. */
  readonly #places = new Map<string, { readonly semaphore: Semaphore; present: number }>();

  constructor(private readonly atOnce: number) {}

  /** @returns a function that leaves, to be called once */
  async enter(account: string): Promise<() => void> {
    const places = this.#places.get(account) ?? { semaphore: new Semaphore(this.atOnce), present: 0 };
    this.#places.set(account, places);
    places.present += 1;
    const leave = await places.semaphore.enter();
    return () => {
      leave();
      places.present -= 1;
      if (places.present === 0) this.#places.delete(account);
    };
  }
}
