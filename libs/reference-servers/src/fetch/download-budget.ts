import { NotNow } from './failures.js';

/** Limits the memory of all pages that a process downloads at the same time. One owner's pages may take at most half of it. */
export class DownloadBudget {
  #free: number;
  readonly #taken = new Map<string, number>();

  constructor(private readonly bytes: number) {
    this.#free = bytes;
  }

  /** @throws NotNow when there is no room for so much */
  take(owner: string, bytes: number): void {
    const taken = (this.#taken.get(owner) ?? 0) + bytes;
    if (taken > this.bytes / 2) throw full(`Pages of more than ${this.bytes / 2} bytes in all are being fetched for this caller`);
    if (bytes > this.#free) throw full(`Pages of more than ${this.bytes} bytes in all are being fetched`);
    this.#taken.set(owner, taken);
    this.#free -= bytes;
  }

  giveBack(owner: string, bytes: number): void {
    const left = (this.#taken.get(owner) ?? 0) - bytes;
    if (left > 0) this.#taken.set(owner, left);
    else this.#taken.delete(owner);
    this.#free += bytes;
  }
}

function full(what: string): NotNow {
  return new NotNow(`${what} at the moment. Try again later.`);
}
