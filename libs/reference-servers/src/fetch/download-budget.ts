import { NotNow } from './failures.js';

/** What all pages together may take that a process downloads at the same time. */
export class DownloadBudget {
  #free: number;

  constructor(private readonly bytes: number) {
    this.#free = bytes;
  }

  /** @throws NotNow when there is no room for so much */
  take(bytes: number): void {
    if (bytes > this.#free)
      throw new NotNow(`Pages of more than ${this.bytes} bytes in all are being fetched at the moment. Try again later.`);
    this.#free -= bytes;
  }

  giveBack(bytes: number): void {
    this.#free += bytes;
  }
}
