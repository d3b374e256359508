/** Logins that were ended early, by an operator who logged out. The store keeps them, so that they are invalid at every process. */
import { createOwnerStore, OPERATORS_OWNER, type OwnerRecords } from '@longhaul/sessions';
import type { OwnerCollection } from '@longhaul/tasks';

const COLLECTION = 'ended-logins';
/** The most old entries that one logout removes. */
const MAX_REMOVED = 1_000;

/** Every method rejects with `STORE_UNAVAILABLE` while the store cannot be reached. */
export class EndedLogins {
  readonly #records: OwnerCollection;

  constructor(records: OwnerRecords) {
    this.#records = createOwnerStore(records).of({ id: OPERATORS_OWNER }).collection(COLLECTION);
  }

  has(id: string): Promise<boolean> {
    return this.#records.read((records) => records.has(id));
  }

  /** @param until when the login expires by itself, epoch milliseconds: from then on it need not be remembered */
  end(id: string, until: number, now: number): Promise<void> {
    return this.#records.update((records) => {
      const isOver = ([known, over]: readonly [string, unknown]): boolean => known !== id && Number(over) <= now;
      const old = [...records].filter(isOver).slice(0, MAX_REMOVED);
      return { changes: [...old.map(([known]) => ({ id: known })), { id, value: until }], result: undefined };
    });
  }
}
