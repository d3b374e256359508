import { Semaphore } from '@longhaul/runtime/semaphore';

/** A semaphore for each account, so that who waits does so behind callers of the same account alone. */
export class KeyedSemaphore {
  /** Of the accounts that have somebody inside. */
  readonly #places = new Map<string, { readonly semaphore: Semaphore; present: number }>();

  constructor(private readonly atOnce: number) {}

  /** @returns what ends it, to be called once */
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
