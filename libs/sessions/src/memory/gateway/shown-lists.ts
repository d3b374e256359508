import type { ListHashes, ShownLists } from '../../gateway/shown-lists.js';

/** Within one process. */
export class MemoryShownLists implements ShownLists {
  #hashes: Partial<ListHashes> = {};

  async read(): Promise<Readonly<Partial<ListHashes>>> {
    return this.#hashes;
  }

  async write(hashes: ListHashes): Promise<void> {
    this.#hashes = hashes;
  }
}
